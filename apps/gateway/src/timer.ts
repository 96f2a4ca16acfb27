import type { Timer } from '@sallyport/core/stages';

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
