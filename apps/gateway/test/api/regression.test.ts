import { spanClassifier, TAGS } from '@sallyport/classifier';
import type { ClassifierV1 } from '@sallyport/core';
import type { Likelihood, Span } from '@sallyport/core/stages';
import { expect, test } from 'vitest';
import { createReplay } from '../../src/store/policy/known-attacks.ts';

const always = (...found: readonly (readonly [string, Likelihood])[]): ClassifierV1 => ({
  specificationVersion: 'v1',
  id: 'test',
  doClassify: () => ({ spans: found.map(([tag, likelihood]): Span => ({ start: 0, end: 1, tag, likelihood })) }),
});

const missed = async (classifier: ClassifierV1, tag = 'a'): Promise<number> =>
  (await createReplay(classifier)({ tag, least: 'medium' })).length;

const ALL = 30;

test.each([
  { title: 'is hidden below the threshold', found: [['a', 'low']], count: ALL },
  { title: 'is found at the threshold', found: [['a', 'medium']], count: 0 },
  {
    title: 'is found by the better of two spans',
    found: [
      ['a', 'low'],
      ['a', 'medium'],
    ],
    count: 0,
  },
  {
    title: 'is hidden where a later change could hide the rest',
    found: [
      ['a', 'low'],
      ['b', 'medium'],
    ],
    count: ALL,
  },
  {
    title: 'is found where something is high',
    found: [
      ['a', 'low'],
      ['b', 'high'],
    ],
    count: 0,
  },
  {
    title: 'is not hidden where it was not found',
    found: [
      ['a', 'none'],
      ['b', 'low'],
    ],
    count: 0,
  },
  { title: 'is not hidden by another tag', found: [['b', 'low']], count: 0 },
] as const)('an attack $title', async ({ found, count }) => {
  expect(await missed(always(...found))).toBe(count);
});

test('a threshold of high would hide attacks of several tags from the built-in classifier, and none in disguise', async () => {
  const replay = createReplay(spanClassifier);
  const lostOf = async (tag: string) => (await replay({ tag, least: 'high' })).length;
  const lost = await Promise.all([...TAGS, 'obfuscated'].map(async (tag) => [tag, await lostOf(tag)] as const));
  expect(lost.filter(([, count]) => count > 0).length).toBeGreaterThan(2);
  expect(Object.fromEntries(lost)).toMatchObject({ obfuscated: 0 });
});

test('a failing classifier refuses the change, and is called again', async () => {
  let isBroken = true;
  const works = always(['a', 'low']);
  const replay = createReplay({
    ...works,
    doClassify: async (input) => {
      if (isBroken) throw new Error('broken');
      return works.doClassify(input);
    },
  });
  const change = { server: 's', tag: 'a', least: 'medium' } as const;
  await expect(replay(change)).rejects.toThrow('broken');
  isBroken = false;
  expect((await replay(change)).length).toBe(ALL);
});
