import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLinear } from '../../core/test/fixture/linear.ts';
import { findRuns, type Reach, type Run } from '../src/finding/findings.ts';
import { type Pooling, pool } from '../src/finding/pool-scores.ts';
import type { Segments } from '../src/language/segments.ts';

const REACH: Reach = { outside: 0, before: -2, after: -3 };
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

const runsOf = (
  scores: readonly number[],
  blocks: readonly number[],
  reach = REACH,
  pooled: readonly number[] = scores,
): Run[] => findRuns(Float32Array.from(scores), Float32Array.from(pooled), segmentsOf(blocks), THRESHOLD, reach);
const bounds = (runs: readonly Run[]): [number, number, number][] =>
  runs.map(({ first, last, peak }) => [first, last, peak]);

const CASES: readonly {
  title: string;
  scores: readonly number[];
  /** As the scores if there is none. */
  pooled?: readonly number[];
  blocks?: readonly number[];
  expected: readonly (readonly [first: number, last: number, peak: number])[];
}[] = [
  { title: 'nothing above the threshold gives no run', scores: [1, 1.9, -1], expected: [] },
  { title: 'at the threshold is above it', scores: [-9, 2, -9], expected: [[1, 1, 1]] },
  { title: 'neighbours of the same block come along', scores: [-9, -2, 3, -3, -9], expected: [[1, 3, 2]] },
  { title: 'those before need more than those after', scores: [-3, 3, -3], expected: [[1, 2, 1]] },
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
  { title: 'a high score that pooling lowers gives no run', scores: [5, 9, 5], pooled: [1, 1.9, 1], expected: [] },
  {
    title: 'a low score that pooling raises gives a run',
    scores: [-9, -9, -9],
    pooled: [-9, 2, -9],
    expected: [[1, 1, 1]],
  },
  {
    title: 'neighbours come along by their own scores, however low pooling makes them',
    scores: [-9, -2, 3, -3, -9],
    pooled: [-9, -9, 3, -9, -9],
    expected: [[1, 3, 2]],
  },
  {
    title: 'neighbours do not come along by their pooled scores',
    scores: [-9, -9, 3, -9, -9],
    pooled: [1.9, 1.9, 3, 1.9, 1.9],
    expected: [[2, 2, 2]],
  },
  {
    title: 'neighbours of another block need more of their own',
    scores: [-1, 3, -1],
    pooled: [1.9, 3, 1.9],
    blocks: [0, 1, 2],
    expected: [[1, 1, 1]],
  },
  {
    title: 'the highest of the pooled scores is the peak',
    scores: [9, 3, 9],
    pooled: [2, 5, 4],
    expected: [[0, 2, 1]],
  },
];

describe('runs', () => {
  it.each(CASES)('$title', ({ scores, pooled, blocks, expected }) => {
    expect(bounds(runsOf(scores, blocks ?? scores.map(() => 0), REACH, pooled))).toEqual(expected);
  });

  it('have the score of their peak, pooled', () => {
    expect(runsOf([2.5, 7, 2], [0, 0, 0])[0]?.score).toBe(7);
    expect(runsOf([2.5, 7, 2], [0, 0, 0], REACH, [4, 3, -1])[0]?.score).toBe(4);
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

const numbers = fc.oneof(fc.double({ min: -12, max: 12, noNaN: true }), fc.constantFrom(2, 0, -3, 30));
const given = fc
  .array(fc.record({ score: numbers, pooled: numbers, next: fc.boolean() }), { maxLength: 160 })
  .map((rows) => {
    let block = 0;
    return {
      scores: rows.map(({ score }) => score),
      pooled: rows.map(({ pooled }) => pooled),
      blocks: rows.map(({ next }) => (next ? ++block : block)),
    };
  });
const inside = fc.integer({ min: -8, max: 2 });
const reaches = fc.record({ outside: fc.integer({ min: -4, max: 4 }), before: inside, after: inside });

describe('the runs of any scores', () => {
  it('are sorted and apart, each around a peak at or above the threshold, and bounded', () => {
    fc.assert(
      fc.property(given, reaches, ({ scores, pooled, blocks }, reach) => {
        let before = -1;
        for (const { first, last, peak, score } of runsOf(scores, blocks, reach, pooled)) {
          expect(first).toBeGreaterThan(before);
          expect(first <= peak && peak <= last && last < scores.length).toBe(true);
          expect(score).toBe(Math.fround(pooled[peak] as number));
          expect(score).toBeGreaterThanOrEqual(THRESHOLD);
          expect(score).toBe(Math.max(...pooled.slice(first, last + 1).map(Math.fround)));
          expect(last - first).toBeLessThanOrEqual(96);
          before = last;
        }
      }),
      { numRuns: 400 },
    );
  });

  it('hold every segment whose pooled score is at or above the threshold, and none without one', () => {
    fc.assert(
      fc.property(given, reaches, ({ scores, pooled, blocks }, reach) => {
        const runs = runsOf(scores, blocks, reach, pooled);
        const isHigh = (i: number): boolean => Math.fround(pooled[i] as number) >= THRESHOLD;
        for (const i of scores.keys())
          if (isHigh(i)) expect(runs.some(({ first, last }) => first <= i && i <= last)).toBe(true);
        for (const { first, last } of runs)
          expect(Array.from({ length: last - first + 1 }, (_, k) => first + k).some(isHigh)).toBe(true);
      }),
    );
  });

  it('begin and end with a segment that goes with them, not with a weak one', () => {
    fc.assert(
      fc.property(given, ({ scores, pooled, blocks }) => {
        const belongs = (i: number): boolean =>
          (scores[i] as number) >= REACH.after - 1e-6 || Math.fround(pooled[i] as number) >= THRESHOLD;
        for (const { first, last } of runsOf(scores, blocks, REACH, pooled))
          expect([belongs(first), belongs(last)]).toEqual([true, true]);
      }),
    );
  });

  it('reach over the same neighbours whatever the pooled scores of those', () => {
    fc.assert(
      fc.property(given, reaches, fc.nat(), ({ scores, blocks }, reach, place) => {
        fc.pre(scores.length > 0);
        const peak = place % scores.length;
        const [low, high] = [-9, 1.9].map((others) =>
          runsOf(
            scores,
            blocks,
            reach,
            scores.map((_, i) => (i === peak ? 3 : others)),
          ),
        );
        expect(high).toEqual(low);
        expect(high).toHaveLength(1);
      }),
    );
  });
});

/** The pooled scores, with scores after the last segment that must not be read. */
function pooledOf(scores: readonly number[], blocks: readonly number[], pooling: Pooling): number[] {
  return [...pool(Float32Array.from([...scores, 99, 99, 99]), segmentsOf(blocks), pooling)];
}

const HALF: Pooling = { neighbours: 0.5, chance: 0 };

describe('pooled scores', () => {
  it.each([
    { title: 'one segment has its own score', scores: [3], expected: [3] },
    { title: 'neighbours in the same block count fully', scores: [-1, 4, -1], expected: [1, 4, 1] },
    {
      title: 'neighbours in another block count half',
      scores: [-1, 4, -1],
      blocks: [0, 1, 2],
      expected: [0, 4, 0],
    },
    {
      title: 'each neighbour counts by its own block',
      scores: [4, 0, 4],
      blocks: [0, 0, 1],
      expected: [5, 3, 5],
    },
    { title: 'positive neighbours alone count', scores: [-6, 2, 0, -9], expected: [-5, 2, 1, -8] },
    { title: 'a score does not count for itself', scores: [8, -1], expected: [8, 3] },
    {
      title: 'three neighbours on each side count, and no more',
      scores: [0, 0, 0, 0, 8, 0, 0, 0, 0],
      expected: [0, 4, 4, 4, 8, 4, 4, 4, 0],
    },
    { title: 'all neighbours add up', scores: [1, 2, 4, 8, 16], expected: [8, 16.5, 17.5, 19.5, 23] },
  ])('$title', ({ scores, blocks, expected }) => {
    expect(pooledOf(scores, blocks ?? scores.map(() => 0), HALF)).toEqual(expected);
  });

  it('are those of the segments if neighbours and chance count for nothing', () => {
    fc.assert(
      fc.property(given, ({ scores, blocks }) => {
        expect(pooledOf(scores, blocks, { neighbours: 0, chance: 0 })).toEqual(
          scores.map((score) => Math.fround(score) + 0),
        );
      }),
    );
  });

  it.each([
    { count: 1, counted: 1 },
    { count: 2, counted: 2 },
    { count: 63, counted: 63 },
    { count: 64, counted: 64 },
    { count: 65, counted: 64 },
    { count: 5000, counted: 64 },
  ])('of a text of $count segments lose as much as chance gives $counted', ({ count, counted }) => {
    const zeros = Array.from({ length: count }, () => 0);
    for (const value of pooledOf(zeros, zeros, { neighbours: 0.5, chance: 0.75 }))
      expect(value).toBe(Math.fround(-0.75 * Math.log(counted + 1)));
  });

  it('grow with the score of any segment, and never for fewer segments of the same', () => {
    const poolings = fc.record({
      neighbours: fc.double({ min: 0, max: 1, noNaN: true }),
      chance: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(given, poolings, fc.nat(), ({ scores, blocks }, pooling, place) => {
        fc.pre(scores.length > 0);
        const raised = scores.map((score, i) => (i === place % scores.length ? score + 1 : score));
        const [before, after] = [scores, raised].map((each) => pooledOf(each, blocks, pooling)) as [number[], number[]];
        expect(before).toHaveLength(scores.length);
        for (const [i, value] of after.entries()) expect(value).toBeGreaterThanOrEqual(before[i] as number);
        const alone = pooledOf(scores.slice(0, 1), [0], pooling)[0] as number;
        const padded = pooledOf(
          [...scores.slice(0, 1), ...Array.from({ length: 200 }, () => -9)],
          [...Array(201).keys()],
          pooling,
        );
        expect(padded[0]).toBeLessThanOrEqual(alone);
      }),
    );
  });

  it('take linear time', async () => {
    const work = (count: number): Float32Array => {
      const blocks = Int32Array.from({ length: count }, (_, i) => i >> 2);
      const columns = { count, starts: blocks, ends: blocks, blocks, flags: new Uint8Array(count) };
      return pool(new Float32Array(count).fill(1), columns, HALF);
    };
    expect(await isLinear(1_000_000, work)).toBe(true);
  });
});
