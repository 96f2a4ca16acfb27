import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ConversationInfo } from '../../api/types.ts';
import { Inert } from '../../parts/inert.tsx';
import { Table } from '../../parts/table.tsx';
import { personName } from '../../parts/words/person.ts';
import { formatTime } from '../../parts/words/time.ts';

interface ConversationTableProps {
  readonly conversations: readonly ConversationInfo[];
}

export function ConversationTable({ conversations }: ConversationTableProps): ReactNode {
  return (
    <Table label="Conversations" columns={['Conversation', 'Who', 'Last', 'Entries']}>
      {conversations.map(({ id, principal, name, to, entries }) => (
        <tr key={id}>
          <th scope="row" className="cell-name">
            <Link to="/conversations/$id" params={{ id }}>
              <Inert text={name ?? 'Not named'} />
            </Link>
          </th>
          <td>
            <Inert text={personName(principal)} />
          </td>
          <td className="cell-time">{formatTime(to)}</td>
          <td>{entries}</td>
        </tr>
      ))}
    </Table>
  );
}
