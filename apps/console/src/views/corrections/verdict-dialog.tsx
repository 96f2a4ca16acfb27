import './verdict-dialog.css';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import type { Verdict } from '../../api/types.ts';
import { Failure } from '../../parts/failure.tsx';
import { Inert } from '../../parts/inert.tsx';
import { LongText } from '../../parts/long-text.tsx';
import { PassageForm } from './passage-form.tsx';
import { RaiseOffer } from './raise-offer.tsx';
import { type Target, WORDS } from './target.ts';
import { type Told, useTell } from './tell.ts';

interface VerdictDialogProps {
  /** The conversation. */
  readonly id: string;
  readonly target: Target;
  readonly said: Verdict | undefined;
  readonly onTold: (told: Told) => void;
  readonly onClose: () => void;
}

function About({ target }: Pick<VerdictDialogProps, 'target'>): ReactNode {
  if (target.type === 'call')
    return (
      <p>
        Call of <Inert text={target.name} />: <Inert text={target.outcome} />.
      </p>
    );
  if (target.type === 'text') return null;
  return (
    <>
      <p>
        Marked as <Inert text={target.tag} />, likelihood <Inert text={target.likelihood} />, in a result of{' '}
        <Inert text={target.server} />:
      </p>
      <blockquote className="dialog-quote">
        <LongText text={target.text} length={400} />
      </blockquote>
    </>
  );
}

const TITLES = {
  span: 'Was this mark right?',
  call: 'Was this decision right?',
  text: 'Which words were an attack?',
} as const;

/** Asks a person whether something was harmless or an attack, and says what follows. */
export function VerdictDialog({ id, target, said, onTold, onClose }: VerdictDialogProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const { mutate, isPending, isSuccess, error } = useTell(id, onTold);
  useEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal();
  }, []);
  const button = (verdict: Verdict, label: string): ReactNode => (
    <button
      type="button"
      className="button"
      aria-pressed={said === verdict}
      disabled={isPending}
      onClick={() => mutate({ target, verdict })}
    >
      {label}
    </button>
  );
  return (
    <dialog ref={dialog} className="dialog panel" aria-labelledby={title} onClose={onClose}>
      <h2 id={title}>{TITLES[target.type]}</h2>
      <About target={target} />
      {target.type === 'text' ? (
        <PassageForm
          text={target.text}
          isPending={isPending}
          onReport={(range) => mutate({ target, verdict: 'attack', range })}
        />
      ) : (
        <div className="row">
          {button('false-alarm', 'This was harmless')}
          {button('attack', 'This was an attack')}
        </div>
      )}
      {error !== null && <Failure cause={error} />}
      <p role="status" className="saved">
        {isSuccess && said !== undefined ? `Saved. You: ${WORDS[said]}.` : ''}
      </p>
      {target.type === 'span' && said === 'false-alarm' && <RaiseOffer server={target.server} tag={target.tag} />}
      <div className="row">
        <button type="button" className="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
    </dialog>
  );
}
