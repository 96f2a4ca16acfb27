/**
 * A map of limited size. When it is full, setting a new key deletes the entry that was set longest ago. Setting a key
 * again makes it the newest; reading it does not.
 *
 * @example
 * ```ts
 * const verdicts = new BoundedMap<string, Verdict>(10_000);
 * ```
 */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #maxEntries: number;
  readonly #onForgotten: ((key: Key, value: Value) => void) | undefined;

  /** `onForgotten` is called with each entry that is deleted to make room. @default not called */
  constructor(maxEntries: number, onForgotten?: (key: Key, value: Value) => void) {
    this.#maxEntries = maxEntries;
    this.#onForgotten = onForgotten;
  }

  get size(): number {
    return this.#entries.size;
  }

  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#maxEntries) return;
    const [oldest] = this.#entries as Iterable<[Key, Value]> as [[Key, Value]];
    this.#entries.delete(oldest[0]);
    this.#onForgotten?.(...oldest);
  }

  delete(key: Key): boolean {
    return this.#entries.delete(key);
  }

  keys(): IterableIterator<Key> {
    return this.#entries.keys();
  }

  values(): IterableIterator<Value> {
    return this.#entries.values();
  }

  clear(): void {
    this.#entries.clear();
  }
}
