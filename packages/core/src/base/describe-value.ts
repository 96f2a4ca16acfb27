const MAX_LENGTH = 60;

/** A value as an error message shows what was received: text and numbers in short form, of everything else the kind. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, MAX_LENGTH));
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'function') return 'a function';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
