import type { ReactNode } from 'react';
import { Inert } from '../../parts/inert.tsx';
import { useCorrecting } from './correcting.tsx';
import { SaidMark } from './said-mark.tsx';
import type { Target } from './target.ts';

interface CorrectButtonProps {
  readonly target: Target;
  /** The subject of the question, for screen readers. */
  readonly about: string;
  readonly children: string;
}

/** Opens the question whether something was right, and shows what the person has said. Nothing where it cannot be asked. */
export function CorrectButton({ target, about, children }: CorrectButtonProps): ReactNode {
  const correcting = useCorrecting();
  if (correcting === undefined) return null;
  const said = correcting.said(target);
  return (
    <>
      {said !== undefined && <SaidMark said={said} />}
      <button type="button" className="button button-plain button-small" onClick={() => correcting.open(target)}>
        {children}
        <span className="hidden-text">
          : <Inert text={about} />
        </span>
      </button>
    </>
  );
}
