import type { Voice } from './voices.ts';

/** A system message in which Mastra embeds text that others wrote. */
export interface Form {
  /** The tag that Mastra gives it; empty if it gives none. */
  readonly tag: string;
  readonly head: string;
  /** The text after which the data begins. @default '' */
  readonly opening?: string;
  /** The text before which the data ends. @default the end of the message */
  readonly closing?: string;
  /** The text of a message that contains no data. */
  readonly without?: string;
  readonly voice: Voice;
}

// The model has to follow Mastra's instructions about the data, so they stay outside the frame.
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
  // Users of a channel choose their own names.
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

/** The text that Mastra writes for an empty memory. */
const NOTHING = 'null';

/** The form of a text. If its tag is not known, the head decides. */
export function formOf(text: string, tag: string | undefined): Form | undefined {
  return FORMS.find((form) => text.startsWith(form.head) && (tag === undefined || tag === form.tag));
}

/** The range of the data. The data may contain both marks, so the first opening and the last closing mark count. */
export function dataIn(text: string, form: Form): readonly [start: number, end: number] | undefined {
  const { opening = '', closing = '', without } = form;
  const opened = text.indexOf(opening);
  if (opened < 0) return without !== undefined && text.includes(without) ? [text.length, text.length] : undefined;
  const start = opened + opening.length;
  const data = text.slice(start, Math.max(start, text.lastIndexOf(closing)));
  if (data.trim() === '' || data.trim() === NOTHING) return [start + data.length, start + data.length];
  return [start + data.length - data.trimStart().length, start + data.trimEnd().length];
}
