import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { client, read } from '../../api/client.ts';
import { thresholdsQuery } from '../../api/queries.ts';
import type { TriedThreshold } from '../../api/types.ts';
import { Failure } from '../../parts/failure.tsx';
import { Inert } from '../../parts/inert.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { formatTime } from '../../parts/words/time.ts';
import { DryRunReport } from '../dry-run/dry-run-report.tsx';
import { HoursSelect } from '../dry-run/hours-select.tsx';

const DAY = 86_400_000;
const LEAST = 'medium';

function Conditions({ tried }: { readonly tried: TriedThreshold }): ReactNode {
  const { alarms, attacks, missed, others } = tried;
  return (
    <ul className="raise-conditions">
      <li>
        {alarms.reported} false alarms were reported; {alarms.needed} are needed.
      </li>
      <li>{attacks === 0 ? 'No reported attack would be hidden.' : `${attacks} reported attacks would be hidden.`}</li>
      <li>
        {missed === 0
          ? 'Every known attack would still be found.'
          : `${missed} known attacks would no longer be found.`}
      </li>
      {others.length > 0 && (
        <li>
          It applies once it is raised for <Inert text={others.join(', ')} /> too, because one conversation reads the
          results of all servers.
        </li>
      )}
    </ul>
  );
}

interface RaiseProps {
  readonly server: string;
  readonly tag: string;
}

/** The consequences of raising a threshold. It is raised only after a person has seen them. */
export function Raise({ server, tag }: RaiseProps): ReactNode {
  const [hours, setHours] = useState(24);
  const queries = useQueryClient();
  const change = { server, tag, least: LEAST } as const;
  const query = useQuery({
    queryKey: ['threshold dry run', server, tag, hours],
    queryFn: () => read(client.POST('/api/v1/thresholds/dry-run', { body: { ...change, hours } })),
    refetchOnWindowFocus: false,
    retry: false,
  });
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => read(client.PUT('/api/v1/thresholds', { body: change })),
    onSuccess: () => queries.invalidateQueries({ queryKey: thresholdsQuery.queryKey }),
  });
  return (
    <section className="panel raise" aria-labelledby="raise-title">
      <h2 id="raise-title">
        Raise the threshold of <Inert text={tag} /> for <Inert text={server} />?
      </h2>
      <p>
        What the classifier takes for <Inert text={tag} /> with a low likelihood would no longer be marked. Medium and
        high stay marked.
      </p>
      <HoursSelect hours={hours} onHours={setHours} />
      <Loaded query={query}>
        {(tried) => (
          <>
            <Conditions tried={tried} />
            {tried.report !== undefined && <DryRunReport report={tried.report} />}
            {tried.refusal !== undefined && (
              <p role="alert">
                It cannot be raised: <Inert text={tried.refusal} />
              </p>
            )}
            {error !== null && <Failure cause={error} />}
            <p role="status" className="saved">
              {isSuccess ? `Raised until ${formatTime(Date.now() + tried.days * DAY)}. It ends by itself then.` : ''}
            </p>
            <div className="row">
              {tried.isAllowed && !isSuccess && (
                <button type="button" className="button button-main" disabled={isPending} onClick={() => mutate()}>
                  Apply for {tried.days} days
                </button>
              )}
              <Link to="/corrections" search={{}} className="button">
                {isSuccess ? 'Done' : 'Leave it as it is'}
              </Link>
            </div>
          </>
        )}
      </Loaded>
    </section>
  );
}
