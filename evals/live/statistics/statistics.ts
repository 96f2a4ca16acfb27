import { Random } from '../../../tools/random.mjs';

/** A measure with its 95 % confidence interval. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** How many runs it is measured on. */
  readonly of: number;
}

const Z = 1.959964;
const RESAMPLES = 2000;
const SEED = 11;

/** A share with the interval of Wilson, which also holds for shares near 0 and 1. */
export function wilson(count: number, of: number): Estimate {
  if (of === 0) return { value: 0, low: 0, high: 1, of };
  const share = count / of;
  const scale = 1 + Z ** 2 / of;
  const middle = (share + Z ** 2 / (2 * of)) / scale;
  const half = (Z / scale) * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2));
  return { value: share, low: Math.max(0, middle - half), high: Math.min(1, middle + half), of };
}

/**
 * A statistic of a list with the percentile interval of a bootstrap. The seed is fixed, so that the same list gives the same interval.
 */
export function bootstrap<Item>(items: readonly Item[], statistic: (items: readonly Item[]) => number): Estimate {
  const value = items.length === 0 ? 0 : statistic(items);
  if (items.length < 2) return { value, low: value, high: value, of: items.length };
  const random = new Random(SEED, items.length);
  const values = Array.from({ length: RESAMPLES }, () => statistic(items.map(() => random.pick(items) as Item)));
  values.sort((one, other) => one - other);
  const at = (share: number): number => values[Math.floor(share * (RESAMPLES - 1))] as number;
  return { value, low: at(0.025), high: at(0.975), of: items.length };
}

export const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

export const mean = (values: readonly number[]): number => (values.length === 0 ? 0 : sum(values) / values.length);
