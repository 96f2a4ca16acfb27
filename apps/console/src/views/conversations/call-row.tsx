import { memo, type ReactNode } from 'react';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { Inert } from '../../parts/inert.tsx';
import { LongText } from '../../parts/long-text.tsx';
import { formatTime } from '../../parts/words/time.ts';
import { CorrectButton } from '../corrections/correct-button.tsx';
import { DecidedBy } from './decided-by.tsx';
import type { CallEntry } from './record/entry.ts';
import { ValueRow } from './value-row.tsx';

const OUTCOMES: Readonly<Record<CallEntry['outcome'], { readonly tone: Tone; readonly word: string }>> = {
  allow: { tone: 'good', word: 'allowed' },
  ask: { tone: 'warn', word: 'asked a person' },
  deny: { tone: 'bad', word: 'denied' },
};

export interface CallRowProps {
  readonly entry: CallEntry;
  /** The value that is pointed at. */
  readonly active: string | undefined;
  readonly onPoint: (key: string | undefined) => void;
  readonly onFollow: (key: string) => void;
}

/** One call: what it does, what was decided, and where each of its values comes from. */
export const CallRow = memo(function CallRow({ entry, active, onPoint, onFollow }: CallRowProps): ReactNode {
  const { server, tool, effect, outcome, reason, rule, cell, values, proposed, wasMade } = entry;
  const { tone, word } = OUTCOMES[outcome] ?? { tone: 'plain', word: outcome };
  return (
    <article className="entry entry-call">
      <header className="entry-head small">
        <strong>
          Call of <Inert text={`${server}.${tool}`} />
        </strong>
        {effect !== undefined && (
          <Badge tone="plain">
            <Inert text={effect} />
          </Badge>
        )}
        <Badge tone={tone}>
          <Inert text={word} />
        </Badge>
        {wasMade === false && outcome === 'allow' && <Badge tone="warn">was refused then</Badge>}
        {wasMade === true && outcome !== 'allow' && <Badge tone="warn">was made then</Badge>}
        {entry.at !== undefined && (
          <time className="muted" dateTime={entry.at}>
            {formatTime(entry.at)}
          </time>
        )}
        <CorrectButton
          target={{ type: 'call', call: entry.id, name: `${server}.${tool}`, outcome: word, said: entry.said }}
          about={`${server}.${tool}`}
        >
          Was this right?
        </CorrectButton>
      </header>
      <p>
        <Inert text={reason} />
      </p>
      {values.length > 0 && (
        <dl className="values">
          {values.map((value) => (
            <ValueRow
              key={value.path}
              call={entry.id}
              value={value}
              active={active}
              onPoint={onPoint}
              onFollow={onFollow}
            />
          ))}
        </dl>
      )}
      <p className="small muted">
        Decided by <DecidedBy rule={rule} cell={cell} />
      </p>
      {proposed !== undefined && (
        <p className={proposed.outcome === outcome ? 'small muted' : 'small proposed'}>
          {proposed.outcome === outcome ? (
            'The other policy decides the same'
          ) : (
            <>
              The other policy says{' '}
              <strong>
                <Inert text={proposed.outcome} />
              </strong>
            </>
          )}
          , by <DecidedBy rule={proposed.rule} cell={proposed.cell} />
        </p>
      )}
      <details className="arguments">
        <summary>All arguments</summary>
        <LongText text={entry.arguments} length={2000} />
      </details>
    </article>
  );
});
