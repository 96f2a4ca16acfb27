import { digestText, nonEmptyStringOf } from '@sallyport/core/adapter';

/** The id that a call and its result share. If the API gives none, it is derived from the item. */
export function idOf(given: unknown, item: unknown): string {
  return nonEmptyStringOf(given) ?? `unnamed-${digestText(JSON.stringify(item) ?? '')}`;
}
