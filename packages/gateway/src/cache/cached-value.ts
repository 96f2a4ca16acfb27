import type { Bus, Topic } from './bus.ts';

export interface FreshOptions {
  /** Milliseconds that something is believed at most. @default 1000 */
  readonly age?: number;
  /** @default 10000 */
  readonly most?: number;
  /** Milliseconds of a clock that never goes back. @default performance.now */
  readonly clock?: () => number;
}

interface Kept<T> {
  readonly value: Promise<T>;
  readonly until: number;
}

const AGE = 1000;
const MAX_COUNT = 10_000;

/** What was read from the database a moment ago. A notice ends it at once, and time does where none arrives. */
export class Fresh<T> {
  readonly #load: (key: string) => Promise<T>;
  readonly #age: number;
  readonly #most: number;
  readonly #clock: () => number;
  readonly #kept = new Map<string, Kept<T>>();
  readonly #stop: () => void;

  constructor(
    bus: Bus,
    topic: Topic,
    load: (key: string) => Promise<T>,
    { age = AGE, most = MAX_COUNT, clock = () => performance.now() }: FreshOptions = {},
  ) {
    this.#load = load;
    this.#age = age;
    this.#most = most;
    this.#clock = clock;
    this.#stop = bus.on(topic, () => this.#kept.clear());
  }

  get(key: string): Promise<T> {
    const found = this.#kept.get(key);
    const now = this.#clock();
    if (found !== undefined && now < found.until) return found.value;
    const value = this.#load(key);
    const kept = { value, until: now + this.#age };
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    if (this.#kept.size > this.#most) this.forget(this.#kept.keys().next().value as string);
    value.catch(() => {
      if (this.#kept.get(key) === kept) this.forget(key);
    });
    return value;
  }

  forget(key: string): void {
    this.#kept.delete(key);
  }

  close(): void {
    this.#stop();
    this.#kept.clear();
  }
}
