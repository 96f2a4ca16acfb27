import type { Likelihood } from '@sallyport/core';
import type { Finding } from './analyze.ts';

/** Log odds from which a finding has a level; set so that a fixed share of benign documents exceeds them. */
export interface Thresholds {
  readonly low: number;
  readonly medium: number;
  readonly high: number;
}

const RAISED: Readonly<Record<Likelihood, Likelihood>> = { none: 'none', low: 'medium', medium: 'high', high: 'high' };

/**
 * The level of a finding. What had to be decoded to be read is one level up: nobody writes to a colleague in base64. What
 * is quoted in a text about attacks is at most medium.
 */
export function levelOf({ score, decoded, mentioned }: Finding, thresholds: Thresholds): Likelihood {
  const level: Likelihood =
    score >= thresholds.high
      ? 'high'
      : score >= thresholds.medium
        ? 'medium'
        : score >= thresholds.low
          ? 'low'
          : 'none';
  if (decoded) return RAISED[level];
  return mentioned && level === 'high' ? 'medium' : level;
}
