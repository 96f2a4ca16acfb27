import { source, type Turn } from '@sallyport/core';
import { type Fields, fieldsOf, listOf, nonEmptyStringOf } from '@sallyport/core/adapter';
import { idOf, isSummary, partsOf, plainText, roleOf, usesOf } from './message.ts';
import { partOf } from './part.ts';

/** A turn, and the position of its content in the messages. */
export interface PositionedTurn {
  readonly turn: Turn;
  /** The message whose content is replaced by a frame; undefined if none is. */
  readonly position: number | undefined;
}

/** Files that the user attaches were written by others. */
const ATTACHED = source('external', { name: 'attachment' });
const PROVIDER = source('external', { name: 'provider' });

/** The types of the model's own parts. All other parts of its messages are results of provider tools. */
const OWN: ReadonlySet<unknown> = new Set([
  ...['text', 'output_text', 'message', 'refusal'],
  ...['reasoning', 'reasoning_content', 'thinking', 'redacted_thinking'],
  ...['tool_call', 'tool_call_chunk', 'invalid_tool_call', 'tool_use', 'function_call', 'functionCall'],
  ...['custom_tool_call', 'server_tool_call', 'server_tool_call_chunk', 'server_tool_use'],
]);

type Parts = Extract<Turn, { type: 'result' }>['content'];

function contentOf(content: unknown): Parts {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map(partOf) : { json: content };
}

function* userTurns({ content }: Fields): Generator<Turn> {
  for (const part of partsOf(content)) {
    const text = plainText(part);
    if (text !== undefined) yield { type: 'user', content: text };
    else yield { type: 'content', source: ATTACHED, content: [partOf(part)] };
  }
}

/** Results of provider tools are sent back under their own ids, so they cannot be framed. The model has read them. */
function* assistantTurns(message: Fields): Generator<Turn> {
  const { content, additional_kwargs: kwargs, response_metadata: metadata } = message;
  const ran = [listOf(content), listOf(fieldsOf(kwargs).tool_outputs), listOf(fieldsOf(metadata).output)].flat();
  for (const part of ran)
    if (plainText(part) === undefined && !OWN.has(fieldsOf(part).type))
      yield { type: 'content', source: PROVIDER, content: [partOf(part)] };
  if (partsOf(content).some((part) => (plainText(part) ?? '') !== '')) yield { type: 'model' };
  for (const use of usesOf(message)) yield { type: 'call', ...use };
}

function resultOf({ tool_call_id: id, name, content }: Fields): Turn {
  return { type: 'result', id: idOf(id ?? name), tool: nonEmptyStringOf(name), content: contentOf(content) };
}

function unpositioned(turns: Iterable<Turn>): PositionedTurn[] {
  return Array.from(turns, (turn) => ({ turn, position: undefined }));
}

function messageTurns(message: unknown, position: number): readonly PositionedTurn[] {
  const fields = fieldsOf(message);
  const { content } = fields;
  if (isSummary(fields)) return [{ turn: { type: 'summary', content: contentOf(content) }, position }];
  switch (roleOf(fields)) {
    case 'system':
      return unpositioned([{ type: 'policy', text: partsOf(content).map(plainText).join('\n') }]);
    case 'user':
      return unpositioned(userTurns(fields));
    case 'assistant':
      return unpositioned(assistantTurns(fields));
    case 'tool':
      return [{ turn: resultOf(fields), position }];
    case undefined:
      return [{ turn: { type: 'content', source: ATTACHED, content: contentOf(content) }, position }];
  }
}

/**
 * The turns of messages. The developer's words come last: a tool does not receive them, and so sees the beginning of what the
 * model is sent. Nothing is recorded twice.
 */
export function turnsOf(messages: readonly unknown[]): readonly PositionedTurn[] {
  const turns = messages.flatMap(messageTurns);
  const isPolicy = ({ turn }: PositionedTurn): boolean => turn.type === 'policy';
  return [...turns.filter((each) => !isPolicy(each)), ...turns.filter(isPolicy)];
}
