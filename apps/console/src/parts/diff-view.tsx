import './diff-view.css';
import { type ReactNode, useMemo } from 'react';
import { aroundChanges, diffLines } from './diff.ts';
import { Inert } from './inert.tsx';

const SIGNS = { same: ' ', added: '+', removed: '-' } as const;
const WORDS = { same: '', added: 'added: ', removed: 'removed: ' } as const;
const MAX_LINES = 400;

interface DiffViewProps {
  readonly before: string;
  readonly after: string;
  /** A name of the compared texts, for screen readers. */
  readonly label: string;
}

/** The changes between two texts of others. */
export function DiffView({ before, after, label }: DiffViewProps): ReactNode {
  const lines = useMemo(() => aroundChanges(diffLines(before, after)), [before, after]);
  const shown = lines.slice(0, MAX_LINES);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className="diff" aria-label={label} tabIndex={0}>
      {shown.map((line, index) =>
        line === undefined ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
          <div key={index} className="diff-gap" aria-hidden="true">
            &middot;&middot;&middot;
          </div>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
          <div key={index} className={`diff-line diff-${line.kind}`}>
            <span aria-hidden="true">{SIGNS[line.kind]}</span>
            <span>
              <span className="hidden-text">{WORDS[line.kind]}</span>
              <Inert text={line.text} />
            </span>
          </div>
        ),
      )}
      {lines.length > MAX_LINES && <p className="small muted">{lines.length - MAX_LINES} more lines are not shown.</p>}
    </section>
  );
}
