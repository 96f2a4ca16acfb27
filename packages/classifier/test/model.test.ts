import { digestText } from '@sallyport/core/adapter';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CALIBRATION } from '../src/finding/calibration.ts';
import { CLASSES } from '../src/language/lexicon.ts';
import { rowOf } from '../src/model/feature-table.ts';
import * as layout from '../src/model/layout.ts';
import { loadModel, type Model } from '../src/model/model.ts';
import { WEIGHTS } from '../src/model/weights.ts';
import { TAGS } from '../src/tag.ts';

const { HIDDEN, INPUTS, WIDTH } = layout;

/** Column by column, as text: comparing a million numbers one by one takes seconds. */
function columnsOf({ lexicon, vocabulary, scale, lastBias, asksBias, ...columns }: Model): string[] {
  const arrays = [lexicon.keys, lexicon.values, vocabulary.keys, vocabulary.rows, ...Object.values(columns)];
  return [
    `${scale} ${lastBias} ${asksBias}`,
    ...arrays.map(({ buffer, byteOffset, byteLength }) =>
      Buffer.from(buffer, byteOffset, byteLength).toString('base64'),
    ),
  ].map((text) => digestText(text));
}

describe('the weights', () => {
  it('are the ones the calibration names', () => {
    expect(digestText(WEIGHTS)).toBe(CALIBRATION.digest);
  });

  it('are plain base64, whole groups of it', () => {
    expect(WEIGHTS.length % 4).toBe(0);
    expect(WEIGHTS.slice(0, 5000)).toMatch(/^[A-Za-z0-9+/]+$/);
  });

  it('hold as many bytes as the layout reads: weights of another layout would be read as noise', () => {
    const bytes = Buffer.from(WEIGHTS, 'base64');
    const words = bytes.readInt32LE(0);
    const features = bytes.readInt32LE(4 + words * 8);
    const heads = 2 * (HIDDEN + 1) + HIDDEN * TAGS.length + TAGS.length;
    const numbers = 1 + INPUTS * HIDDEN + HIDDEN + heads;
    const read = 4 + words * 8 + 4 + features * 4 + numbers * 4 + features * WIDTH;
    expect(bytes.length - read).toBeGreaterThanOrEqual(0);
    expect(bytes.length - read).toBeLessThan(3);
  });

  it('have thresholds that rise, and a reach that is wider within a block than beyond it', () => {
    const { thresholds, reach } = CALIBRATION;
    expect(thresholds.low).toBeLessThan(thresholds.medium);
    expect(thresholds.medium).toBeLessThan(thresholds.high);
    expect(reach.after).toBeLessThanOrEqual(reach.before);
    expect(reach.before).toBeLessThanOrEqual(reach.outside);
  });
});

describe('a model', () => {
  it('is refused when one character of its text was changed, wherever', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: WEIGHTS.length - 1 }), (at) => {
        const changed = WEIGHTS.slice(0, at) + (WEIGHTS[at] === 'A' ? 'B' : 'A') + WEIGHTS.slice(at + 1);
        expect(() => loadModel(changed, CALIBRATION.digest)).toThrow(/not the ones it was built with/);
      }),
      { numRuns: 3 },
    );
  });

  it('is refused when its text is cut, empty or named by another digest', () => {
    expect(() => loadModel(WEIGHTS.slice(0, -4), CALIBRATION.digest)).toThrow(/not the ones/);
    expect(() => loadModel('', CALIBRATION.digest)).toThrow(/not the ones/);
    expect(() => loadModel(WEIGHTS, `${CALIBRATION.digest} `)).toThrow(/not the ones/);
    expect(() => loadModel(WEIGHTS, '')).toThrow(/not the ones/);
  });

  it('is the same each time it is loaded', () => {
    const digests = (): string[] => columnsOf(loadModel(WEIGHTS, CALIBRATION.digest));
    expect(digests()).toEqual(digests());
  });

  it('holds finite numbers in columns of the sizes of its layout', () => {
    const model = loadModel(WEIGHTS, CALIBRATION.digest);
    expect(model.first).toHaveLength(INPUTS * HIDDEN);
    expect(model.table).toHaveLength(model.vocabulary.size * WIDTH);
    expect([model.firstBias.length, model.last.length]).toEqual([HIDDEN, HIDDEN]);
    expect([model.tags.length, model.tagBias.length]).toEqual([HIDDEN * TAGS.length, TAGS.length]);
    const numbers = [
      ...model.first,
      ...model.firstBias,
      ...model.last,
      model.lastBias,
      ...model.tags,
      ...model.tagBias,
    ];
    expect(numbers.every((value) => Number.isFinite(value) && Math.abs(value) < 1000)).toBe(true);
    expect(model.scale > 0 && model.scale < 1).toBe(true);
  });

  it('knows words of its lexicon by classes that there are', () => {
    const { lexicon, vocabulary } = loadModel(WEIGHTS, CALIBRATION.digest);
    const known = lexicon.values.filter((bits) => bits !== 0);
    expect(known.length).toBeGreaterThan(1000);
    expect(known.every((bits) => bits > 0 && bits < 2 ** CLASSES.length)).toBe(true);
    expect(vocabulary.size).toBeGreaterThan(1000);
    expect(rowOf(vocabulary, vocabulary.keys[vocabulary.rows.indexOf(1)] as number)).toBe(0);
  });
});

describe('the layout', () => {
  it('has parts that neither overlap nor leave gaps', () => {
    const { SELF, PREVIOUS, NEXT, AROUND, WHOLE, HEAD, VECTORS, FORM, POSITION, POSITIONS } = layout;
    const { CLASSES_SELF, CLASSES_LEAD, CLASSES_PREVIOUS, CLASSES_NEXT } = layout;
    // There are two heads, one after the other.
    const vectors = [SELF, PREVIOUS, NEXT, AROUND, HEAD, HEAD + WIDTH, WHOLE, CLASSES_SELF];
    expect(vectors).toEqual(vectors.map((_, part) => part * WIDTH));
    expect(VECTORS).toBe(WHOLE);
    const classes = [CLASSES_SELF, CLASSES_LEAD, CLASSES_PREVIOUS, CLASSES_NEXT, FORM];
    expect(classes).toEqual(classes.map((_, part) => CLASSES_SELF + part * CLASSES.length));
    expect([FORM < POSITION, INPUTS]).toEqual([true, POSITION + POSITIONS]);
  });
});
