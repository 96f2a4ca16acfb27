import type { Timer } from '@sallyport/core/stages';
import { platformTimer } from '../timer.ts';

/** What is under way, so that a replica can stop without breaking it off. */
export class Underway {
  readonly #work = new Set<Promise<unknown>>();
  #isStopping = false;

  /** Whether no new work is to begin. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  track<T>(work: Promise<T>): Promise<T> {
    const tracked = work.finally(() => this.#work.delete(tracked));
    this.#work.add(tracked);
    tracked.catch(() => undefined);
    return work;
  }

  stop(): void {
    this.#isStopping = true;
  }

  /** When everything has ended, or the time is over. */
  async ended(milliseconds: number, timer: Timer = platformTimer): Promise<void> {
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
