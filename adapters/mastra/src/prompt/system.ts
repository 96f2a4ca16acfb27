import type { Turn } from '@sallyport/core';
import { READING_RULES } from '@sallyport/core/adapter';
import { dataIn, type Form, formOf } from './forms.ts';
import { turnOf, type Voice, type Voices } from './voices.ts';

/** A range of a text, and whether it is replaced by a frame. */
export interface TrustRange {
  readonly turn: Turn;
  readonly start: number;
  readonly end: number;
  readonly isFramed: boolean;
}

interface Whole {
  readonly voice: Voice;
  readonly isFramed: boolean;
}

/** The author of a whole text, by the tag that Mastra gave it. */
const TAGGED: ReadonlyMap<string, Whole> = new Map([
  ['memory', { voice: 'model', isFramed: true }],
  ['observational-memory', { voice: 'model', isFramed: true }],
  ['mcp-guidance', { voice: 'others', isFramed: true }],
  ['chat-channel-context', { voice: 'others', isFramed: true }],
  // A processor's comment on an answer of the model, which may quote the answer.
  ['processor-retry-feedback', { voice: 'model', isFramed: false }],
]);
/** Text that a processor added may come from anyone, and the model may have to follow it. */
const ADDED: Whole = { voice: 'others', isFramed: false };

function range(text: string, start: number, end: number, { voice, isFramed }: Whole): TrustRange[] {
  return start < end ? [{ turn: turnOf(text.slice(start, end), voice), start, end, isFramed }] : [];
}

function rangesOfForm(text: string, form: Form, isSure: boolean): readonly TrustRange[] | undefined {
  const data = dataIn(text, form);
  if (data === undefined) return undefined;
  const [start, end] = data;
  const around: Whole = { voice: isSure ? 'own' : 'model', isFramed: false };
  return [
    ...range(text, 0, start, around),
    ...range(text, start, end, { voice: form.voice, isFramed: true }),
    ...range(text, end, text.length, around),
  ];
}

/** The ranges of a system message by author. */
export function systemRangesOf(message: string, { own, tags }: Voices): readonly TrustRange[] {
  const text = message.endsWith(READING_RULES) ? message.slice(0, -READING_RULES.length).trimEnd() : message;
  if (own.has(text)) return range(text, 0, text.length, { voice: 'own', isFramed: false });
  const tag = tags?.get(text);
  const form = formOf(text, tag);
  const isSure = tags === undefined || tag !== undefined;
  const formed = form === undefined ? undefined : rangesOfForm(text, form, isSure);
  if (formed !== undefined) return formed;
  if (tag !== undefined) return range(text, 0, text.length, TAGGED.get(tag) ?? ADDED);
  // Mastra appends the payloads of suspended tools to the first message: the model follows them, but they do not vouch.
  const end = Math.max(0, ...[...own].filter((each) => text.startsWith(each)).map(({ length }) => length));
  return [
    ...range(text, 0, end, { voice: 'own', isFramed: false }),
    ...range(text, end, text.length, { voice: 'model', isFramed: false }),
  ];
}
