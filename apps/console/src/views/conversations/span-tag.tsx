import type { ReactNode } from 'react';
import { Inert } from '../../parts/inert.tsx';
import { useCorrecting } from '../corrections/correcting.tsx';
import { WORDS } from '../corrections/target.ts';
import type { Span, TextEntry } from './record/entry.ts';

interface SpanTagProps {
  readonly entry: TextEntry;
  readonly span: Span;
}

/** Why words are marked. Press it to say whether that was right. */
export function SpanTag({ entry, span }: SpanTagProps): ReactNode {
  const correcting = useCorrecting();
  const { finding, tag, likelihood, said: before } = span;
  const about = <Inert text={`${tag}, ${likelihood}`} />;
  if (correcting === undefined || finding === undefined) return <span className="span-tag">{about}</span>;
  const [server = ''] = (entry.name ?? '').split('.');
  const text = entry.text.slice(span.start, span.end);
  const target = { type: 'span', finding, server, tag, likelihood, text, said: before } as const;
  const said = correcting.said(target);
  return (
    <button type="button" className="span-tag span-tag-button" onClick={() => correcting.open(target)}>
      {about}
      {said !== undefined && ` \u00b7 You: ${WORDS[said]}`}
      <span className="hidden-text">. Was this mark right?</span>
    </button>
  );
}
