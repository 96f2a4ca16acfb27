/** The words of a text, which one space separates, as a set. */
export function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
