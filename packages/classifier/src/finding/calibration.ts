import type { Tuning } from './analyze.ts';
import type { Thresholds } from './likelihood.ts';

/**
 * Made by `npm run eval -- train`, with the weights: levels at fixed rates of false alarms on sources not used in
 * training.
 */
export const CALIBRATION: Tuning & { readonly digest: string; readonly thresholds: Thresholds } = {
  digest: 'f293c5760ec6faf21e3fa5264a9f81cff958c2afa4f717b99026b2c690c9c2ae',
  thresholds: { low: 5.955, medium: 7.604, high: 9.787 },
  pooling: { neighbours: 0.1, chance: 0.25 },
  asks: -7.86,
  reach: { outside: 4, before: 0, after: -2 },
};
