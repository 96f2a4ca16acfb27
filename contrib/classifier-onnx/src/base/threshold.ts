import type { Likelihood } from '@sallyport/core/stages';
import { requireOption } from './option.ts';

/**
 * The lowest score of each likelihood. A score is a probability; below `low` nothing was found.
 *
 * @example
 * ```ts
 * const thresholds: Thresholds = { low: 0.5, medium: 0.9, high: 0.99 };
 * ```
 */
export interface Thresholds {
  readonly low: number;
  readonly medium: number;
  readonly high: number;
}

// Right for a calibrated model. Most models are not calibrated: measure thresholds on your own harmless texts.
const DEFAULTS: Thresholds = Object.freeze({ low: 0.5, medium: 0.8, high: 0.95 });

/** A checked copy. */
export function readThresholds(thresholds: Thresholds = DEFAULTS): Thresholds {
  const { low, medium, high } = thresholds;
  requireOption(
    0 < low && low <= medium && medium <= high && high <= 1,
    `\`thresholds\` must satisfy 0 < low <= medium <= high <= 1; received ${low}, ${medium}, ${high}.`,
  );
  return Object.freeze({ low, medium, high });
}

export function likelihoodOf(score: number, { low, medium, high }: Thresholds): Likelihood {
  if (score >= high) return 'high';
  if (score >= medium) return 'medium';
  return score >= low ? 'low' : 'none';
}
