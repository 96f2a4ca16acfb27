import { memo, type ReactNode } from 'react';
import { Inert } from '../../parts/inert.tsx';
import { formatTime } from '../../parts/words/time.ts';
import { CorrectButton } from '../corrections/correct-button.tsx';
import type { Origin, TextEntry } from './record/entry.ts';
import { type KeyedPlace, type Segment, segmentsOf } from './record/segments.ts';
import { SpanTag } from './span-tag.tsx';

const ORIGINS: Readonly<Record<Origin, string>> = {
  system: 'System',
  user: 'User',
  external: 'Others wrote this',
  memory: 'Memory',
  model: 'Model',
};

/** Characters that are shown at first. */
export const FIRST_LENGTH = 1500;
const STEP = 20_000;

interface WordsProps {
  readonly entry: TextEntry;
  readonly segment: Extract<Segment, { type: 'text' }>;
  readonly active: string | undefined;
}

function Words({ entry, segment, active }: WordsProps): ReactNode {
  const { start, text, span, places } = segment;
  const isActive = active !== undefined && places.includes(active);
  const words = <Inert text={text} />;
  const placed =
    places.length === 0 ? (
      words
    ) : (
      <span className={isActive ? 'place place-active' : 'place'} data-place={places.join('\n')} tabIndex={-1}>
        {words}
      </span>
    );
  if (span === undefined) return placed;
  return (
    <mark className={`span span-${span.likelihood}`}>
      {placed}
      {start + text.length === span.end && <SpanTag entry={entry} span={span} />}
    </mark>
  );
}

export interface TextRowProps {
  readonly entry: TextEntry;
  readonly places: readonly KeyedPlace[];
  /** The value whose words are in this text. */
  readonly active: string | undefined;
  readonly length: number;
  readonly onLength: (id: string, length: number) => void;
}

/** One message, with its source, its marked parts, and the words that became arguments. */
export const TextRow = memo(function TextRow({ entry, places, active, length, onLength }: TextRowProps): ReactNode {
  const segments = segmentsOf(entry.text, length, entry.spans, places);
  return (
    <article className={`entry entry-text source-${entry.origin}${entry.isUnframed === true ? ' small muted' : ''}`}>
      <header className="entry-head small">
        <strong>{entry.isUnframed === true ? 'Short values' : (ORIGINS[entry.origin] ?? 'Unknown source')}</strong>
        {entry.name !== undefined && (
          <code>
            <Inert text={entry.name} />
          </code>
        )}
        {entry.at !== undefined && (
          <time className="muted" dateTime={entry.at}>
            {formatTime(entry.at)}
          </time>
        )}
        {entry.origin === 'external' && entry.isUnframed !== true && (
          <CorrectButton target={{ type: 'text', entry: entry.id, text: entry.text }} about={entry.name ?? 'this text'}>
            Report an attack
          </CorrectButton>
        )}
      </header>
      <div className="entry-body">
        {segments.map((segment) =>
          segment.type === 'text' ? (
            <Words key={segment.start} entry={entry} segment={segment} active={active} />
          ) : (
            <button
              key={segment.start}
              type="button"
              className="button button-plain button-small"
              onClick={() => onLength(entry.id, segment.start + STEP)}
            >
              Show more ({segment.length.toLocaleString('en')} characters)
            </button>
          ),
        )}
      </div>
    </article>
  );
});
