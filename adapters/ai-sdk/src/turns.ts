import { type Content, source, type Turn } from '@sallyport/core';
import { type Fields, isFields, partOf } from './part.ts';

/** A turn, and where in the messages what it brought stands. */
export interface Placed {
  readonly turn: Turn;
  /** Message and part whose output is to be replaced; undefined where nothing is. */
  readonly place: readonly [message: number, part: number] | undefined;
}

/** What a user hands over beside his words was written by somebody else. */
const ATTACHED = source('external', { name: 'attachment' });

/** The parts of a message, each at its place: what is none is an unknown one. */
function listOf(content: unknown): readonly Fields[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.map((part) => (isFields(part) ? part : { type: 'unknown', part })) : [];
}

/** What a tool gave back, whatever its form. */
function contentOf(output: unknown): Content {
  if (!isFields(output)) return { json: output ?? null };
  const { type, value } = output;
  if ((type === 'text' || type === 'error-text') && typeof value === 'string') return value;
  if (type === 'content' && Array.isArray(value)) return value.map(partOf);
  return { json: value ?? output };
}

function* userTurns(content: unknown): Generator<Turn> {
  for (const part of listOf(content)) {
    if (part.type === 'text' && typeof part.text === 'string') yield { type: 'user', content: part.text };
    else yield { type: 'content', source: ATTACHED, content: [partOf(part)] };
  }
}

function resultOf({ toolCallId, toolName, output }: Fields): Turn {
  return { type: 'result', id: String(toolCallId), tool: String(toolName), content: contentOf(output) };
}

function* assistantTurns(content: unknown): Generator<Turn> {
  for (const part of listOf(content)) {
    if (part.type === 'tool-call')
      yield { type: 'call', id: String(part.toolCallId), tool: String(part.toolName), arguments: part.input ?? null };
    // What the provider ran itself is replayed by its own id: it cannot be framed, but it was read.
    else if (part.type === 'tool-result') yield resultOf(part);
  }
}

function* toolTurns(content: unknown, message: number): Generator<Placed> {
  for (const [part, fields] of listOf(content).entries()) {
    const isKept =
      fields.type !== 'tool-result' || (isFields(fields.output) && fields.output.type === 'execution-denied');
    if (!isKept) yield { turn: resultOf(fields), place: [message, part] };
  }
}

function unplaced(turns: Iterable<Turn>): Placed[] {
  return Array.from(turns, (turn) => ({ turn, place: undefined }));
}

/** The turns of a prompt, or of the messages it is made from. */
export function turnsOf(messages: readonly unknown[]): readonly Placed[] {
  return messages.flatMap((message, index): readonly Placed[] => {
    const { role, content } = isFields(message) ? message : { role: undefined, content: message };
    switch (role) {
      case 'system':
        return unplaced([{ type: 'policy', text: String(content) }]);
      case 'user':
        return unplaced(userTurns(content));
      case 'assistant':
        return unplaced(assistantTurns(content));
      case 'tool':
        return [...toolTurns(content, index)];
      default:
        return unplaced([{ type: 'content', source: ATTACHED, content: { json: content ?? null } }]);
    }
  });
}
