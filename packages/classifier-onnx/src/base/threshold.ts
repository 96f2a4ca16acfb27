import type { Likelihood } from '@sallyport/core/stages';
import { requireOption } from './option.ts';

/** From which score on a finding counts as what. A score is a probability; below `low` nothing was found. */
export interface Thresholds {
  readonly low: number;
  readonly medium: number;
  readonly high: number;
}

// Where a model that was calibrated would put them. Most are not: measure on your own harmless texts.
const DEFAULTS: Thresholds = Object.freeze({ low: 0.5, medium: 0.8, high: 0.95 });

/** A checked copy. */
export function readThresholds(thresholds: Thresholds = DEFAULTS): Thresholds {
  const { low, medium, high } = thresholds;
  requireOption(
    0 < low && low <= medium && medium <= high && high <= 1,
    'thresholds are 0 < low <= medium <= high <= 1.',
  );
  return Object.freeze({ low, medium, high });
}

export function likelihoodOf(score: number, { low, medium, high }: Thresholds): Likelihood {
  if (score >= high) return 'high';
  if (score >= medium) return 'medium';
  return score >= low ? 'low' : 'none';
}
