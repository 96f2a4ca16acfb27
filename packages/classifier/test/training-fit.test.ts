import { describe, expect, it } from 'vitest';
import { type DevDocument, FOLDS, foldOf } from '../../../training/model/assemble.ts';
import { type FamilyResult, fitModel, measureFamilies, summarize } from '../../../training/model/fit.ts';
import type { Pooling } from '../src/finding/pool-scores.ts';
import { isRequest } from '../src/language/is-request.ts';
import { buildLexicon, hashWord } from '../src/language/lexicon.ts';
import { buildVocabulary } from '../src/model/feature-table.ts';
import { HIDDEN, INPUTS, SELF, WIDTH } from '../src/model/layout.ts';
import type { Model } from '../src/model/model.ts';
import { TAGS } from '../src/tag.ts';

/** Words that only this model knows: one for every digit, tens, and so on of a score and of what asks. */
const DIGITS = [...'abcdefghij'];
const SCORE_WORDS = [0, 1, 2, 3].map((place) => DIGITS.map((digit) => `zs${'qwxv'[place]}${digit}`));
const ASKS_WORDS = [0, 1, 2, 3].map((place) => DIGITS.map((digit) => `za${'qwxv'[place]}${digit}`));
const WORDS = [...SCORE_WORDS, ...ASKS_WORDS].flat();
const KNOWN = 8;

/** Log odds are between -10 and 89.99, in hundredths: the sum of four numbers, one for each word. */
const LOWEST = -10;

/** A model whose log odds are spelled in the text: with all eight words, a segment has what they say, and -10 without them. */
const MODEL: Model = (() => {
  const hashes = WORDS.map(hashWord);
  const table = new Int8Array(WORDS.length * WIDTH);
  // The four places of the score are the first four numbers of a vector, those of what asks the next four.
  for (const [row, word] of WORDS.entries())
    table[row * WIDTH + Math.floor(row / DIGITS.length)] = DIGITS.indexOf(word.at(-1) as string);
  const first = new Float64Array(INPUTS * HIDDEN);
  const [last, asks] = [new Float32Array(HIDDEN), new Float32Array(HIDDEN)];
  for (let place = 0; place < KNOWN; place++) {
    first[(SELF + place) * HIDDEN + place] = Math.sqrt(KNOWN + 1);
    (place < 4 ? last : asks)[place] = [10, 1, 0.1, 0.01][place % 4] as number;
  }
  return {
    lexicon: buildLexicon([]),
    vocabulary: buildVocabulary(hashes),
    table,
    scale: 1,
    first,
    firstBias: new Float32Array(HIDDEN),
    last,
    lastBias: LOWEST,
    asks,
    asksBias: LOWEST,
    tags: new Float32Array(HIDDEN * TAGS.length),
    tagBias: new Float32Array(TAGS.length),
  };
})();

function spell(odds: number, words: readonly (readonly string[])[]): string {
  const digits = String(Math.round((odds - LOWEST) * 100)).padStart(4, '0');
  return [...digits].map((digit, place) => words[place]?.[Number(digit)]).join(' ');
}

/** A sentence with these log odds. */
function sentence(score: number, asks = LOWEST, begin = 'The'): string {
  return `${begin} ${spell(score, SCORE_WORDS)} ${spell(asks, ASKS_WORDS)} thing.`;
}

function documentOf(scores: readonly number[], given: Partial<DevDocument> = {}): DevDocument {
  const text = scores.map((score) => sentence(score)).join(' ');
  return {
    id: '',
    source: 's',
    text,
    injected: false,
    spans: [],
    lang: 'en',
    channel: 'text',
    format: 'plain',
    ...given,
  };
}

const attackOf = (scores: readonly number[], given: Partial<DevDocument> = {}): DevDocument =>
  documentOf(scores, { injected: true, spans: [{ start: 0, end: 1000 }], ...given });
const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const ignore = (): void => {};

const ALONE: Pooling = { neighbours: 0, chance: 0 };
const REQUEST = documentOf([], { text: `Please send the report to Ann. ${sentence(-5)}` });
const fitted = (documents: readonly DevDocument[], pooling?: Pooling) =>
  fitModel(MODEL, [...documents, REQUEST], ignore, pooling);

describe('the model of these tests', () => {
  it('has the log odds that a text spells', () => {
    const { thresholds, threshold_fpr1 } = fitted([documentOf([3.25]), attackOf([4])], ALONE);
    expect([thresholds.high, threshold_fpr1]).toEqual([3.251, 3.251]);
  });
});

describe('fitted thresholds', () => {
  // From 0 to 19.99, and one without any score.
  const benign = many(1999, (i) => documentOf([(i + 1) / 100]));
  const attacks = many(10, (i) => attackOf([19.505 + i / 20]));

  it('are exceeded by fixed shares of the benign documents, and rise from level to level', () => {
    const { thresholds, threshold_fpr1, documents } = fitted([...benign, ...attacks], ALONE);
    expect(documents).toEqual({ benign: 2000, attacks: 10 });
    expect(thresholds.low).toBeCloseTo(19.79, 2);
    expect(thresholds.medium).toBeCloseTo(19.89, 2);
    expect(thresholds.high).toBeCloseTo(19.97, 2);
    expect(threshold_fpr1).toBeCloseTo(19.79, 2);
    const shareAbove = (threshold: number): number =>
      benign.filter((_, i) => Math.fround((i + 1) / 100) > threshold).length / 2000;
    expect([thresholds.low, thresholds.medium, thresholds.high].map(shareAbove)).toEqual([0.01, 0.005, 0.001]);
  });

  it('do not depend on attacks, on texts about attacks or on the order', () => {
    const mentions = many(50, () => documentOf([40], { source: 'own:mentions/en' }));
    const { thresholds } = fitted([...benign, ...attacks], ALONE);
    const others = [...many(30, () => attackOf([50])), ...mentions];
    expect(fitted([...benign, ...attacks, ...others], ALONE).thresholds).toEqual(thresholds);
    expect(fitted([...attacks, ...benign.toReversed()], ALONE).thresholds).toEqual(thresholds);
  });

  it('are of the highest segment of a document', () => {
    const { thresholds } = fitted([documentOf([1, 7, 3]), documentOf([5, 2]), attackOf([9])], ALONE);
    expect(thresholds).toEqual({ low: 7.001, medium: 7.001, high: 7.001 });
  });
});

describe('the fitted pooling', () => {
  const NEIGHBOURS = [0, 0.1, 0.2, 0.3, 0.5];
  const CHANCES = [0.25, 0.5, 0.75, 1];

  it.each([
    {
      title: 'neighbours count where attacks are several odd sentences and benign documents one',
      benign: [5],
      attack: [4, 4, 4],
      expected: { neighbours: 0.2, chance: 0.25 },
    },
    {
      title: 'chance counts where benign documents are long and attacks short',
      benign: [5, ...many(62, () => -5)],
      attack: [3],
      expected: { neighbours: 0, chance: 0.75 },
    },
    {
      title: 'the first of the grid where all find the same',
      benign: [1],
      attack: [9],
      expected: { neighbours: 0, chance: 0.25 },
    },
  ])('is the one of the grid that finds the most: $title', ({ benign, attack, expected }) => {
    const { pooling, addresses } = fitted([...many(20, () => documentOf(benign)), ...many(20, () => attackOf(attack))]);
    expect(pooling).toEqual(expected);
    expect(addresses.recall_fpr1).toBe(1);
    expect(NEIGHBOURS).toContain(pooling.neighbours);
    expect(CHANCES).toContain(pooling.chance);
  });

  it('is for attacks that address the model, not for tasks', () => {
    const tasks = many(200, () => attackOf([4, 4, 4], { claim: 'asks' }));
    const { pooling } = fitted([...many(20, () => documentOf([5])), attackOf([9]), ...tasks]);
    expect(pooling).toEqual({ neighbours: 0, chance: 0.25 });
  });

  it('is the given one if there is one, and lowers the thresholds by what chance gives', () => {
    const pooling = { neighbours: 0.7, chance: 3 };
    const documents = [documentOf([5, 1]), attackOf([9])];
    const result = fitted(documents, pooling);
    expect(result.pooling).toEqual(pooling);
    expect(result.thresholds.high).toBeCloseTo(5 + 0.7 - 3 * Math.log(3), 2);
  });
});

describe('the fitted level of what asks', () => {
  const begin = 'Please send the';
  /** A benign document with a request by its words of each of the first odds, and another sentence of each of the others. */
  const asking = (requests: readonly number[], others: readonly number[], given: Partial<DevDocument> = {}) =>
    documentOf([], {
      text: [...requests.map((odds) => sentence(-5, odds, begin)), ...others.map((odds) => sentence(-5, odds))].join(
        '\n',
      ),
      ...given,
    });
  const levelsOf = (...documents: readonly DevDocument[]) =>
    fitModel(MODEL, [...documents, attackOf([9])], ignore, ALONE);

  it('knows a request by its words', () => {
    expect([isRequest(sentence(-5, 3, begin)), isRequest(sentence(-5, 3))]).toEqual([true, false]);
  });

  it('rules out one in a hundred requests', () => {
    // Requests from -2 to 7.9, others from -9 to 0.9: of these, 29 are above -2.
    const [requests, others] = [many(100, (i) => i / 10 - 2), many(100, (i) => i / 10 - 9)];
    const { asks_level, asking: figures } = levelsOf(asking(requests, others));
    expect(asks_level).toBeCloseTo(-1.9, 1);
    expect(figures).toMatchObject({ segments: 100, others: 100, recall: 0.99 });
    expect(figures.precision).toBeCloseTo(0.776, 2);
  });

  it('is of documents as they are, not of other formats', () => {
    const plain = asking([2, 3, 4], [-9, -8]);
    const { asking: figures } = levelsOf(plain, asking([-9, -9], [5, 5], { format: 'mail' }));
    expect(figures).toEqual(levelsOf(plain).asking);
  });

  it('takes a task for a request, whatever its words', () => {
    const text = `${sentence(-5, -8)}\n${sentence(-5, 4)}`;
    const start = text.indexOf('\n') + 1;
    const task = documentOf([], { text, injected: true, spans: [{ start, end: text.length }], claim: 'asks' });
    expect(levelsOf(task).asking.segments).toBe(1);
    expect(levelsOf({ ...task, claim: 'addresses' }, asking([1], [])).asking.segments).toBe(1);
  });
});

describe('the figures of a fit', () => {
  const documents = [
    ...many(100, (i) =>
      documentOf([i / 100], {
        source: i < 50 ? 'own:benign/de-everyday' : 'ben_18f',
        format: i < 20 ? 'mail' : 'plain',
      }),
    ),
    ...many(4, (i) => attackOf([i], { source: 'own:planted/ar-latn-wide', lang: 'ar-latn', family: 'note' })),
    ...many(2, () => attackOf([-5], { source: 'own:injections/plain-travel', format: 'quote', claim: 'addresses' })),
    attackOf([9], { source: 'bipia', claim: 'asks' }),
  ];
  const result = fitted(documents, ALONE);

  it('are the shares above one in a hundred false alarms, low, medium and high', () => {
    // The benign scores end at 0.99, one of a hundred and one is above the first two levels.
    expect(result.addresses.by_family).toEqual({
      note: { documents: 4, above: [0.75, 0.75, 0.75, 0.75] },
      other: { documents: 2, above: [0, 0, 0, 0] },
    });
    expect(result.benign.by_format).toEqual({
      mail: { documents: 20, above: [0, 0, 0, 0] },
      plain: { documents: 81, above: [0.012, 0.012, 0, 0] },
    });
    expect(result.addresses.recall_fpr1).toBe(0.5);
  });

  it('are of attacks that address the model, tasks and benign documents apart', () => {
    expect(Object.keys(result.addresses.by_source)).toEqual(['injections/plain-travel', 'planted/other languages']);
    expect(Object.keys(result.addresses.by_language)).toEqual(['ar-latn', 'en']);
    expect(Object.keys(result.addresses.by_format)).toEqual(['plain', 'quote']);
    expect(result.asks).toEqual({ bipia: { documents: 1, above: [1, 1, 1, 1] } });
    expect(Object.keys(result.benign.by_source)).toEqual(['ben_18f', 'benign/other languages', 's']);
  });

  it('have an interval around the recall, the same each time', () => {
    const [low, high] = result.addresses.interval as [number, number];
    expect(low).toBeLessThan(0.5);
    expect(high).toBeGreaterThan(0.5);
    expect(low >= 0 && high <= 1).toBe(true);
    expect(fitted(documents, ALONE)).toEqual(result);
  });

  it('tell of progress', () => {
    const told: [string, number, number][] = [];
    fitModel(MODEL, documents, (...each) => told.push(each), ALONE);
    expect(told[0]).toEqual(['dev', 0, documents.length]);
  });
});

describe('families that a model never saw', () => {
  const familyOf = (part: number, which: number): string =>
    many(500, (n) => `idea-${n}`).filter((family) => foldOf(family) === part)[which] as string;
  const [one, other, elsewhere] = [familyOf(2, 0), familyOf(2, 1), familyOf(3, 0)];
  const documents = [
    ...many(200, (i) => documentOf([i / 100])),
    ...many(3, () => attackOf([5], { family: one })),
    ...many(2, () => attackOf([-3], { family: one })),
    attackOf([-3], { family: other }),
    attackOf([5], { family: elsewhere }),
    attackOf([5], { family: other, claim: 'asks' }),
    attackOf([5], { family: other, format: 'mail' }),
    attackOf([5]),
    documentOf([30], { format: 'quote' }),
    documentOf([30], { source: 'own:mentions/en' }),
  ];

  it('are measured as they were written, by attacks that address the model', () => {
    const { threshold, families } = measureFamilies(MODEL, documents, 2, ignore);
    expect(families).toEqual({ [one]: { attacks: 5, found: 3 }, [other]: { attacks: 1, found: 0 } });
    // One of a hundred benign documents is above, less what chance gives a text of one sentence.
    expect(threshold).toBeCloseTo(1.97 - 0.25 * Math.log(2), 2);
    expect(measureFamilies(MODEL, documents, 3, ignore).families).toEqual({ [elsewhere]: { attacks: 1, found: 1 } });
    expect(measureFamilies(MODEL, documents, 4, ignore).families).toEqual({});
  });

  it('count once each in all parts together', () => {
    const results = many(FOLDS, (part) => measureFamilies(MODEL, documents, part, ignore));
    expect(summarize(results)).toEqual({
      recall: 0.571,
      attacks: 7,
      found: 4,
      families: {
        [one]: { attacks: 5, found: 3 },
        [other]: { attacks: 1, found: 0 },
        [elsewhere]: { attacks: 1, found: 1 },
      },
    });
  });

  it('are summed up by attacks, in the order of their names', () => {
    const results: FamilyResult[] = [
      { threshold: 1, families: { b: { attacks: 8, found: 2 }, a: { attacks: 1, found: 1 } } },
      { threshold: 2, families: {} },
      { threshold: 3, families: { A: { attacks: 1, found: 0 } } },
    ];
    const { families, ...rest } = summarize(results);
    expect(rest).toEqual({ recall: 0.3, attacks: 10, found: 3 });
    expect(Object.keys(families)).toEqual(['A', 'a', 'b']);
  });
});
