import type { Turn } from '@sallyport/core';
import { READING_RULES } from '@sallyport/core/adapter';
import { dataIn, type Form, formOf } from './forms.ts';
import { turnOf, type Voice, type Voices } from './voices.ts';

/** A stretch of a text, and whether the model is shown a frame in place of it. */
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

/** Whose word a text is as a whole, by the tag that Mastra gave it. */
const TAGGED: ReadonlyMap<string, Whole> = new Map([
  ['memory', { voice: 'model', isFramed: true }],
  ['observational-memory', { voice: 'model', isFramed: true }],
  ['mcp-guidance', { voice: 'others', isFramed: true }],
  ['chat-channel-context', { voice: 'others', isFramed: true }],
  // What a processor says about an answer of the model, maybe in the words of that answer.
  ['processor-retry-feedback', { voice: 'model', isFramed: false }],
]);
/** What some processor added may be anybody's word, and may have to be followed. */
const ADDED: Whole = { voice: 'others', isFramed: false };

function range(text: string, start: number, end: number, { voice, isFramed }: Whole): TrustRange[] {
  return start < end ? [{ turn: turnOf(text.slice(start, end), voice), start, end, isFramed }] : [];
}

function stretchesOfForm(text: string, form: Form, isSure: boolean): readonly TrustRange[] | undefined {
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

/** A system message by who wrote what of it. */
export function stretchesOf(message: string, { own, tags }: Voices): readonly TrustRange[] {
  const text = message.endsWith(READING_RULES) ? message.slice(0, -READING_RULES.length).trimEnd() : message;
  if (own.has(text)) return range(text, 0, text.length, { voice: 'own', isFramed: false });
  const tag = tags?.get(text);
  const form = formOf(text, tag);
  const isSure = tags === undefined || tag !== undefined;
  const formed = form === undefined ? undefined : stretchesOfForm(text, form, isSure);
  if (formed !== undefined) return formed;
  if (tag !== undefined) return range(text, 0, text.length, TAGGED.get(tag) ?? ADDED);
  // Mastra appends to the first message what tools have said when they were suspended: to be followed, but not vouched for.
  const end = Math.max(0, ...[...own].filter((each) => text.startsWith(each)).map(({ length }) => length));
  return [
    ...range(text, 0, end, { voice: 'own', isFramed: false }),
    ...range(text, end, text.length, { voice: 'model', isFramed: false }),
  ];
}
