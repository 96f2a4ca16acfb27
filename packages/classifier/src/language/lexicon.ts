/**
 * Classes of words that show the addressee of a sentence and the requested action. The words themselves, in every
 * language, are in `training/lexicon/`; the trained model carries their hashes instead of the words.
 */
export const CLASSES = [
  'assistant',
  'send',
  'pay',
  'destroy',
  'change',
  'execute',
  'read',
  'say',
  'override',
  'earlier',
  'order',
  'authority',
  'user',
  'conceal',
  'secret',
  'data',
  'money',
  'urgent',
  'sequence',
  'polite',
  'greeting',
  'you',
  'me',
  'tool',
  'negation',
  'verb',
  'modal',
  'address',
] as const;

export type WordClass = (typeof CLASSES)[number];

/** Set by form and not by word: a mail address, a URL, an account number. */
export const ADDRESS_CLASS: number = CLASSES.indexOf('address');

export const OFFSET: number = 0x811c9dc5 | 0;
export const PRIME = 0x01000193;

/** FNV-1a over UTF-16 units; words come in lower case. */
export function hashWord(word: string): number {
  let hash = OFFSET;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), PRIME);
  return hash;
}

/** Hashes of words with the mask of their classes, in open addressing. */
export interface Lexicon {
  readonly mask: number;
  readonly keys: Int32Array;
  readonly values: Int32Array;
}

export function buildLexicon(entries: readonly (readonly [hash: number, classes: number])[]): Lexicon {
  let size = 1024;
  while (size < entries.length * 3) size *= 2;
  const keys = new Int32Array(size);
  const values = new Int32Array(size);
  for (const [hash, classes] of entries) {
    let slot = (hash ^ (hash >>> 15)) & (size - 1);
    while (values[slot] !== 0 && keys[slot] !== hash) slot = (slot + 1) & (size - 1);
    keys[slot] = hash;
    values[slot] = (values[slot] as number) | classes;
  }
  return { mask: size - 1, keys, values };
}

/** The classes of a word by its hash, as bits; 0 for a word without a class. */
export function classesOf({ mask, keys, values }: Lexicon, hash: number): number {
  let slot = (hash ^ (hash >>> 15)) & mask;
  while (values[slot] !== 0) {
    if (keys[slot] === hash) return values[slot] as number;
    slot = (slot + 1) & mask;
  }
  return 0;
}
