import type { Thresholds } from './level.ts';
import type { Reach } from './span.ts';

/** Made by `npm run train`, with the weights: levels at fixed rates of false alarms on documents kept back. */
export const CALIBRATION: { readonly digest: string; readonly thresholds: Thresholds; readonly reach: Reach } = {
  digest: '5d9dc13c4d4040f684ee9671c902bc3ec32ac0818ad3e02998225d69e4d07afc',
  thresholds: { low: -1.034, medium: 1.732, high: 4.096 },
  reach: { outside: 4, inside: -2 },
};
