import type { Tuning } from './analyze.ts';
import type { Thresholds } from './likelihood.ts';

/** Made by `npm run eval -- train`, with the weights: levels at fixed rates of false alarms on sources kept back. */
export const CALIBRATION: Tuning & { readonly digest: string; readonly thresholds: Thresholds } = {
  digest: 'bf9c0140884e876fb3db5bb8fceda10fe1dbcb33e2385e9394d7efd2908edae4',
  thresholds: { low: 2.641, medium: 4.755, high: 8.69 },
  pooling: { neighbours: 0.2, chance: 1 },
  asks: { doubt: -7.73, sure: 3.5 },
  reach: { outside: 4, inside: -2 },
};
