import type { Statistics } from '../../api/types.ts';
import type { ChartPoint } from '../../parts/chart/chart.ts';

type Bucket = Statistics['buckets'][number];

const HOUR = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** One bar for each bucket. */
export function pointsOf(
  { buckets, bucketHours }: Statistics,
  valuesOf: (bucket: Bucket) => readonly number[],
): readonly ChartPoint[] {
  const format = bucketHours < 24 ? HOUR : DAY;
  return buckets.map((bucket) => ({ label: format.format(new Date(bucket.from)), values: valuesOf(bucket) }));
}

/** Questions per hundred calls. A question without a call of the same hour counts as if there were one. */
export function rateOf({ asked, calls }: Pick<Bucket, 'asked' | 'calls'>): number {
  return asked === 0 ? 0 : (100 * asked) / Math.max(calls, asked);
}
