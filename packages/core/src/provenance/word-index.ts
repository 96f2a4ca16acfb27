import { worstBit } from './trust.ts';

const FIRST_ROOM = 64;
const NO_PLACE = -1;

/** The latest place of each key, how many it has, the join of their standings and where the worst is: open addressing over columns. */
export class Heads {
  #keys: Int32Array = new Int32Array(FIRST_ROOM);
  #places: Int32Array = new Int32Array(FIRST_ROOM).fill(NO_PLACE);
  #counts: Int32Array = new Int32Array(FIRST_ROOM);
  #joins: Uint8Array = new Uint8Array(FIRST_ROOM);
  #worst: Int32Array = new Int32Array(FIRST_ROOM);
  #used = 0;

  #slotOf(key: number): number {
    const mask = this.#keys.length - 1;
    let slot = Math.imul(key, 0x9e3779b1) >>> 0;
    slot = (slot ^ (slot >>> 15)) & mask;
    while (this.#places[slot] !== NO_PLACE && this.#keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  get(key: number): number {
    return this.#places[this.#slotOf(key)] as number;
  }

  /** In how many places it stands. */
  countOf(key: number): number {
    return this.#counts[this.#slotOf(key)] as number;
  }

  /** The join of the standings of all its places. */
  joinOf(key: number): number {
    return this.#joins[this.#slotOf(key)] as number;
  }

  /** A place of the worst standing of all. */
  worstOf(key: number): number {
    return this.#worst[this.#slotOf(key)] as number;
  }

  /** Notes a place and returns the one before it. */
  put(key: number, place: number, trust: number): number {
    if (this.#used * 2 >= this.#keys.length) this.#grow();
    const slot = this.#slotOf(key);
    const before = this.#places[slot] as number;
    if (before === NO_PLACE) this.#used++;
    this.#keys[slot] = key;
    this.#places[slot] = place;
    this.#counts[slot] = (this.#counts[slot] as number) + 1;
    const known = this.#joins[slot] as number;
    this.#joins[slot] = known | trust;
    if (before === NO_PLACE || worstBit(known | trust) !== worstBit(known)) this.#worst[slot] = place;
    return before;
  }

  #grow(): void {
    const [keys, places, counts, joins, worst] = [this.#keys, this.#places, this.#counts, this.#joins, this.#worst];
    this.#worst = new Int32Array(keys.length * 2);
    this.#counts = new Int32Array(keys.length * 2);
    this.#joins = new Uint8Array(keys.length * 2);
    this.#keys = new Int32Array(keys.length * 2);
    this.#places = new Int32Array(keys.length * 2).fill(NO_PLACE);
    for (let slot = 0; slot < keys.length; slot++) {
      if (places[slot] === NO_PLACE) continue;
      const to = this.#slotOf(keys[slot] as number);
      this.#keys[to] = keys[slot] as number;
      this.#places[to] = places[slot] as number;
      this.#counts[to] = counts[slot] as number;
      this.#joins[to] = joins[slot] as number;
      this.#worst[to] = worst[slot] as number;
    }
  }
}
