import type { ReactNode } from 'react';
import { Inert } from '../../parts/inert.tsx';
import { cellWords } from '../../parts/words/policy-cell.ts';

interface DecidedByProps {
  readonly rule: string;
  readonly cell?: string | undefined;
}

/** What decided: a cell of the policy's table, in words, or another rule by its name. */
export function DecidedBy({ rule, cell }: DecidedByProps): ReactNode {
  const words = cell === undefined ? undefined : cellWords(cell);
  if (words !== undefined)
    return (
      <>
        the policy&rsquo;s table: <Inert text={words} />
      </>
    );
  return (
    <>
      the rule{' '}
      <code>
        <Inert text={cell ?? rule} />
      </code>
    </>
  );
}
