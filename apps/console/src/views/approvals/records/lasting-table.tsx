import type { ReactNode } from 'react';
import { client, read } from '../../../api/client.ts';
import { lastingQuery } from '../../../api/queries.ts';
import type { LastingApproval } from '../../../api/types.ts';
import { SureButton } from '../../../parts/control/sure-button.tsx';
import { Inert } from '../../../parts/inert.tsx';
import { Table } from '../../../parts/table.tsx';
import { personName } from '../../../parts/words/person.ts';
import { formatTime } from '../../../parts/words/time.ts';
import { CallCell } from './call-cell.tsx';
import { SCOPE_WORDS } from './scope-words.ts';

const revoke = (id: string): Promise<unknown> =>
  read(client.DELETE('/api/v1/approvals/lasting/{id}', { params: { path: { id } } }));

interface LastingTableProps {
  readonly approvals: readonly LastingApproval[];
}

export function LastingTable({ approvals }: LastingTableProps): ReactNode {
  return (
    <Table
      label="Lasting approvals"
      columns={['Call', 'For', 'Approved', 'By', 'Until', 'Last used']}
      lastColumn="Actions"
    >
      {approvals.map(({ id, call, principal, scope, givenBy, until, uses, usedAt }) => (
        <tr key={id} data-lasting={id}>
          <CallCell call={call} />
          <td className="cell-person">
            <Inert text={personName(principal)} />
          </td>
          <td>{SCOPE_WORDS[scope]}</td>
          <td className="cell-person">
            <Inert text={personName(givenBy)} />
          </td>
          <td className="cell-time">{until === undefined ? 'you revoke it' : formatTime(until)}</td>
          <td className="cell-time">
            {usedAt === undefined ? (uses === undefined ? 'not known' : 'never') : formatTime(usedAt)}
          </td>
          <td>
            <SureButton
              act="Revoke"
              label={`${call.server}.${call.tool}`}
              queryKey={lastingQuery.queryKey}
              onSure={() => revoke(id)}
            />
          </td>
        </tr>
      ))}
    </Table>
  );
}
