import { type ReactNode, useState } from 'react';
import { Inert } from './inert.tsx';

const SHORT = 600;
const STEP = 20_000;

interface LongTextProps {
  readonly text: string;
  /** Characters that are shown at first. @default 600 */
  readonly length?: number;
}

/** Text of others, cut. More of it is shown step by step, because it may be megabytes long. */
export function LongText({ text, length = SHORT }: LongTextProps): ReactNode {
  const [shown, setShown] = useState(length);
  const rest = text.length - shown;
  return (
    <>
      <Inert text={rest > 0 ? text.slice(0, shown).toWellFormed() : text} />
      {rest > 0 && (
        <button type="button" className="button button-plain button-small" onClick={() => setShown(shown + STEP)}>
          Show more ({rest.toLocaleString('en')} characters)
        </button>
      )}
    </>
  );
}
