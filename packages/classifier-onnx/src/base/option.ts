import { SallyportError } from '@sallyport/core';

/** Refuses a wrong option when the thing is built, not on the first text. */
export function requireOption(condition: boolean, message: string): asserts condition {
  if (!condition) refuse(message);
}

export function refuse(message: string, cause?: unknown): never {
  throw new SallyportError('ERR_INVALID_OPTION', message, cause === undefined ? undefined : { cause });
}

/** A whole number of at least `least`. */
export function isCount(value: unknown, least: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least;
}

/** What a JSON file holds as an object, or undefined. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
