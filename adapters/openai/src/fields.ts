import { digestText } from '@sallyport/core/adapter';

/** A JSON object whose members are yet to be looked at. Every version of the API, and whatever comes next, in one shape. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The id that a call and its result share. Where the API gives none, it is made of what is there. */
export function idOf(given: unknown, item: unknown): string {
  if (typeof given !== 'string' || given === '') return `unnamed-${digestText(JSON.stringify(item) ?? '')}`;
  return given;
}
