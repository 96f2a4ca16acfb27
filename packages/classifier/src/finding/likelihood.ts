import type { Likelihood } from '@sallyport/core/stages';
import type { Finding } from './analyze.ts';

/** Log odds from which a finding has a level; set so that a fixed share of benign documents exceeds them. */
export interface Thresholds {
  readonly low: number;
  readonly medium: number;
  readonly high: number;
}

/** The level of a finding. A quoted finding in a text about attacks is at most medium. */
export function levelOf({ score, mentioned }: Finding, thresholds: Thresholds): Likelihood {
  if (score >= thresholds.high) return mentioned ? 'medium' : 'high';
  if (score >= thresholds.medium) return 'medium';
  return score >= thresholds.low ? 'low' : 'none';
}
