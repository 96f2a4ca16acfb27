import { backgroundTimer } from '@sallyport/core/adapter';
import type { Timer } from '@sallyport/core/stages';

/** Tracks work in progress, so that a replica can finish it before it stops. */
export class WorkTracker {
  readonly #work = new Set<Promise<unknown>>();
  #isStopping = false;

  get isStopping(): boolean {
    return this.#isStopping;
  }

  track<T>(work: Promise<T>): Promise<T> {
    const tracked = work.finally(() => this.#work.delete(tracked));
    this.#work.add(tracked);
    // The caller handles the rejection of `work`.
    tracked.catch(() => undefined);
    return work;
  }

  stop(): void {
    this.#isStopping = true;
  }

  /** Resolves when all work has ended, or after `milliseconds`. */
  async settled(milliseconds: number, timer: Timer = backgroundTimer): Promise<void> {
    let alarm: unknown;
    const late = new Promise<void>((resolve) => {
      alarm = timer.set(resolve, milliseconds);
    });
    const all = async (): Promise<void> => {
      while (this.#work.size > 0) await Promise.allSettled(this.#work);
    };
    await Promise.race([all(), late]);
    timer.clear(alarm);
  }
}
