import type { Thresholds } from './level.ts';
import type { Reach } from './span.ts';

/** Made by `npm run train`, with the weights: levels at fixed rates of false alarms on documents kept back. */
export const CALIBRATION: { readonly digest: string; readonly thresholds: Thresholds; readonly reach: Reach } = {
  digest: 'a1f12766b4c922f6e5554bd8aa1814e03c441e444a0527ca9343f93f13c4625a',
  thresholds: { low: -1.217, medium: 1.091, high: 5.527 },
  reach: { outside: 4, inside: -2 },
};
