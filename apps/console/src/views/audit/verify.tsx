import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client, read } from '../../api/client.ts';
import { Failure } from '../../parts/failure.tsx';
import { describeReport } from './report.ts';

/** Verifies the whole chain now, or downloads it. */
export function Verify(): ReactNode {
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => read(client.GET('/api/v1/audit/verify')),
  });
  const result = data === undefined ? undefined : describeReport(data);
  return (
    <div className="audit-verify">
      <div className="row">
        <button type="button" className="button" disabled={isPending} onClick={() => mutate()}>
          {isPending ? 'Verifying' : 'Verify now'}
        </button>
        <a className="button" href="/api/v1/audit/export" download="audit.jsonl">
          Download the export
        </a>
      </div>
      {error !== null && <Failure cause={error} />}
      <p role="status" className={result?.isGood === false ? 'audit-bad' : 'audit-good'}>
        {result?.text ?? ''}
      </p>
    </div>
  );
}
