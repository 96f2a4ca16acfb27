import { describe, expect, it } from 'vitest';
import { readVerdict } from '../../src/classify/classifier.ts';

const SPAN = { start: 0, end: 4, likelihood: 'none', tag: 'request' } as const;

describe('whether a span asks for something', () => {
  it.each([
    { title: 'a span that asks', asks: true, expected: { ...SPAN, asks: true } },
    { title: 'a span that does not', asks: false, expected: SPAN },
    { title: 'a span that does not say', asks: undefined, expected: SPAN },
  ])('is kept: $title', ({ asks, expected }) => {
    expect(readVerdict({ spans: [{ ...SPAN, asks }] }, 10)).toEqual({ type: 'checked', spans: [expected] });
  });

  it.each(['yes', 1, null, {}])('must be a boolean, not %j', (asks) => {
    expect(readVerdict({ spans: [{ ...SPAN, asks }] }, 10)).toEqual({ type: 'unchecked', reason: 'invalid' });
  });
});
