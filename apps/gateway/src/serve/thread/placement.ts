import { createHash } from 'node:crypto';
import { GuardThread, type ThreadEvents } from './guard-thread.ts';

export interface PlacementOptions {
  /** Number of threads for principals whose messages take little time. One more is for all others. */
  readonly count: number;
  /** Milliseconds that a thread may work without a pause. */
  readonly turnLimit: number;
  /** The id of a classifier that runs on the main thread. */
  readonly classifier: string | undefined;
  readonly events: ThreadEvents;
  /** A monotonic clock, in milliseconds. @default performance.now */
  readonly clock?: () => number;
}

/** Milliseconds of work within `WINDOW` milliseconds that make a principal busy. */
const MAX_WORK = 1000;
const WINDOW = 10_000;
/** Characters of a message whose principal counts as busy before it is checked, so that the others do not wait for it even once. */
const LONG_MESSAGE = 256_000;
/** Milliseconds after its last long work that a principal stays in the thread for busy ones. */
const BUSY_TERM = 600_000;

/** Threads that check yield to the main thread, which answers; those that take long yield to the others. */
const NICENESS = 5;
const BUSY_NICENESS = 15;

interface Work {
  readonly since: number;
  readonly milliseconds: number;
  readonly busyUntil: number;
}

const NONE: Work = { since: Number.NEGATIVE_INFINITY, milliseconds: 0, busyUntil: Number.NEGATIVE_INFINITY };

/**
 * Says which thread a principal's messages are checked in. A principal whose messages take long shares a thread with others of that
 * kind, so that the rest do not wait for it.
 */
export class Placement {
  readonly #options: PlacementOptions;
  readonly #clock: () => number;
  readonly #threads: (GuardThread | undefined)[];
  readonly #work = new Map<string, Work>();

  constructor(options: PlacementOptions) {
    this.#options = options;
    this.#clock = options.clock ?? (() => performance.now());
    this.#threads = Array.from({ length: options.count + 1 }, () => undefined);
  }

  /** Characters of the messages that are being checked. */
  get bytes(): number {
    return this.#threads.reduce((sum, thread) => sum + (thread?.bytes ?? 0), 0);
  }

  /**
   * The thread for a principal that sends a message of this length. It is the same until the principal becomes busy, or the thread
   * ends.
   */
  threadFor(key: string, length: number): GuardThread {
    const { count, turnLimit, classifier, events } = this.#options;
    if (length > LONG_MESSAGE) this.recordWork(key, MAX_WORK + 1);
    const hash = createHash('sha256').update(key).digest().readUInt32BE(0);
    const isBusy = this.#isBusy(key);
    const index = isBusy ? count : hash % count;
    const found = this.#threads[index];
    if (found !== undefined && !found.isLost) return found;
    const thread = new GuardThread({ turnLimit, classifier, events, niceness: isBusy ? BUSY_NICENESS : NICENESS });
    this.#threads[index] = thread;
    return thread;
  }

  /** Counts the work of a principal. */
  recordWork(key: string, milliseconds: number): void {
    const now = this.#clock();
    const before = this.#work.get(key) ?? NONE;
    const isSameWindow = now - before.since < WINDOW;
    const total = (isSameWindow ? before.milliseconds : 0) + milliseconds;
    const busyUntil = total > MAX_WORK ? now + BUSY_TERM : before.busyUntil;
    this.#work.delete(key);
    this.#work.set(key, { since: isSameWindow ? before.since : now, milliseconds: total, busyUntil });
    const [[oldest, work] = ['', NONE]] = this.#work;
    if (now - work.since > WINDOW && now > work.busyUntil) this.#work.delete(oldest);
  }

  #isBusy(key: string): boolean {
    return (this.#work.get(key)?.busyUntil ?? NONE.busyUntil) > this.#clock();
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread?.close()));
  }
}
