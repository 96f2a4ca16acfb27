import type { Voice } from './voices.ts';

/** A system message that Mastra writes around what somebody else wrote. */
export interface Form {
  /** The tag that Mastra gives it; an empty one where it gives none. */
  readonly tag: string;
  readonly head: string;
  /** Behind which the data begins. @default it is all data */
  readonly opening?: string;
  /** Before which it ends. @default it goes on to the end */
  readonly closing?: string;
  /** What says that there is none. */
  readonly without?: string;
  readonly voice: Voice;
}

// How to use the data is to be followed, so it stays outside the frame.
const FORMS: readonly Form[] = [
  {
    tag: 'memory',
    head: 'WORKING_MEMORY_SYSTEM_INSTRUCTION',
    opening: '<working_memory_data>',
    closing: '</working_memory_data>',
    voice: 'model',
  },
  {
    tag: 'memory',
    head: 'The following messages were remembered from a different conversation',
    opening: '<remembered_from_other_conversation>',
    closing: '<end_remembered_from_other_conversation>',
    voice: 'model',
  },
  // Everybody chooses his own name in a channel.
  {
    tag: 'chat-channel-context',
    head: 'You are communicating via ',
    opening: 'You are talking to a user (',
    closing: ').',
    without: 'You are in a public channel or thread.',
    voice: 'others',
  },
  // Skills come from files of a workspace, descriptions of tools from their servers.
  { tag: '', head: '<available_skills>', voice: 'others' },
  { tag: '', head: 'Available Skills:', voice: 'others' },
  { tag: '', head: '# Available Skills', voice: 'others' },
  { tag: '', head: '[Skill: ', voice: 'others' },
  { tag: '', head: 'The following tools are available', opening: '\n\nAvailable tools:\n', voice: 'others' },
];

/** What Mastra writes where nothing was noted yet. */
const NOTHING = 'null';

/** The form of a text. Where Mastra says nothing of its tag, the head alone tells. */
export function formOf(text: string, tag: string | undefined): Form | undefined {
  return FORMS.find((form) => text.startsWith(form.head) && (tag === undefined || tag === form.tag));
}

/** Where the data stands. It may hold marks of either kind, so the first one opens it, and the last one closes it. */
export function dataIn(text: string, form: Form): readonly [start: number, end: number] | undefined {
  const { opening = '', closing = '', without } = form;
  const opened = text.indexOf(opening);
  if (opened < 0) return without !== undefined && text.includes(without) ? [text.length, text.length] : undefined;
  const start = opened + opening.length;
  const data = text.slice(start, Math.max(start, text.lastIndexOf(closing)));
  if (data.trim() === '' || data.trim() === NOTHING) return [start + data.length, start + data.length];
  return [start + data.length - data.trimStart().length, start + data.trimEnd().length];
}
