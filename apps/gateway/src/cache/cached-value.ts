import type { Bus, Topic } from './bus.ts';

export interface CachedValueOptions {
  /** Maximum age of a value in milliseconds. @default 1000 */
  readonly age?: number;
  /** Maximum number of values; the oldest is dropped. @default 10000 */
  readonly max?: number;
  /** A monotonic clock, in milliseconds. @default performance.now */
  readonly clock?: () => number;
}

interface Entry<T> {
  readonly value: Promise<T>;
  readonly until: number;
}

const AGE = 1000;
const MAX_COUNT = 10_000;

/** Caches values read from the database. A notice on the bus clears them at once; without one, they expire by age. */
export class CachedValue<T> {
  readonly #load: (key: string) => Promise<T>;
  readonly #age: number;
  readonly #max: number;
  readonly #clock: () => number;
  readonly #entries = new Map<string, Entry<T>>();
  readonly #stop: () => void;

  constructor(
    bus: Bus,
    topic: Topic,
    load: (key: string) => Promise<T>,
    { age = AGE, max = MAX_COUNT, clock = () => performance.now() }: CachedValueOptions = {},
  ) {
    this.#load = load;
    this.#age = age;
    this.#max = max;
    this.#clock = clock;
    this.#stop = bus.subscribe(topic, () => this.#entries.clear());
  }

  get(key: string): Promise<T> {
    const found = this.#entries.get(key);
    const now = this.#clock();
    if (found !== undefined && now < found.until) return found.value;
    const value = this.#load(key);
    const entry = { value, until: now + this.#age };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (this.#entries.size > this.#max) this.forget(this.#entries.keys().next().value as string);
    value.catch(() => {
      if (this.#entries.get(key) === entry) this.forget(key);
    });
    return value;
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }

  close(): void {
    this.#stop();
    this.#entries.clear();
  }
}
