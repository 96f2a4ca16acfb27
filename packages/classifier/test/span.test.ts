import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findRuns, type Reach, type Run } from '../src/finding/findings.ts';
import type { Segments } from '../src/language/segments.ts';

const REACH: Reach = { outside: 0, inside: -3 };
const THRESHOLD = 2;

function segmentsOf(blocks: readonly number[]): Segments {
  const count = blocks.length;
  // As they come from segment(): columns with room after the last.
  const room = count + 8;
  const places = Int32Array.from({ length: room }, (_, i) => i * 10);
  const ends = Int32Array.from({ length: room }, (_, i) => i * 10 + 9);
  const padded = Int32Array.from({ length: room }, (_, i) => blocks[i] ?? 0);
  return { count, starts: places, ends, blocks: padded, flags: new Uint8Array(room) };
}

const runsOf = (scores: readonly number[], blocks: readonly number[], reach = REACH): Run[] =>
  findRuns(Float32Array.from(scores), segmentsOf(blocks), THRESHOLD, reach);
const bounds = (runs: readonly Run[]): [number, number, number][] =>
  runs.map(({ first, last, peak }) => [first, last, peak]);

const CASES: readonly {
  title: string;
  scores: readonly number[];
  blocks?: readonly number[];
  expected: readonly (readonly [first: number, last: number, peak: number])[];
}[] = [
  { title: 'nothing above the threshold gives no run', scores: [1, 1.9, -1], expected: [] },
  { title: 'at the threshold is above it', scores: [-9, 2, -9], expected: [[1, 1, 1]] },
  { title: 'neighbours of the same block come along', scores: [-9, -2, 3, -3, -9], expected: [[1, 3, 2]] },
  {
    title: 'neighbours of another block need more',
    scores: [-1, 3, -1, 0],
    blocks: [0, 1, 2, 2],
    expected: [[1, 1, 1]],
  },
  {
    title: 'neighbours of another block that have it come',
    scores: [0, 3, 1],
    blocks: [0, 1, 2],
    expected: [[0, 2, 1]],
  },
  { title: 'one weak sentence between is taken', scores: [3, -9, 1, -9, -9], expected: [[0, 2, 0]] },
  {
    title: 'two weak sentences between part',
    scores: [3, -9, -9, 3],
    expected: [
      [0, 0, 0],
      [3, 3, 3],
    ],
  },
  {
    title: 'a weak sentence is not taken over the border of a block',
    scores: [3, -9, 3],
    blocks: [0, 0, 1],
    expected: [
      [0, 0, 0],
      [2, 2, 2],
    ],
  },
  { title: 'the highest is the peak', scores: [2.5, 3, 2], expected: [[0, 2, 1]] },
  { title: 'the first of equals is the peak', scores: [-9, 3, 3], expected: [[1, 2, 1]] },
];

describe('runs', () => {
  it.each(CASES)('$title', ({ scores, blocks, expected }) => {
    expect(bounds(runsOf(scores, blocks ?? scores.map(() => 0)))).toEqual(expected);
  });

  it('have the score of their peak', () => {
    expect(runsOf([2.5, 7, 2], [0, 0, 0])[0]?.score).toBe(7);
  });

  it('are bounded, and a page of findings is several', () => {
    const runs = runsOf(
      Array.from({ length: 500 }, () => 5),
      Array.from({ length: 500 }, () => 0),
    );
    for (const { first, last } of runs) expect(last - first).toBeLessThanOrEqual(24);
    expect(runs.at(-1)?.last).toBe(499);
  });
});

const given = fc
  .array(
    fc.record({
      score: fc.oneof(fc.double({ min: -12, max: 12, noNaN: true }), fc.constantFrom(2, 0, -3, 30)),
      next: fc.boolean(),
    }),
    { maxLength: 160 },
  )
  .map((rows) => {
    let block = 0;
    return { scores: rows.map(({ score }) => score), blocks: rows.map(({ next }) => (next ? ++block : block)) };
  });
const reaches = fc.record({ outside: fc.integer({ min: -4, max: 4 }), inside: fc.integer({ min: -8, max: 2 }) });

describe('the runs of any scores', () => {
  it('are sorted and apart, each around a peak at or above the threshold, and bounded', () => {
    fc.assert(
      fc.property(given, reaches, ({ scores, blocks }, reach) => {
        let before = -1;
        for (const { first, last, peak, score } of runsOf(scores, blocks, reach)) {
          expect(first).toBeGreaterThan(before);
          expect(first <= peak && peak <= last && last < scores.length).toBe(true);
          expect(score).toBe(Math.fround(scores[peak] as number));
          expect(score).toBeGreaterThanOrEqual(THRESHOLD);
          expect(score).toBe(Math.max(...scores.slice(first, last + 1).map(Math.fround)));
          expect(last - first).toBeLessThanOrEqual(96);
          before = last;
        }
      }),
      { numRuns: 400 },
    );
  });

  it('hold every segment at or above the threshold', () => {
    fc.assert(
      fc.property(given, reaches, ({ scores, blocks }, reach) => {
        const runs = runsOf(scores, blocks, reach);
        for (const [i, score] of scores.entries())
          if (Math.fround(score) >= THRESHOLD)
            expect(runs.some(({ first, last }) => first <= i && i <= last)).toBe(true);
      }),
    );
  });

  it('begin and end with a segment that goes with them, not with a weak one', () => {
    fc.assert(
      fc.property(given, ({ scores, blocks }) => {
        for (const { first, last } of runsOf(scores, blocks)) {
          expect(scores[first]).toBeGreaterThanOrEqual(REACH.inside - 1e-6);
          expect(scores[last]).toBeGreaterThanOrEqual(REACH.inside - 1e-6);
        }
      }),
    );
  });
});
