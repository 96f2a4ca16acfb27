import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { mayUse, useMe } from '../../api/identity.ts';
import { statisticsQuery } from '../../api/queries.ts';
import { Observed } from '../../parts/observed.tsx';

const WEEK = 168;

/** Says that nothing is held, and what would have been in the last week. Only those who may read the audit know that. */
export function Observing(): ReactNode {
  const me = useMe();
  const { data } = useQuery({ ...statisticsQuery(WEEK), enabled: mayUse(me, ['audit']) });
  return (
    <div className="policy-observing">
      <p>This workspace only observes: decisions are recorded, and nothing is held.</p>
      {data !== undefined && <Observed total={data.total} />}
    </div>
  );
}
