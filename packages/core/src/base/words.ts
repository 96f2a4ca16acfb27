/** Splits a word list, in which one space separates the words, into a set. */
export function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
