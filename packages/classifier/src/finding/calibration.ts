import type { Tuning } from './analyze.ts';
import type { Thresholds } from './likelihood.ts';

/** Made by `npm run eval -- train`, with the weights: levels at fixed rates of false alarms on sources kept back. */
export const CALIBRATION: Tuning & { readonly digest: string; readonly thresholds: Thresholds } = {
  digest: '95cef5d7d84d8f38026445afa8abb03b8298825926b5b39f9849e42277152646',
  thresholds: { low: 4.706, medium: 6.375, high: 9.449 },
  pooling: { neighbours: 0, chance: 0.75 },
  asks: -7.62,
  reach: { outside: 4, before: 0, after: -2 },
};
