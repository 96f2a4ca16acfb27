import type { ReactNode } from 'react';
import { Inert } from '../../parts/inert.tsx';
import type { CallEntry } from './record/entry.ts';

interface FollowedProps {
  readonly call: CallEntry;
  readonly onBack: () => void;
}

/** Says why a person is where they are, and leads back. */
export function Followed({ call, onBack }: FollowedProps): ReactNode {
  return (
    <div className="followed panel" role="status">
      <span>
        These words became a value of <Inert text={`${call.server}.${call.tool}`} />.
      </span>
      <button type="button" className="button button-small" onClick={onBack}>
        Back to the call
      </button>
    </div>
  );
}
