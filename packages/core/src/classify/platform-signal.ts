import type { AbortSignalLike } from '../base/time-limit.ts';

interface Controller {
  readonly signal: AbortSignalLike;
  abort(): void;
}

interface Platform {
  readonly AbortSignal: abstract new () => object;
  readonly AbortController: new () => Controller;
}

/**
 * The platform's own AbortSignal for a signal of this library. SDKs accept no other.
 *
 * @example
 * ```ts
 * await client.messages.create(body, { signal: platformSignal<AbortSignal>(signal) });
 * ```
 */
export function platformSignal<Signal extends AbortSignalLike>(signal: AbortSignalLike): Signal {
  const platform = globalThis as unknown as Platform;
  if (signal instanceof platform.AbortSignal) return signal as Signal;
  const controller = new platform.AbortController();
  if (signal.aborted) controller.abort();
  else signal.addEventListener('abort', () => controller.abort());
  return controller.signal as Signal;
}
