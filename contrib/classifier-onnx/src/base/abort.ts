import type { AbortSignalLike } from '@sallyport/core/adapter';

/** Throws if the caller no longer waits for a result. */
export function throwIfAborted(signal: AbortSignalLike): void {
  if (signal.aborted) throw new Error('The classification was aborted.');
}

/** A signal that aborts with `outer`, or when `abort` is called. */
export function linkedTo(outer: AbortSignalLike): { readonly signal: AbortSignalLike; abort(): void } {
  const listeners: (() => void)[] = [];
  const signal = {
    aborted: outer.aborted,
    addEventListener: (_: 'abort', listener: () => void): void => {
      listeners.push(listener);
    },
  };
  const abort = (): void => {
    if (signal.aborted) return;
    signal.aborted = true;
    for (const listener of listeners) listener();
  };
  outer.addEventListener('abort', abort);
  return { signal, abort };
}
