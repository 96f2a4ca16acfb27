import { memo, type ReactNode } from 'react';
import { useMe } from '../../api/identity.ts';
import type { Approval } from '../../api/types.ts';
import { Inert } from '../../parts/inert.tsx';
import { personName } from '../../parts/words/person.ts';
import { Arguments } from './arguments.tsx';
import { Countdown } from './countdown.tsx';
import { EvidenceQuote } from './evidence.tsx';
import { type Choice, choicesFor } from './longer/choices.ts';
import { LongerForm } from './longer/longer-form.tsx';
import { whyNot } from './may-answer.ts';
import { questionOf } from './question.ts';
import { RejectForm } from './reject-form.tsx';

const MAX_EVIDENCE = 3;
const MAX_VALUE = 120;

export interface CardHandlers {
  readonly onSelect: (id: string) => void;
  readonly onOpen: (id: string, form: CardForm | undefined) => void;
  readonly onApprove: (id: string, choice?: Choice) => void;
  readonly onReject: (id: string, note: string) => void;
}

export interface CardProps {
  readonly approval: Approval;
  readonly isSelected: boolean;
  readonly form: CardForm | undefined;
  readonly handlers: CardHandlers;
}

/** What a person can say in more than one word. */
export type CardForm = 'longer' | 'reject';

function Headline({ approval }: { readonly approval: Approval }): ReactNode {
  const { act, link, value } = questionOf(approval);
  const shown = value !== undefined && value.length > MAX_VALUE ? `${value.slice(0, MAX_VALUE)}\u2026` : value;
  return (
    <h2>
      <Inert text={act} />
      {link !== '' && (
        <>
          {' '}
          <Inert text={link} />
        </>
      )}
      {shown !== undefined && (
        <>
          {' '}
          <span className="card-value">
            <Inert text={shown} />
          </span>
        </>
      )}
      ?
    </h2>
  );
}

/** One held call: the question first, then why it is asked, then what it is about. */
export const Card = memo(function Card({ approval, isSelected, form, handlers }: CardProps): ReactNode {
  const { id, question, principal, until } = approval;
  const onOpen = (next: CardForm | undefined): void => handlers.onOpen(id, next);
  const onApprove = (choice?: Choice): void => handlers.onApprove(id, choice);
  const onSelect = (): void => handlers.onSelect(id);
  const reason = whyNot(approval, useMe());
  return (
    <article
      className={isSelected ? 'panel card card-selected' : 'panel card'}
      aria-current={isSelected ? 'true' : undefined}
      data-approval={id}
      onFocus={onSelect}
      onPointerDown={onSelect}
    >
      <p className="card-origin small muted">
        <span>
          For <Inert text={personName(principal)} />, by <Inert text={question.server} />.<Inert text={question.tool} />
        </span>
        <Countdown until={until} />
      </p>
      <Headline approval={approval} />
      <p>
        <Inert text={question.reason} />
      </p>
      {question.evidence.slice(0, MAX_EVIDENCE).map((evidence) => (
        <EvidenceQuote key={`${evidence.path} ${evidence.source} ${evidence.excerpt.before}`} evidence={evidence} />
      ))}
      <Arguments approval={approval} />
      {reason !== undefined && (
        <p className="card-second">
          <Inert text={reason} />
        </p>
      )}
      {reason === undefined && form === 'reject' && (
        <RejectForm onReject={(note) => handlers.onReject(id, note)} onCancel={() => onOpen(undefined)} />
      )}
      {reason === undefined && form === 'longer' && (
        <LongerForm approval={approval} onApprove={onApprove} onCancel={() => onOpen(undefined)} />
      )}
      {reason === undefined && form === undefined && (
        <div className="row">
          <button type="button" className="button button-main" onClick={() => onApprove()}>
            Approve once
          </button>
          {choicesFor(approval).length > 0 && (
            <button type="button" className="button" onClick={() => onOpen('longer')}>
              For longer{'\u2026'}
            </button>
          )}
          <button type="button" className="button button-bad" onClick={() => onOpen('reject')}>
            Reject
          </button>
          {question.secondPerson === true && (
            <span className="small muted">
              You answer as the second person, for <Inert text={personName(principal)} />.
            </span>
          )}
        </div>
      )}
    </article>
  );
});
