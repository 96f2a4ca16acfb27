import type { ReactNode } from 'react';
import { Inert } from '../../parts/inert.tsx';
import { causeOf, cellWords, ruleWords } from '../../parts/words/policy-cell.ts';

interface DecidedByProps {
  readonly rule: string;
  readonly cell?: string | undefined;
}

/** The cause of a decision: a cell of the policy's table, in words, or another rule by its name. */
export function DecidedBy({ rule, cell }: DecidedByProps): ReactNode {
  const cause = causeOf(rule, cell);
  const words = cellWords(cause);
  const why = ruleWords(cause);
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
        <Inert text={cause} />
      </code>
      {why !== undefined && `: ${why}`}
    </>
  );
}
