// Pseudo-random numbers that depend only on a seed, so that a case can be repeated.

/** Spreads a seed and a stream number over 32 bits. */
function mixed(value) {
  let state = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
  return (state ^ (state >>> 16)) >>> 0;
}

export class Random {
  #a;
  #b;
  #c;
  #count = 1;

  constructor(seed, stream) {
    this.#a = mixed(seed + 0x9e3779b9);
    this.#b = mixed(stream + 0x85ebca6b);
    this.#c = mixed(seed ^ Math.imul(stream + 1, 0xc2b2ae35));
    for (let round = 0; round < 12; round++) this.unit();
  }

  /** From 0 up to 1 (sfc32). */
  unit() {
    const sum = (this.#a + this.#b + this.#count++) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  from(min, max) {
    return min + Math.floor(this.unit() * (max - min + 1));
  }

  chance(share) {
    return this.unit() < share;
  }

  pick(list) {
    return list[Math.floor(this.unit() * list.length)];
  }

  /** A value of a table `[weight, value]`, chosen by weight; a function is called and its result returned. */
  weighted(table) {
    let left = this.unit() * table.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of table) {
      left -= weight;
      if (left < 0) return typeof value === 'function' ? value() : value;
    }
    throw new RangeError('the sum of the weights of a table must be above 0');
  }

  shuffled(list) {
    const copy = [...list];
    for (let last = copy.length - 1; last > 0; last--) {
      const other = this.from(0, last);
      [copy[last], copy[other]] = [copy[other], copy[last]];
    }
    return copy;
  }

  bytes(count) {
    return Uint8Array.from({ length: count }, () => this.from(0, 255));
  }

  /** Random letters and digits, such as those of an id. */
  letters(count) {
    let text = '';
    while (text.length < count)
      text += Math.floor(this.unit() * 36 ** 5)
        .toString(36)
        .padStart(5, '0');
    return text.slice(0, count);
  }
}
