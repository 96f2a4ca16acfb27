import type { ReactNode } from 'react';
import type { LastingApproval } from '../../../api/types.ts';
import { Inert } from '../../../parts/inert.tsx';
import { LongText } from '../../../parts/long-text.tsx';

const SHORT = 160;

interface CallCellProps {
  readonly call: Pick<LastingApproval['call'], 'server' | 'tool' | 'arguments'>;
}

/** The call that a person has answered: its tool, and what it was called with. */
export function CallCell({ call: { server, tool, arguments: given } }: CallCellProps): ReactNode {
  return (
    <th scope="row" className="cell-name cell-call">
      <Inert text={`${server}.${tool}`} />
      <br />
      <code className="muted">
        <LongText text={given} length={SHORT} />
      </code>
    </th>
  );
}
