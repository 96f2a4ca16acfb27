import { READING_RULES, type Turn } from '@sallyport/core';
import { turnOf, type Voices } from './voices.ts';

/** A stretch of a text, and whether the model is shown a frame in place of it. */
export interface Stretch {
  readonly turn: Turn;
  readonly start: number;
  readonly end: number;
  readonly isFramed: boolean;
}

// Around what a model wrote, Mastra writes how to use it: that is to be followed, so it stays outside the frame.
const FORMS = [
  {
    head: 'WORKING_MEMORY_SYSTEM_INSTRUCTION',
    opening: '<working_memory_data>',
    closing: '</working_memory_data>',
  },
  {
    head: 'The following messages were remembered from a different conversation',
    opening: '<remembered_from_other_conversation>',
    closing: '<end_remembered_from_other_conversation>',
  },
] as const;

/** What Mastra writes where nothing was noted yet. */
const NOTHING = 'null';

/** Where the data stands. It may hold marks of either form, so the head says which counts, and the last one closes it. */
function dataIn(text: string): readonly [start: number, end: number] | undefined {
  const form = FORMS.find(({ head }) => text.startsWith(head));
  const opened = form === undefined ? -1 : text.indexOf(form.opening);
  if (form === undefined || opened < 0) return undefined;
  const start = opened + form.opening.length;
  const data = text.slice(start, Math.max(start, text.lastIndexOf(form.closing)));
  if (data.trim() === '' || data.trim() === NOTHING) return [start + data.length, start + data.length];
  return [start + data.length - data.trimStart().length, start + data.trimEnd().length];
}

function ownPart(text: string, { system }: Voices): number {
  if (system === undefined) return text.length;
  const own = [...system].filter(([known, voice]) => voice === 'own' && text.startsWith(known));
  return Math.max(0, ...own.map(([known]) => known.length));
}

function isSome({ start, end }: Stretch): boolean {
  return start < end;
}

/** A system message by who wrote what of it. */
export function stretchesOf(message: string, voices: Voices): readonly Stretch[] {
  const text = message.endsWith(READING_RULES) ? message.slice(0, -READING_RULES.length).trimEnd() : message;
  const voice = voices.system?.get(text);
  const whole = { start: 0, end: text.length };
  if (voice === 'others') return [{ turn: turnOf(text, voice), ...whole, isFramed: true }];
  const data = dataIn(text);
  if (data !== undefined) {
    const [start, end] = data;
    const stretches: readonly Stretch[] = [
      { turn: turnOf(text.slice(0, start), 'own'), start: 0, end: start, isFramed: false },
      { turn: turnOf(text.slice(start, end), 'model'), start, end, isFramed: true },
      { turn: turnOf(text.slice(end), 'own'), start: end, end: text.length, isFramed: false },
    ];
    return stretches.filter(isSome);
  }
  if (voice === 'model') return [{ turn: turnOf(text, voice), ...whole, isFramed: true }];
  // Mastra appends to the first message what tools have said when they were suspended: to be followed, but not vouched for.
  const end = ownPart(text, voices);
  const own: Stretch = { turn: turnOf(text.slice(0, end), 'own'), start: 0, end, isFramed: false };
  const rest: Stretch = { turn: turnOf(text.slice(end), 'model'), start: end, end: text.length, isFramed: false };
  return [own, rest].filter(isSome);
}
