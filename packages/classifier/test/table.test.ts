import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ADDRESS_CLASS, buildLexicon, CLASSES, classesOf, hashWord } from '../src/language/lexicon.ts';
import { segment } from '../src/language/segments.ts';
import { buildVocabulary, lookUp, rowOf } from '../src/model/feature-table.ts';
import { readFeatures } from '../src/model/features.ts';

const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
// Hashes that fall on few slots, so that chains of them meet and wrap around the end of the table.
const crowded = fc.integer({ min: 0, max: 30 }).map((n) => (n * 1024 + 1020 + (n % 7)) | 0);
const hashes = fc.oneof(int32, crowded, fc.constantFrom(0, -1, 1, 1023));
const classes = fc.integer({ min: 1, max: 2 ** CLASSES.length - 1 });

describe('the lexicon', () => {
  it('answers as a map does, with the classes of a word that occurs twice joined', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(hashes, classes), { maxLength: 600 }), fc.array(hashes), (entries, others) => {
        const map = new Map<number, number>();
        for (const [hash, bits] of entries) map.set(hash, (map.get(hash) ?? 0) | bits);
        const lexicon = buildLexicon(entries);
        for (const hash of [...map.keys(), ...others]) expect(classesOf(lexicon, hash)).toBe(map.get(hash) ?? 0);
      }),
    );
  });

  it('has classes that fit into the bits of an integer, the last set by shape', () => {
    expect(CLASSES.length).toBeLessThanOrEqual(31);
    expect(new Set(CLASSES).size).toBe(CLASSES.length);
    expect(CLASSES[ADDRESS_CLASS]).toBe('address');
  });

  it('hashes words by FNV-1a', () => {
    // The published 32-bit values of the empty text, "a" and "foobar".
    expect(['', 'a', 'foobar'].map((word) => hashWord(word) >>> 0)).toEqual([0x811c9dc5, 0xe40c292c, 0xbf9cf968]);
  });
});

describe('the vocabulary', () => {
  it('answers as a map does', () => {
    fc.assert(
      fc.property(fc.uniqueArray(hashes, { maxLength: 900 }), fc.array(hashes), (known, others) => {
        const map = new Map(known.map((hash, row) => [hash, row]));
        const vocabulary = buildVocabulary(known);
        expect(vocabulary.size).toBe(known.length);
        for (const hash of [...known, ...others]) expect(rowOf(vocabulary, hash)).toBe(map.get(hash) ?? -1);
      }),
    );
  });

  it('gives every segment its known features, in their order, and no other', () => {
    const text = 'Send the money. Read the file.';
    const words = ['send', 'file', 'the'].map(hashWord);
    const features = readFeatures(text, segment(text, []), buildLexicon([]));
    const { offsets, rows, heads } = lookUp(buildVocabulary(words), features);
    const rowsOf = (i: number): number[] => [...rows.subarray(offsets[i], offsets[i + 1])];
    expect(rowsOf(0)).toEqual([0, 2]);
    expect(rowsOf(1)).toEqual([2, 1]);
    expect([...heads]).toEqual([0, 2, -1, 2]);
  });
});
