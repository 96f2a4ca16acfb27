import type { Likelihood } from '@sallyport/core/stages';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../src/finding/analyze.ts';
import { levelOf } from '../src/finding/likelihood.ts';

const THRESHOLDS = { low: 1, medium: 3, high: 8 };

const finding = (score: number, marks: Partial<Finding> = {}): Finding => ({
  start: 0,
  end: 9,
  score,
  tag: 'imperative',
  mentioned: false,
  ...marks,
});

const LEVELS: readonly {
  title: string;
  score: number;
  marks?: Partial<Finding>;
  expected: Likelihood;
}[] = [
  { title: 'below all', score: 0.99, expected: 'none' },
  { title: 'at the lowest', score: 1, expected: 'low' },
  { title: 'just below the second', score: 2.99, expected: 'low' },
  { title: 'at the second', score: 3, expected: 'medium' },
  { title: 'just below the third', score: 7.99, expected: 'medium' },
  { title: 'at the third', score: 8, expected: 'high' },
  { title: 'quoted in a text about attacks', score: 9, marks: { mentioned: true }, expected: 'medium' },
  { title: 'quoted there, already medium', score: 3, marks: { mentioned: true }, expected: 'medium' },
  { title: 'quoted there, already low', score: 1, marks: { mentioned: true }, expected: 'low' },
];

describe('the level of a finding', () => {
  it.each(LEVELS)('$title', ({ score, marks, expected }) => {
    expect(levelOf(finding(score, marks), THRESHOLDS)).toBe(expected);
  });
});
