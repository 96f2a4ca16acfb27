import { type Features, NONE } from './features.ts';

/** The features that the model knows; all others are ignored. Hash to row, in open addressing. */
export interface Vocabulary {
  readonly size: number;
  readonly mask: number;
  /** A bit for each known hash. */
  readonly sieve: Int32Array;
  readonly keys: Int32Array;
  /** Row plus one; 0 is an empty slot. */
  readonly rows: Int32Array;
}

// Most features of a text are unknown. A bit for each hash excludes them without a lookup in the table, which is too
// large for the fastest memory.
const SIEVE = 1 << 13;

export function buildVocabulary(hashes: ArrayLike<number>): Vocabulary {
  let slots = 1024;
  while (slots < hashes.length * 2) slots *= 2;
  const keys = new Int32Array(slots);
  const rows = new Int32Array(slots);
  const sieve = new Int32Array(SIEVE);
  for (let row = 0; row < hashes.length; row++) {
    const hash = hashes[row] as number;
    let slot = (hash ^ (hash >>> 15)) & (slots - 1);
    while (rows[slot] !== 0) slot = (slot + 1) & (slots - 1);
    const at = (hash >>> 5) & (SIEVE - 1);
    sieve[at] = (sieve[at] as number) | (1 << (hash & 31));
    keys[slot] = hash;
    rows[slot] = row + 1;
  }
  return { size: hashes.length, mask: slots - 1, sieve, keys, rows };
}

/** The row of a feature, or -1. */
export function rowOf({ mask, sieve, keys, rows }: Vocabulary, hash: number): number {
  if ((((sieve[(hash >>> 5) & (SIEVE - 1)] as number) >>> (hash & 31)) & 1) === 0) return -1;
  let slot = (hash ^ (hash >>> 15)) & mask;
  while (rows[slot] !== 0) {
    if (keys[slot] === hash) return (rows[slot] as number) - 1;
    slot = (slot + 1) & mask;
  }
  return -1;
}

/** The known features of every segment. */
export interface Rows {
  readonly offsets: Int32Array;
  readonly rows: Int32Array;
  /** Two per segment, -1 for an unknown word. */
  readonly heads: Int32Array;
}

export function lookUp(vocabulary: Vocabulary, features: Features): Rows {
  const offsets = new Int32Array(features.count + 1);
  const rows = new Int32Array(features.hashes.length);
  let length = 0;
  for (let i = 0; i < features.count; i++) {
    const end = features.offsets[i + 1] as number;
    for (let k = features.offsets[i] as number; k < end; k++) {
      const row = rowOf(vocabulary, features.hashes[k] as number);
      if (row >= 0) rows[length++] = row;
    }
    offsets[i + 1] = length;
  }
  const heads = features.heads.map((hash) => (hash === NONE ? -1 : rowOf(vocabulary, hash)));
  return { offsets, rows: rows.subarray(0, length), heads };
}
