import type { Tone } from '../badge.tsx';

/** One part of every bar. */
export interface ChartSeries {
  readonly name: string;
  readonly tone: Tone | 'brand';
}

/** One bar: a time, and a number for each series. */
export interface ChartPoint {
  readonly label: string;
  readonly values: readonly number[];
}

/** A piece of a bar, in percent of the height from the bottom. */
export interface ChartPiece {
  readonly from: number;
  readonly height: number;
}

const totalOf = ({ values }: ChartPoint): number => values.reduce((sum, value) => sum + value, 0);

/** The top of the scale: the first of 1, 2, 5, 10, 20, 50 and so on that all bars fit below. */
export function scaleOf(points: readonly ChartPoint[]): number {
  const most = Math.max(0, ...points.map(totalOf));
  for (let power = 1; ; power *= 10) for (const step of [1, 2, 5]) if (step * power >= most) return step * power;
}

/** The pieces of a bar, one upon the other. */
export function piecesOf(point: ChartPoint, scale: number): readonly ChartPiece[] {
  let from = 0;
  return point.values.map((value) => {
    const piece = { from, height: (100 * value) / scale };
    from += piece.height;
    return piece;
  });
}

/** A number of a chart, with one digit after the point where there is one. */
export function formatNumber(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 1 });
}

/** A chart's contents in one sentence. */
export function summaryOf(title: string, points: readonly ChartPoint[]): string {
  const highest = points.reduce((best, point) => (totalOf(point) > totalOf(best) ? point : best), {
    label: '',
    values: [0],
  });
  if (totalOf(highest) === 0) return `${title}: nothing in this time.`;
  return `${title}: at most ${formatNumber(totalOf(highest))}, at ${highest.label}.`;
}
