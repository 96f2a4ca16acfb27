import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { client, read } from '../../api/client.ts';
import type { PolicyBody } from '../../api/types.ts';
import { Failure } from '../../parts/failure.tsx';
import { DryRunReport } from '../dry-run/dry-run-report.tsx';
import { HoursSelect } from '../dry-run/hours-select.tsx';

interface DryRunPanelProps {
  readonly body: PolicyBody | undefined;
  /** Begins without being asked. */
  readonly isAtOnce: boolean;
}

/** Judges the recorded calls again under the edited policy. Nothing is changed. */
export function DryRunPanel({ body, isAtOnce }: DryRunPanelProps): ReactNode {
  const [hours, setHours] = useState(24);
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (edited: PolicyBody) => read(client.POST('/api/v1/policy/dry-run', { body: { body: edited, hours } })),
  });
  const first = useRef(isAtOnce ? body : undefined);
  useEffect(() => {
    if (first.current === undefined) return;
    mutate(first.current);
    first.current = undefined;
  }, [mutate]);
  return (
    <div className="dry-run">
      <div className="row">
        <HoursSelect hours={hours} onHours={setHours} />
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
