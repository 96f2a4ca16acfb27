import { Budget } from '@sallyport/decode';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Ledger } from '../../src/provenance/ledger.ts';
import { FLAGGED, OPEN, VOUCHED } from '../../src/provenance/trust.ts';
import { isSameWord, readWords } from '../../src/text/words.ts';

function ledgerOf(...texts: readonly (readonly [text: string, trust: number])[]): Ledger {
  const ledger = new Ledger();
  for (const [index, [text, trust]] of texts.entries())
    ledger.add({ recordId: `r${index}`, part: 0, text, trust, ranges: [] });
  return ledger;
}

const plenty = (): Budget => new Budget(1_000_000);

const wordsOf = (text: string): string[] => {
  const { count, starts, ends } = readWords(text);
  return Array.from({ length: count }, (_, i) => text.slice(starts[i], ends[i]));
};

const WORDS: readonly { title: string; payload: string; expected: readonly string[] }[] = [
  { title: 'signs separate words', payload: '"Emma_Stone", <a@b.org>', expected: ['Emma', 'Stone', 'a', 'b', 'org'] },
  { title: 'digits belong to words', payload: 'P007 is 12x9', expected: ['P007', 'is', '12x9'] },
  {
    title: 'each character of a script without blanks is a word',
    payload: '\u9001\u91d1\u3059\u308b',
    expected: ['\u9001', '\u91d1', '\u3059', '\u308b'],
  },
  {
    title: 'combining marks belong to words',
    payload: 'Zo\u0308e M\u00fcller',
    expected: ['Zo\u0308e', 'M\u00fcller'],
  },
  { title: 'an invisible character does not separate words', payload: 'ab\u200bcd', expected: ['ab\u200bcd'] },
  {
    title: 'characters outside the first plane',
    payload: '\u{1d41a}\u{1d41b} c',
    expected: ['\u{1d41a}\u{1d41b}', 'c'],
  },
  { title: 'no words in signs', payload: '... !', expected: [] },
];

describe('the words of a text', () => {
  it.each(WORDS)('$title', ({ payload, expected }) => {
    expect(wordsOf(payload)).toEqual(expected);
  });

  it('are compared folded, letter by letter', () => {
    const same = (one: string, other: string): boolean => isSameWord(one, 0, one.length, other, 0, other.length);
    expect(same('\uff25\uff2d\uff2d\uff21', 'emma')).toBe(true);
    expect(same('em\u200bma', 'Emma')).toBe(true);
    expect(same('emma', 'emmb')).toBe(false);
    expect(same('emma', 'emmaa')).toBe(false);
  });
});

const FOUND: readonly { title: string; payload: string; expected: number }[] = [
  { title: "the user's words", payload: 'Emma Stone', expected: VOUCHED },
  { title: 'words in another case, with other signs', payload: '"EMMA_STONE"', expected: VOUCHED },
  { title: 'untrusted words', payload: 'invoice 4471', expected: OPEN },
  { title: 'words of both', payload: 'Friday', expected: VOUCHED | OPEN },
  { title: 'words in a flagged range', payload: 'eve@evil.example', expected: FLAGGED },
  { title: 'words partly in a flagged range', payload: 'due now eve', expected: FLAGGED },
  { title: 'words that do not occur together', payload: 'Emma Johnson', expected: 0 },
  { title: 'not words across two texts', payload: 'Friday The', expected: 0 },
  { title: 'not words in another order', payload: 'Stone Emma', expected: 0 },
];

describe('where words occur', () => {
  const page = 'The invoice 4471 is due now. eve@evil.example gets it on Friday.';
  const ledger = new Ledger();
  ledger.add({ recordId: 'u', part: 0, text: 'Pay Emma Stone on Friday', trust: VOUCHED, ranges: [] });
  const start = page.indexOf('eve@');
  ledger.add({
    recordId: 'p',
    part: 0,
    text: page,
    trust: OPEN,
    ranges: [{ start, end: start + 16, trust: FLAGGED }],
  });

  it.each(FOUND)('$title', ({ payload, expected }) => {
    expect(ledger.find(readWords(payload), plenty()).trust).toBe(expected);
  });

  it('is reported in offsets of the text', () => {
    const [place] = ledger.find(readWords('EVE at evil'.replace(' at ', '@')), plenty()).occurrences;
    expect(place).toEqual({ recordId: 'p', part: 0, start, end: start + 8, trust: 'flagged' });
  });

  it('is found for a word that occurs ten thousand times', () => {
    const many = ledgerOf(...Array.from({ length: 10_000 }, () => ['total', OPEN] as const), ['total', FLAGGED]);
    const found = many.find(readWords('total'), plenty());
    expect(found.trust).toBe(OPEN | FLAGGED);
    expect(found.occurrences.length).toBeLessThan(20);
  });

  it('is reported as incomplete if the search ended at its limit', () => {
    const many = ledgerOf(...Array.from({ length: 5000 }, () => ['a b c', OPEN] as const), ['x a b d', VOUCHED]);
    expect(many.find(readWords('a b c'), plenty()).exhausted).toBe(true);
  });

  it('is not confused by another word of the same hash', () => {
    // Found by search: FNV-1a of both is the same.
    const [one, other] = ['costarring', 'liquid'];
    expect(readWords(one).hashes[0]).toBe(readWords(other).hashes[0]);
    expect(ledgerOf([one, VOUCHED]).find(readWords(other), plenty()).trust).toBe(0);
    expect(ledgerOf([`pay ${one} today`, OPEN]).reach(readWords(`pay ${other} today`), plenty(), 0)).toBe(1);
  });
});

const JOINED: readonly { title: string; payload: string; expected: number }[] = [
  { title: 'two words as one', payload: 'de021203', expected: OPEN },
  { title: 'three words as one', payload: 'de021203x7', expected: OPEN },
  { title: 'one word as it is', payload: '1203', expected: OPEN },
  { title: 'not a part of a word', payload: 'de0212', expected: 0 },
  { title: 'not a longer word', payload: 'de021203x77', expected: 0 },
  { title: 'not words across two texts', payload: 'x7ab', expected: 0 },
];

describe('words in other groups', () => {
  const ledger = ledgerOf(['Account DE02 1203-X7', OPEN], ['ab', VOUCHED]);

  it.each(JOINED)('$title', ({ payload, expected }) => {
    expect(ledger.findJoined(payload, plenty()).trust).toBe(expected);
  });
});

/** By searching every position. */
function naive(texts: readonly string[], value: string): boolean {
  const folded = (text: string): string[] => wordsOf(text).map((word) => word.toLowerCase());
  const wanted = folded(value);
  return texts.some((text) => {
    const words = folded(text);
    return words.some((_, at) => wanted.length > 0 && wanted.every((word, i) => words[at + i] === word));
  });
}

const word = fc.constantFrom('pay', 'Emma', 'to', 'x1', 'PAY', 'now', '\u9001', 'a');
const text = fc.array(word, { minLength: 0, maxLength: 12 }).map((words) => words.join(' '));

describe('properties', () => {
  it('find() finds exactly the runs that occur', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 5 }), text, (texts, value) => {
        const ledger = ledgerOf(...texts.map((each) => [each, OPEN] as const));
        expect(ledger.find(readWords(value), plenty()).trust !== 0).toBe(naive(texts, value));
      }),
      { numRuns: 2000 },
    );
  });

  it('reach() returns the longest run', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), text, (texts, value) => {
        const ledger = ledgerOf(...texts.map((each) => [each, OPEN] as const));
        const words = readWords(value);
        const list = wordsOf(value);
        let longest = 0;
        for (let length = 1; length <= list.length; length++)
          if (naive(texts, list.slice(0, length).join(' '))) longest = length;
        expect(ledger.reach(words, plenty(), 0)).toBe(longest);
      }),
      { numRuns: 2000 },
    );
  });
});
