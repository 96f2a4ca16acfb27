import type { ReactNode } from 'react';
import type { Approval } from '../../api/types.ts';
import { Inert } from '../../parts/inert.tsx';
import { LongText } from '../../parts/long-text.tsx';
import { argumentsOf } from './question.ts';

interface ArgumentsProps {
  readonly approval: Approval;
}

/** What a file will hold is part of the question. */
const SHOWN_AT_ONCE: readonly unknown[] = ['write', 'configure'];

/** Everything that the agent wants to hand over: at once if it writes, else on demand. */
export function Arguments({ approval }: ArgumentsProps): ReactNode {
  const given = argumentsOf(approval);
  return (
    <details className="arguments" open={SHOWN_AT_ONCE.includes(approval.question.effect)}>
      <summary>All arguments{given === undefined ? '' : ` (${given.length})`}</summary>
      {given === undefined ? (
        <LongText text={approval.question.arguments} />
      ) : (
        <dl>
          {given.map(({ name, value }) => (
            <div key={name}>
              <dt>
                <code>
                  <Inert text={name} />
                </code>
              </dt>
              <dd>
                <LongText text={value} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </details>
  );
}
