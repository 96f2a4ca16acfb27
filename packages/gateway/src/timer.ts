import type { Timer } from '@sallyport/core/stages';

/** The platform's timer. A pending timer does not keep the process alive. */
export const platformTimer: Timer = {
  set: (callback, milliseconds) => setTimeout(callback, milliseconds).unref(),
  clear: (handle) => clearTimeout(handle as NodeJS.Timeout),
};

/** Calls `work` every `milliseconds`. Call the returned function to stop. */
export function repeat(timer: Timer, milliseconds: number, work: () => void): () => void {
  let handle: unknown;
  const next = (): void => {
    handle = timer.set(() => {
      next();
      work();
    }, milliseconds);
  };
  next();
  return () => timer.clear(handle);
}
