import type { Thresholds } from './level.ts';
import type { Reach } from './span.ts';

/** Made by `npm run train`, with the weights: levels at fixed rates of false alarms on documents kept back. */
export const CALIBRATION: { readonly digest: string; readonly thresholds: Thresholds; readonly reach: Reach } = {
  digest: '188214097d470b4d6de883e36b6d3f9287a92555731a8b2cf37cb6f8a460c08b',
  thresholds: { low: -0.629, medium: 2.324, high: 6.132 },
  reach: { outside: 4, inside: -2 },
};
