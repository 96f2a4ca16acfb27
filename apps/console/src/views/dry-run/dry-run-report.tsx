import './dry-run.css';
import type { ReactNode } from 'react';
import type { DryRun } from '../../api/types.ts';
import { Inert } from '../../parts/inert.tsx';
import { Table } from '../../parts/table.tsx';
import { countOf } from '../../parts/words/count.ts';
import { personName } from '../../parts/words/person.ts';
import { causeOf } from '../../parts/words/policy-cell.ts';
import { formatTime } from '../../parts/words/time.ts';

const MAX_ROWS = 200;

function Changed({ changed }: Pick<DryRun, 'changed'>): ReactNode {
  return (
    <Table label="Decisions that would change" columns={['When', 'Who', 'Call', 'Before', 'After', 'Rule']}>
      {changed.slice(0, MAX_ROWS).map((call, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two calls may be alike
        <tr key={index}>
          <td className="cell-time">{formatTime(call.at)}</td>
          <td>
            <Inert text={personName(call.principal)} />
          </td>
          <td>
            <Inert text={`${call.server}.${call.tool}`} />
          </td>
          <td className={`outcome outcome-${call.before}`}>{call.before}</td>
          <td className={`outcome outcome-${call.after}`}>{call.after}</td>
          <td>
            <code>
              <Inert text={causeOf(call.rule, call.cell)} />
            </code>
          </td>
        </tr>
      ))}
    </Table>
  );
}

interface DryRunReportProps {
  readonly report: DryRun;
}

/** How the decisions would have differed. */
export function DryRunReport({ report }: DryRunReportProps): ReactNode {
  const { calls, asked, denied, marked, changed, stoppedBy, unread } = report;
  return (
    <div className="dry-run" role="status">
      <p>
        Of {countOf(calls, 'call')}, <strong>{changed.length}</strong> would be decided differently: {asked.more} more
        and {asked.fewer} fewer questions, {denied.more} more and {denied.fewer} fewer denied.
      </p>
      {marked.more + marked.fewer > 0 && (
        <p>
          In what was read, <strong>{marked.fewer}</strong> fewer and {marked.more} more places would be marked.
        </p>
      )}
      {stoppedBy !== undefined && <p className="muted">Not all calls were judged: the {stoppedBy} ran out.</p>}
      {unread > 0 && <p className="muted">{unread} conversations were not read.</p>}
      {changed.length > 0 && <Changed changed={changed} />}
      {changed.length > MAX_ROWS && <p className="muted">The first {MAX_ROWS} are shown.</p>}
    </div>
  );
}
