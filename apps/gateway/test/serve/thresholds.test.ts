import type { ClassifierV1 } from '@sallyport/core';
import { describe, expect, test } from 'vitest';
import { signs } from '../../../../packages/mcp-proxy/test/fixture/rig.ts';
import { commonThresholds, withThresholds } from '../../src/serve/guard/thresholds.ts';

const signal = { aborted: false, addEventListener: () => undefined };

describe('thresholds', () => {
  test.each([
    ['low spans do not count from medium on', new Map([['imperative', 'medium']] as const), ['high']],
    ['what is high always counts', new Map([['imperative', 'high']] as const), ['high']],
    ['another tag is not meant', new Map([['exfiltration', 'medium']] as const), ['high', 'low']],
    ['none: all count', new Map(), ['high', 'low']],
  ])('%s', async (_, thresholds, expected) => {
    const classifier = withThresholds(signs, thresholds);
    const { spans } = await classifier.doClassify({ text: '>>do this<< and ~~perhaps that~~', signal });
    expect(spans.map(({ likelihood }) => likelihood)).toEqual(expected);
  });

  test('no threshold is above the floor, even a stored one', async () => {
    const medium: ClassifierV1 = {
      ...signs,
      doClassify: ({ text }) => ({ spans: [{ start: 0, end: text.length, likelihood: 'medium', tag: 'imperative' }] }),
    };
    const classifier = withThresholds(medium, new Map([['imperative', 'high']] as const));
    expect((await classifier.doClassify({ text: 'Do it.', signal })).spans).toHaveLength(1);
  });

  test('requests always count, whatever the thresholds', async () => {
    const requests: ClassifierV1 = {
      ...signs,
      doClassify: ({ text }) => ({
        spans: [{ start: 0, end: text.length, likelihood: 'none', tag: 'request', asks: true }],
      }),
    };
    const classifier = withThresholds(requests, new Map([['imperative', 'low']] as const));
    expect((await classifier.doClassify({ text: 'Please send it.', signal })).spans).toHaveLength(1);
  });

  test('classifiers with different thresholds have different ids', () => {
    const ids = [new Map(), new Map([['a', 'medium']] as const), new Map([['b', 'medium']] as const)].map(
      (thresholds) => withThresholds(signs, thresholds).id,
    );
    expect(new Set(ids).size).toBe(3);
  });

  test.each([
    ['of the policy', { a: 'medium' }, [], { a: 'medium' }],
    ['of all servers', {}, [{ a: 'medium' }, { a: 'medium' }], { a: 'medium' }],
    ['of one server alone do not count', {}, [{ a: 'medium' }, {}], {}],
    ['the lowest of all servers', {}, [{ a: 'high' }, { a: 'medium' }], { a: 'medium' }],
    ['the policy where it is higher', { a: 'high' }, [{ a: 'medium' }], { a: 'high' }],
  ] as const)('%s', (_, policy, servers, expected) => {
    const given = servers.map((each) => new Map(Object.entries(each))) as never;
    expect(Object.fromEntries(commonThresholds(policy, given))).toEqual(expected);
  });
});
