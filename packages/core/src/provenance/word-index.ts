import { worstBit } from './trust.ts';

const FIRST_ROOM = 64;
const NO_POSITION = -1;

/**
 * For each key its latest position, the number of its positions, their combined trust bits and a position of the worst trust. A
 * hash table with open addressing over typed arrays.
 */
export class WordIndex {
  #keys: Int32Array = new Int32Array(FIRST_ROOM);
  #positions: Int32Array = new Int32Array(FIRST_ROOM).fill(NO_POSITION);
  #counts: Int32Array = new Int32Array(FIRST_ROOM);
  #joins: Uint8Array = new Uint8Array(FIRST_ROOM);
  #worst: Int32Array = new Int32Array(FIRST_ROOM);
  #used = 0;

  #slotOf(key: number): number {
    const mask = this.#keys.length - 1;
    let slot = Math.imul(key, 0x9e3779b1) >>> 0;
    slot = (slot ^ (slot >>> 15)) & mask;
    while (this.#positions[slot] !== NO_POSITION && this.#keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  get(key: number): number {
    return this.#positions[this.#slotOf(key)] as number;
  }

  /** The number of positions of a key. */
  countOf(key: number): number {
    return this.#counts[this.#slotOf(key)] as number;
  }

  /** The combined trust bits of all positions of a key. */
  joinOf(key: number): number {
    return this.#joins[this.#slotOf(key)] as number;
  }

  /** A position of a key with its worst trust. */
  worstOf(key: number): number {
    return this.#worst[this.#slotOf(key)] as number;
  }

  /** Adds a position and returns the previous one of the same key. */
  put(key: number, position: number, trust: number): number {
    if (this.#used * 2 >= this.#keys.length) this.#grow();
    const slot = this.#slotOf(key);
    const before = this.#positions[slot] as number;
    if (before === NO_POSITION) this.#used++;
    this.#keys[slot] = key;
    this.#positions[slot] = position;
    this.#counts[slot] = (this.#counts[slot] as number) + 1;
    const bits = this.#joins[slot] as number;
    this.#joins[slot] = bits | trust;
    if (before === NO_POSITION || worstBit(bits | trust) !== worstBit(bits)) this.#worst[slot] = position;
    return before;
  }

  #grow(): void {
    const [keys, positions, counts] = [this.#keys, this.#positions, this.#counts];
    const [joins, worst] = [this.#joins, this.#worst];
    const room = keys.length * 2;
    [this.#keys, this.#counts, this.#worst] = [new Int32Array(room), new Int32Array(room), new Int32Array(room)];
    [this.#joins, this.#positions] = [new Uint8Array(room), new Int32Array(room).fill(NO_POSITION)];
    for (let slot = 0; slot < keys.length; slot++) {
      if (positions[slot] === NO_POSITION) continue;
      const to = this.#slotOf(keys[slot] as number);
      this.#keys[to] = keys[slot] as number;
      this.#positions[to] = positions[slot] as number;
      this.#counts[to] = counts[slot] as number;
      this.#joins[to] = joins[slot] as number;
      this.#worst[to] = worst[slot] as number;
    }
  }
}
