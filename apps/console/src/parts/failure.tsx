import type { ReactNode } from 'react';
import { describeFailure } from '../api/problem.ts';
import { Inert } from './inert.tsx';

interface FailureProps {
  readonly cause: unknown;
  readonly onRetry?: () => void;
}

/** An error, and what to do about it. */
export function Failure({ cause, onRetry }: FailureProps): ReactNode {
  const { message, next } = describeFailure(cause);
  return (
    <div className="panel note note-bad" role="alert">
      <strong>
        <Inert text={message} />
      </strong>
      <p>
        <Inert text={next} />
      </p>
      {onRetry !== undefined && (
        <button type="button" className="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}
