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
/** Other values in a headline, and how much of each. */
const MAX_OTHERS = 6;
const MAX_OTHER = 60;

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

/** The answers that need more than one word. */
export type CardForm = 'longer' | 'reject';

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}\u2026` : text;
}

function Headline({ approval }: { readonly approval: Approval }): ReactNode {
  const { act, link, value, others } = questionOf(approval);
  const shown = value === undefined ? undefined : cut(value, MAX_VALUE);
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
      {others.slice(0, MAX_OTHERS).map(({ name, value: other }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the values of a list share a name
        <span key={index}>
          , <Inert text={cut(name, MAX_OTHER)} />{' '}
          <span className="card-value">
            <Inert text={cut(other, MAX_OTHER)} />
          </span>
        </span>
      ))}
      {others.length > MAX_OTHERS && `, and ${others.length - MAX_OTHERS} more below`}?
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
