import type { ReactNode } from 'react';
import type { Statistics } from '../../api/types.ts';
import { formatNumber } from '../../parts/chart/chart.ts';

interface FiguresProps {
  readonly statistics: Statistics;
}

/** The totals, in words. */
export function Figures({ statistics: { total, questionsPerHundredCalls } }: FiguresProps): ReactNode {
  const { calls, asked, approved, rejected, expired, waiting, denied } = total;
  const rate = questionsPerHundredCalls === undefined ? 'none' : formatNumber(questionsPerHundredCalls);
  const figures = [
    { name: 'Calls checked', value: formatNumber(calls), about: `${formatNumber(denied)} denied` },
    { name: 'Questions per 100 calls', value: rate, about: `${formatNumber(asked)} questions` },
    { name: 'Approved', value: formatNumber(approved), about: `${formatNumber(waiting)} waiting` },
    { name: 'Rejected', value: formatNumber(rejected), about: `${formatNumber(expired)} never answered` },
  ];
  return (
    <dl className="figures">
      {figures.map(({ name, value, about }) => (
        <div key={name} className="panel figure">
          <dt className="muted small">{name}</dt>
          <dd className="figure-value">{value}</dd>
          <dd className="muted small">{about}</dd>
        </div>
      ))}
    </dl>
  );
}
