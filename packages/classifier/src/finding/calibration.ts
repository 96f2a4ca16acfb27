import type { Reach } from './findings.ts';
import type { Thresholds } from './likelihood.ts';

/** Made by `npm run eval -- train`, with the weights: levels at fixed rates of false alarms on documents kept back. */
export const CALIBRATION: { readonly digest: string; readonly thresholds: Thresholds; readonly reach: Reach } = {
  digest: '56da5cf0e1304c9c1dde7410a031cafa55ac0354d0c7ad3ac867437f63fb8e2f',
  thresholds: { low: 1.198, medium: 3.896, high: 7.08 },
  reach: { outside: 4, inside: -2 },
};
