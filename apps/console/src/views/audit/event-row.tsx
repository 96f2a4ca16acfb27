import { Link } from '@tanstack/react-router';
import { type ReactNode, useId, useState } from 'react';
import { mayUse, useMe } from '../../api/identity.ts';
import type { AuditRow } from '../../api/types.ts';
import { Badge } from '../../parts/badge.tsx';
import { Inert } from '../../parts/inert.tsx';
import { LongText } from '../../parts/long-text.tsx';
import { personName } from '../../parts/words/person.ts';
import { formatTime } from '../../parts/words/time.ts';
import { lineOf } from './event.ts';

const COLUMNS = 6;
const SHORT = 4000;
const MAX_NAME = 120;

const cut = (text: string): string => (text.length > MAX_NAME ? `${text.slice(0, MAX_NAME)}\u2026` : text);

/** Where more about an event is. */
function Related({ row: { type, conversation } }: EventRowProps): ReactNode {
  if (type === 'approval') return <Link to="/approvals/answered">Show the answered calls</Link>;
  if (conversation === undefined) return null;
  return (
    <Link to="/conversations/$id" params={{ id: conversation }}>
      Show the conversation
    </Link>
  );
}

interface EventRowProps {
  readonly row: AuditRow;
}

/** One row of the audit, and the whole event below it. */
export function EventRow({ row }: EventRowProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const me = useMe();
  const { who, what, result, rule } = lineOf(row);
  const { seq, at, type, event } = row;
  return (
    <>
      <tr>
        <td>
          <button
            type="button"
            className="button button-small"
            aria-expanded={isOpen}
            aria-controls={id}
            aria-label={`Event ${seq}`}
            onClick={() => setOpen(!isOpen)}
          >
            {seq}
          </button>
        </td>
        <td className="cell-time">{formatTime(at)}</td>
        <td className="cell-word">
          <Inert text={type === '' ? 'unreadable' : cut(type)} />
        </td>
        <td className="cell-name">
          <Inert text={cut(personName(who))} />
        </td>
        <td className="cell-name">
          <Inert text={cut(what)} />
        </td>
        <td className="cell-word">
          {result !== undefined && (
            <Badge tone={result.tone}>
              <Inert text={cut(result.word)} />
            </Badge>
          )}{' '}
          {rule !== undefined && (
            <code className="muted">
              <Inert text={cut(rule)} />
            </code>
          )}
        </td>
      </tr>
      {isOpen && (
        <tr id={id}>
          <td colSpan={COLUMNS}>
            <pre className="audit-event">
              <LongText text={JSON.stringify(event, null, 2)} length={SHORT} />
            </pre>
            {mayUse(me, ['approve:own', 'approve:any']) && <Related row={row} />}
          </td>
        </tr>
      )}
    </>
  );
}
