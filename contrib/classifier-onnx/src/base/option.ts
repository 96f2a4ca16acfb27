import { SallyportError } from '@sallyport/core';

/** A received value, for the message of an error. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 100));
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' && value !== null
    ? 'an object'
    : typeof value === 'function'
      ? 'a function'
      : String(value);
}

/** Refuses an invalid option when the classifier is created, not on the first text. */
export function requireOption(condition: boolean, message: string): asserts condition {
  if (!condition) refuse(message);
}

export function refuse(message: string, cause?: unknown): never {
  throw new SallyportError('ERR_INVALID_OPTION', message, cause === undefined ? undefined : { cause });
}

/** Checks for an integer of at least `min`. */
export function isCount(value: unknown, min: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= min;
}

/** The value if it is a plain object, otherwise undefined. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
