import './health.css';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { statisticsQuery } from '../../api/queries.ts';
import type { Statistics } from '../../api/types.ts';
import { BarChart } from '../../parts/chart/bar-chart.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Observed } from '../../parts/observed.tsx';
import { Page } from '../../parts/page.tsx';
import { Causes } from './causes.tsx';
import { Figures } from './figures.tsx';
import { ChainNote, Corrections } from './notes.tsx';
import { pointsOf, rateOf } from './points.ts';

const RANGES = { 24: 'The last day', 168: 'The last week', 744: 'The last 31 days' } as const;

const RATE = [{ name: 'Questions per 100 calls', tone: 'brand' }] as const;
const ANSWERS = [
  { name: 'Approved', tone: 'good' },
  { name: 'Rejected', tone: 'bad' },
  { name: 'Never answered', tone: 'plain' },
  { name: 'Waiting', tone: 'warn' },
] as const;

function Shown({ statistics }: { readonly statistics: Statistics }): ReactNode {
  return (
    <div className="sections">
      {statistics.isCounting && <p role="status">Older calls are still being counted.</p>}
      <Figures statistics={statistics} />
      <Observed total={statistics.total} />
      <div className="charts">
        <BarChart
          title="Questions per 100 calls"
          series={RATE}
          points={pointsOf(statistics, (each) => [rateOf(each)])}
        />
        <BarChart
          title="What became of questions"
          series={ANSWERS}
          points={pointsOf(statistics, ({ approved, rejected, expired, waiting }) => [
            approved,
            rejected,
            expired,
            waiting,
          ])}
        />
      </div>
      <section>
        <h2>Holds by cause</h2>
        <Causes causes={statistics.causes} />
      </section>
      <section>
        <h2>Corrections</h2>
        <Corrections statistics={statistics} />
      </section>
      <section>
        <h2>The audit</h2>
        <ChainNote statistics={statistics} />
      </section>
    </div>
  );
}

/** How often people are asked, why, and whether it was right. */
export function Health(): ReactNode {
  const [hours, setHours] = useState(24);
  const query = useQuery(statisticsQuery(hours));
  const range = (
    <select aria-label="Time" value={hours} onChange={({ target }) => setHours(Number(target.value))}>
      {Object.entries(RANGES).map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  );
  return (
    <Page title="Health" about="How often people are asked, why, and whether it was right to ask." actions={range}>
      <Loaded query={query}>{(statistics) => <Shown statistics={statistics} />}</Loaded>
    </Page>
  );
}
