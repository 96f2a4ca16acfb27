import type { ReactNode } from 'react';
import type { Approval } from '../../../api/types.ts';
import { Inert } from '../../../parts/inert.tsx';
import { useNow } from '../../../parts/now.ts';
import { personName } from '../../../parts/words/person.ts';
import { formatTime } from '../../../parts/words/time.ts';
import type { Choice } from './choices.ts';
import { fixedNamesOf } from './fixed-names.ts';

function Names({ names }: { readonly names: readonly string[] }): ReactNode {
  return names.map((name, index) => (
    <span key={name}>
      {index > 0 && ', '}
      <code>
        <Inert text={name} />
      </code>
    </span>
  ));
}

function place({ question, principal }: Approval, { scope }: Choice): string {
  if (scope === 'always') return 'in all conversations';
  return question.conversation === principal ? 'that name no conversation' : 'in this conversation';
}

interface CoverageProps {
  readonly approval: Approval;
  readonly choice: Choice;
}

/** The properties that later calls must share with this one. */
function Conditions({ approval }: { readonly approval: Approval }): ReactNode {
  const names = fixedNamesOf(approval);
  if (names === undefined)
    return ' and have the same values. Times, and texts that the agent words freely, may differ.';
  const { fixed, free } = names;
  return (
    <>
      {fixed.length > 0 && (
        <>
          {' '}
          and <Names names={fixed} /> {fixed.length === 1 ? 'is' : 'are'} the same as now
        </>
      )}
      .
      {free.length > 0 && (
        <>
          {' '}
          <Names names={free} /> may differ.
        </>
      )}
    </>
  );
}

/** The exact calls that will be allowed. */
export function Coverage({ approval, choice }: CoverageProps): ReactNode {
  const { server, tool } = approval.question;
  return (
    <p className="coverage" role="status">
      Until {formatTime(useNow() + choice.term)}, calls of <Inert text={`${server}.${tool}`} /> for{' '}
      <Inert text={personName(approval.principal)} /> {place(approval, choice)} pass without a question if they are held
      for the same reason
      <Conditions approval={approval} />
    </p>
  );
}
