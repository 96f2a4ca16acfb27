import type { ReactNode } from 'react';
import type { Approval } from '../../../api/types.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Inert } from '../../../parts/inert.tsx';
import { personName } from '../../../parts/words/person.ts';
import { formatTime } from '../../../parts/words/time.ts';
import { CallCell } from './call-cell.tsx';
import { SCOPE_WORDS } from './scope-words.ts';

interface AnsweredTableProps {
  readonly approvals: readonly Approval[];
}

export function AnsweredTable({ approvals }: AnsweredTableProps): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways where the window is narrow
    <section className="panel scroll" aria-label="Answered calls" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Call</th>
            <th scope="col">For</th>
            <th scope="col">Answer</th>
            <th scope="col">By</th>
            <th scope="col">When</th>
            <th scope="col">Note</th>
          </tr>
        </thead>
        <tbody>
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
        </tbody>
      </table>
    </section>
  );
}
