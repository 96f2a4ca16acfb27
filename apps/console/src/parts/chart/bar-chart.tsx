import './chart.css';
import type { ReactNode } from 'react';
import { type ChartPoint, type ChartSeries, formatNumber, piecesOf, scaleOf, summaryOf } from './chart.ts';
import { ChartTable } from './chart-table.tsx';

/** The width of a bar and its gap, in the units of the drawing. */
const STEP = 10;
const GAP = 2;

interface BarChartProps {
  readonly title: string;
  readonly series: readonly ChartSeries[];
  readonly points: readonly ChartPoint[];
}

/** Bars over time, drawn without a style of their own, and the same numbers as a table. */
export function BarChart({ title, series, points }: BarChartProps): ReactNode {
  const scale = scaleOf(points);
  return (
    <figure className="panel chart">
      <figcaption>
        <h3>{title}</h3>
        {series.length > 1 && (
          <ul className="row small">
            {series.map(({ name, tone }) => (
              <li key={name} className={`chart-key chart-key-${tone}`}>
                {name}
              </li>
            ))}
          </ul>
        )}
      </figcaption>
      <div>
        <div className="chart-scale small muted" aria-hidden="true">
          {formatNumber(scale)}
        </div>
        <svg
          className="chart-bars"
          viewBox={`0 0 ${points.length * STEP} 100`}
          preserveAspectRatio="none"
          role="img"
          aria-label={summaryOf(title, points)}
        >
          {points.map((point, index) =>
            piecesOf(point, scale).map(({ from, height }, part) => (
              <rect
                key={`${point.label} ${series[part]?.name}`}
                className={`chart-bar chart-bar-${series[part]?.tone}`}
                x={index * STEP + GAP / 2}
                width={STEP - GAP}
                y={100 - from - height}
                height={height}
              />
            )),
          )}
        </svg>
        <div className="chart-ends small muted" aria-hidden="true">
          <span>{points[0]?.label}</span>
          <span>{points.at(-1)?.label}</span>
        </div>
      </div>
      <ChartTable title={title} series={series} points={points} />
    </figure>
  );
}
