import type { ReactNode } from 'react';
import { type ChartPoint, type ChartSeries, formatNumber } from './chart.ts';

interface ChartTableProps {
  readonly title: string;
  readonly series: readonly ChartSeries[];
  readonly points: readonly ChartPoint[];
}

/** The numbers of a chart. */
export function ChartTable({ title, series, points }: ChartTableProps): ReactNode {
  return (
    <details className="chart-table">
      <summary>
        As a table<span className="hidden-text">: {title}</span>
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section className="scroll" aria-label={title} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">From</th>
              {series.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points.map(({ label, values }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                {series.map(({ name }, part) => (
                  <td key={name}>{formatNumber(values[part] ?? 0)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
