import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { client, read } from '../../api/client.ts';
import type { PolicyBody } from '../../api/types.ts';
import { Failure } from '../../parts/failure.tsx';
import { DryRunReport } from './dry-run-report.tsx';

const HOURS = { 1: 'the last hour', 24: 'the last day', 168: 'the last week', 720: 'the last 30 days' } as const;

interface DryRunPanelProps {
  readonly body: PolicyBody | undefined;
}

/** Judges the recorded calls again under the edited policy. Nothing is changed. */
export function DryRunPanel({ body }: DryRunPanelProps): ReactNode {
  const [hours, setHours] = useState(24);
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (edited: PolicyBody) => read(client.POST('/api/v1/policy/dry-run', { body: { body: edited, hours } })),
  });
  return (
    <div className="dry-run">
      <div className="row">
        <label className="row">
          <span>Try it on the calls of</span>
          <select value={hours} onChange={({ target }) => setHours(Number(target.value))}>
            {Object.entries(HOURS).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          className="button"
          disabled={body === undefined || isPending}
          onClick={() => body !== undefined && mutate(body)}
        >
          {isPending ? 'Judging' : 'Dry run'}
        </button>
      </div>
      {error !== null && <Failure cause={error} />}
      {data !== undefined && <DryRunReport report={data} />}
    </div>
  );
}
