import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client, read } from '../../api/client.ts';
import { thresholdsQuery } from '../../api/queries.ts';
import type { Threshold } from '../../api/types.ts';
import { Badge } from '../../parts/badge.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Inert } from '../../parts/inert.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Table } from '../../parts/table.tsx';
import { visibleText } from '../../parts/visible.ts';
import { personName } from '../../parts/words/person.ts';
import { formatTime } from '../../parts/words/time.ts';

function Row({ threshold }: { readonly threshold: Threshold }): ReactNode {
  const { server, tag, least, by, until, attacks } = threshold;
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => read(client.PUT('/api/v1/thresholds', { body: { server, tag, least: 'low' } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: thresholdsQuery.queryKey }),
  });
  return (
    <tr>
      <th scope="row" className="cell-name">
        <Inert text={server} />
      </th>
      <td>
        <Inert text={tag} />, from <Inert text={least} /> on
        {attacks > 0 && (
          <>
            {' '}
            <Badge tone="bad">hides {attacks} reported attacks</Badge>
          </>
        )}
      </td>
      <td>
        <Inert text={personName(by)} />
      </td>
      <td className="cell-time">{formatTime(until)}</td>
      <td>
        <button
          type="button"
          className="button button-small"
          disabled={isPending}
          aria-label={`Lower again: ${visibleText(tag)} of ${visibleText(server)}`}
          onClick={() => mutate()}
        >
          Lower again
        </button>
        {error !== null && <Failure cause={error} />}
      </td>
    </tr>
  );
}

/** The thresholds that are raised, until when, and the way back. */
export function ThresholdTable(): ReactNode {
  const query = useQuery(thresholdsQuery);
  return (
    <Loaded query={query}>
      {(thresholds) =>
        thresholds.length === 0 ? (
          <p className="muted">None is raised: everything from low on is marked.</p>
        ) : (
          <Table
            label="Raised thresholds"
            columns={['Server', 'Marked', 'Raised by', 'Until']}
            lastColumn="Actions"
            className="correction-rows"
          >
            {thresholds.map((threshold) => (
              <Row key={`${threshold.server} ${threshold.tag}`} threshold={threshold} />
            ))}
          </Table>
        )
      }
    </Loaded>
  );
}
