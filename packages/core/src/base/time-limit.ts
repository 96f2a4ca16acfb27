import { describeValue, refuse } from './errors.ts';
import type { Timer } from './timer.ts';

/**
 * The part of the platform's AbortSignal that a classifier or a model call needs. Core does not depend on platform
 * types.
 *
 * @example
 * ```ts
 * const stop = (signal: AbortSignalLike, cancel: () => void) => signal.addEventListener('abort', cancel);
 * ```
 */
export interface AbortSignalLike {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
}

function abortable(): {
  signal: { aborted: boolean; addEventListener(type: 'abort', listener: () => void): void };
  abort(): void;
} {
  const listeners: (() => void)[] = [];
  const signal = {
    aborted: false,
    addEventListener: (_: 'abort', listener: () => void): void => {
      listeners.push(listener);
    },
  };
  return {
    signal,
    abort: () => {
      signal.aborted = true;
      for (const listener of listeners) listener();
    },
  };
}

/** Checks an option that is a time limit, and returns it. */
export function checkTimeout(timeout: number, name: string): number {
  // Beyond 31 bits a platform's timer fires at once.
  if (Number.isFinite(timeout) && timeout > 0 && timeout < 2 ** 31) return timeout;
  return refuse(
    `\`${name}\` must be a number of milliseconds above 0 and below 2147483648; received ${describeValue(timeout)}.`,
  );
}

/** The time limit of some work, and its result if the limit is exceeded. */
export interface TimeLimit<Late> {
  readonly timer: Timer;
  /** Milliseconds. */
  readonly timeout: number;
  /** The result when the time is over. */
  readonly late: Late;
}

/**
 * Runs work with a time limit. After the limit its signal is aborted and the result is `late`, even if the work goes
 * on.
 */
export async function withTimeLimit<Result, Late>(
  work: (signal: AbortSignalLike) => PromiseLike<Result>,
  { timer, timeout, late }: TimeLimit<Late>,
): Promise<Result | Late> {
  const { signal, abort } = abortable();
  let handle: unknown;
  let isOver = false;
  const limit = new Promise<Late>((resolve) => {
    handle = timer.set(() => {
      isOver = true;
      resolve(late);
    }, timeout);
  });
  try {
    const result = await Promise.race([work(signal), limit]);
    if (isOver) abort();
    return result;
  } finally {
    timer.clear(handle);
  }
}
