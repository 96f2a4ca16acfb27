import type { ReactNode } from 'react';
import type { Approval } from '../../../api/types.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Inert } from '../../../parts/inert.tsx';
import { Table } from '../../../parts/table.tsx';
import { personName } from '../../../parts/words/person.ts';
import { formatTime } from '../../../parts/words/time.ts';
import { CallCell } from './call-cell.tsx';
import { SCOPE_WORDS } from './scope-words.ts';

interface AnsweredTableProps {
  readonly approvals: readonly Approval[];
}

export function AnsweredTable({ approvals }: AnsweredTableProps): ReactNode {
  return (
    <Table label="Answered calls" columns={['Call', 'For', 'Answer', 'By', 'When', 'Note']}>
      {approvals.map(({ id, question, principal, answer, answeredBy = '', answeredAt, note = '', scope }) => (
        <tr key={id}>
          <CallCell call={question} />
          <td className="cell-person">
            <Inert text={personName(principal)} />
          </td>
          <td className="cell-time">
            {answer === 'approved' ? <Badge tone="good">approved</Badge> : <Badge tone="bad">rejected</Badge>}
            {scope !== undefined && <div className="small muted">{SCOPE_WORDS[scope]}</div>}
          </td>
          <td className="cell-person">
            <Inert text={personName(answeredBy)} />
          </td>
          <td className="cell-time">{answeredAt !== undefined && formatTime(answeredAt)}</td>
          <td className="cell-note">
            <Inert text={note} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
