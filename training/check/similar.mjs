// Measures how similar the texts of a kind are: Jaccard similarity of their character 5-grams. Candidates come from MinHash
// buckets, so that not every pair is compared; the exact similarity of the best candidates is reported.
const WIDTH = 5;
const SLOTS = 64;
const CANDIDATES = 8;

function shinglesOf(text) {
  const folded = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('{goal}', ' ')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
  const hashes = new Set();
  for (let start = 0; start === 0 || start + WIDTH <= folded.length; start++) {
    let hash = 0x811c9dc5;
    for (let index = start; index < Math.min(start + WIDTH, folded.length); index++)
      hash = Math.imul(hash ^ folded.charCodeAt(index), 0x01000193);
    hashes.add(hash);
  }
  return hashes;
}

function signatureOf(hashes) {
  const signature = new Uint32Array(SLOTS).fill(0xffffffff);
  for (const hash of hashes)
    for (let slot = 0; slot < SLOTS; slot++) {
      let mixed = Math.imul(hash ^ Math.imul(slot + 1, 0x9e3779b1), 0x85ebca6b);
      mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35);
      mixed = (mixed ^ (mixed >>> 13)) >>> 0;
      if (mixed < signature[slot]) signature[slot] = mixed;
    }
  return signature;
}

function jaccard(one, other) {
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  let shared = 0;
  for (const hash of small) if (large.has(hash)) shared++;
  return shared / (one.size + other.size - shared);
}

/** The items that share most slots with an item, best first. */
function candidatesOf(item, signature, buckets, meetings) {
  const met = [];
  for (const [slot, bucket] of buckets.entries())
    for (const other of bucket.get(signature[slot])) if (other !== item && meetings[other]++ === 0) met.push(other);
  met.sort((one, other) => meetings[other] - meetings[one]);
  for (const other of met) meetings[other] = 0;
  return met.slice(0, CANDIDATES);
}

/**
 * For each text the similarity of its nearest neighbour (0 if no text shares a slot), and all pairs above the limit.
 * @param {readonly string[]} texts
 * @param {number} limit
 * @returns {{ nearest: number[], pairs: { one: number, other: number, similarity: number }[] }}
 */
export function neighbours(texts, limit) {
  const shingles = texts.map(shinglesOf);
  const signatures = shingles.map(signatureOf);
  const buckets = Array.from({ length: SLOTS }, () => new Map());
  for (const [item, signature] of signatures.entries())
    for (const [slot, bucket] of buckets.entries()) {
      const known = bucket.get(signature[slot]);
      if (known === undefined) bucket.set(signature[slot], [item]);
      else known.push(item);
    }
  const meetings = new Uint32Array(texts.length);
  const pairs = new Map();
  const nearest = signatures.map((signature, item) => {
    let best = 0;
    for (const other of candidatesOf(item, signature, buckets, meetings)) {
      const similarity = jaccard(shingles[item], shingles[other]);
      best = Math.max(best, similarity);
      const [one, two] = item < other ? [item, other] : [other, item];
      if (similarity > limit) pairs.set(`${one} ${two}`, { one, other: two, similarity });
    }
    return best;
  });
  return { nearest, pairs: [...pairs.values()] };
}

/**
 * @param {readonly number[]} values
 */
export function spreadOf(values) {
  const sorted = [...values].sort((one, other) => one - other);
  const at = (share) => round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
  const mean = round(values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length));
  return { mean, p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) };
}

/** @param {number} value */
export function round(value) {
  return Math.round(value * 1000) / 1000;
}
