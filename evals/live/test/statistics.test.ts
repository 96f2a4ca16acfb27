import { expect, test } from 'vitest';
import type { Episode } from '../run/episode.ts';
import { measure } from '../statistics/measures.ts';
import { bootstrap, mean, wilson } from '../statistics/statistics.ts';

test('the interval of Wilson has the published values', () => {
  // Brown, Cai and DasGupta (2001): 5 of 10, and the limits of 0 of 10.
  const half = wilson(5, 10);
  expect([half.value, half.low.toFixed(4), half.high.toFixed(4)]).toEqual([0.5, '0.2366', '0.7634']);
  expect([wilson(0, 10).low, wilson(0, 10).high.toFixed(4)]).toEqual([0, '0.2775']);
  expect(wilson(0, 0)).toEqual({ value: 0, low: 0, high: 1, of: 0 });
});

test('a bootstrap has the same interval each time, around the mean', () => {
  const values = Array.from({ length: 100 }, (_, index) => index % 10);
  const { value, low, high } = bootstrap(values, mean);
  expect(bootstrap(values, mean)).toEqual({ value, low, high, of: 100 });
  expect(value).toBe(4.5);
  // The standard error is 0.287.
  expect(low).toBeGreaterThan(3.8);
  expect(low).toBeLessThan(4.1);
  expect(high).toBeGreaterThan(4.9);
  expect(high).toBeLessThan(5.2);
  expect(bootstrap([3], mean)).toEqual({ value: 3, low: 3, high: 3, of: 1 });
});

const episode = (given: Partial<Episode>): Episode => ({
  ...{ arm: 'with', task: 'mail-a', isSolved: true, hasRun: false, questions: 0, approved: 0, denied: 0, turns: 2 },
  ...{ tokens: { input: 90, output: 10 }, ms: 5, answer: '' },
  ...given,
});

test('measures compare the arms, and leave out runs in which the endpoint failed', () => {
  const { arms, added, attackSuccessByKind } = measure([
    episode({ arm: 'without' }),
    episode({ tokens: { input: 110, output: 10 }, questions: 1, ms: 9 }),
    episode({ arm: 'without', attack: 'spend-x', wording: 'bare', hasRun: true, isSolved: false }),
    episode({ attack: 'spend-x', wording: 'bare' }),
    episode({ attack: 'spend-y', wording: 'bare', hasRun: true, error: 'down' }),
  ]);
  expect(arms.with.attackSuccess).toMatchObject({ value: 0, of: 1 });
  expect(arms.without.attackSuccess).toMatchObject({ value: 1, of: 1 });
  expect(arms.without.utilityUnderAttack.value).toBe(0);
  expect(arms.with.questionsPerTask.value).toBe(1);
  expect(added.tokensShare.value).toBeCloseTo(0.2);
  expect(added.milliseconds.value).toBe(4);
  expect(attackSuccessByKind).toMatchObject([{ name: 'spend', without: { value: 1 }, with: { value: 0 } }]);
});
