import { type Content, source, type Turn } from '@sallyport/core';
import { type Fields, fieldsOf, isFields } from '@sallyport/core/adapter';
import { partOf } from './part.ts';

/** A turn, and the position of its content in the messages. */
export interface PositionedTurn {
  readonly turn: Turn;
  /** The message and the part whose output is replaced by a frame; undefined if nothing is replaced. */
  readonly position: readonly [message: number, part: number] | undefined;
}

/** Files that the user attaches were written by others. */
const ATTACHED = source('external', { name: 'attachment' });

/** The parts of a message, in order. An item that is not an object becomes a part of an unknown type. */
function partsOf(content: unknown): readonly Fields[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.map((part) => (isFields(part) ? part : { type: 'unknown', part })) : [];
}

/** A tool's output in any of its forms, as content. */
function contentOf(output: unknown): Content {
  if (!isFields(output)) return { json: output ?? null };
  const { type, value } = output;
  if ((type === 'text' || type === 'error-text') && typeof value === 'string') return value;
  if (type === 'content' && Array.isArray(value)) return value.map(partOf);
  return { json: value ?? output };
}

function* userTurns(content: unknown): Generator<Turn> {
  for (const part of partsOf(content)) {
    if (part.type === 'text' && typeof part.text === 'string') yield { type: 'user', content: part.text };
    else yield { type: 'content', source: ATTACHED, content: [partOf(part)] };
  }
}

function resultOf({ toolCallId, toolName, output }: Fields): Turn {
  return { type: 'result', id: String(toolCallId), tool: String(toolName), content: contentOf(output) };
}

function* assistantTurns(content: unknown): Generator<Turn> {
  for (const part of partsOf(content)) {
    if (part.type === 'tool-call')
      yield { type: 'call', id: String(part.toolCallId), tool: String(part.toolName), arguments: part.input ?? null };
    // A result of a tool that the provider ran is sent back under its own id, so it cannot be framed. The model has read it.
    else if (part.type === 'tool-result') yield resultOf(part);
    else if (part.type === 'text') yield { type: 'model' };
  }
}

function* toolTurns(content: unknown, message: number): Generator<PositionedTurn> {
  for (const [part, fields] of partsOf(content).entries()) {
    const isKept = fields.type !== 'tool-result' || fieldsOf(fields.output).type === 'execution-denied';
    if (!isKept) yield { turn: resultOf(fields), position: [message, part] };
  }
}

function unpositioned(turns: Iterable<Turn>): PositionedTurn[] {
  return Array.from(turns, (turn) => ({ turn, position: undefined }));
}

/** The turns of a prompt, or of the messages from which it is built. */
export function turnsOf(messages: readonly unknown[]): readonly PositionedTurn[] {
  return messages.flatMap((message, index): readonly PositionedTurn[] => {
    const { role, content } = isFields(message) ? message : { role: undefined, content: message };
    switch (role) {
      case 'system':
        return unpositioned([{ type: 'policy', text: String(content) }]);
      case 'user':
        return unpositioned(userTurns(content));
      case 'assistant':
        return unpositioned(assistantTurns(content));
      case 'tool':
        return [...toolTurns(content, index)];
      default:
        return unpositioned([{ type: 'content', source: ATTACHED, content: { json: content ?? null } }]);
    }
  });
}
