import type { ReactNode } from 'react';
import type { Evidence } from '../../api/types.ts';
import { Inert } from '../../parts/inert.tsx';

interface EvidenceQuoteProps {
  readonly evidence: Evidence;
}

/** The words of others that a value comes from. */
export function EvidenceQuote({ evidence: { path, source, excerpt } }: EvidenceQuoteProps): ReactNode {
  return (
    <figure className="evidence">
      <figcaption className="small muted">
        <code>
          <Inert text={path.slice(1)} />
        </code>{' '}
        was found in {source === undefined ? 'what the agent read' : <Inert text={source} />}
      </figcaption>
      <blockquote>
        <Inert text={excerpt.before} />
        <mark>
          <Inert text={excerpt.match} />
        </mark>
        <Inert text={excerpt.after} />
      </blockquote>
    </figure>
  );
}
