import type { AbortSignalLike } from '@sallyport/core/adapter';

/** Nobody waits for an answer any more. */
export function throwIfAborted(signal: AbortSignalLike): void {
  if (signal.aborted) throw new Error('The classification was aborted.');
}

/** A signal that is aborted with another one, or by itself. */
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
