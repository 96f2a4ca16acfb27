import { source, type Turn } from '@sallyport/core';
import { type Fields, fieldsOf, idOf, isSummary, listOf, partsOf, plainText, roleOf, usesOf } from './message.ts';
import { partOf } from './part.ts';

/** A turn, and where in the messages what it brought stands. */
export interface Placed {
  readonly turn: Turn;
  /** The message whose content is to be replaced; undefined where none is. */
  readonly place: number | undefined;
}

/** What a user hands over beside his words was written by somebody else. */
const ATTACHED = source('external', { name: 'attachment' });
const PROVIDER = source('external', { name: 'provider' });

/** What a model says and asks for by itself. Anything else in its message is what the provider ran. */
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

/** What the provider ran itself is replayed by its own id: it cannot be framed, but it was read. */
function* assistantTurns(message: Fields): Generator<Turn> {
  const { content, additional_kwargs: kwargs, response_metadata: metadata } = message;
  const ran = [listOf(content), listOf(fieldsOf(kwargs).tool_outputs), listOf(fieldsOf(metadata).output)].flat();
  for (const part of ran)
    if (plainText(part) === undefined && !OWN.has(fieldsOf(part).type))
      yield { type: 'content', source: PROVIDER, content: [partOf(part)] };
  for (const use of usesOf(message)) yield { type: 'call', ...use };
}

function resultOf({ tool_call_id: id, name, content }: Fields): Turn {
  const tool = typeof name === 'string' && name !== '' ? { tool: name } : {};
  return { type: 'result', id: idOf(id ?? name), ...tool, content: contentOf(content) };
}

function unplaced(turns: Iterable<Turn>): Placed[] {
  return Array.from(turns, (turn) => ({ turn, place: undefined }));
}

function placedIn(message: unknown, place: number): readonly Placed[] {
  const fields = fieldsOf(message);
  const { content } = fields;
  if (isSummary(fields)) return [{ turn: { type: 'summary', content: contentOf(content) }, place }];
  switch (roleOf(fields)) {
    case 'system':
      return unplaced([{ type: 'policy', text: partsOf(content).map(plainText).join('\n') }]);
    case 'user':
      return unplaced(userTurns(fields));
    case 'assistant':
      return unplaced(assistantTurns(fields));
    case 'tool':
      return [{ turn: resultOf(fields), place }];
    case undefined:
      return [{ turn: { type: 'content', source: ATTACHED, content: contentOf(content) }, place }];
  }
}

/**
 * The turns of messages. The developer's words come last: they have no place among the others, and a tool, which is not told
 * them, then sees the beginning of what the model is sent, so that nothing is taken in twice.
 */
export function turnsOf(messages: readonly unknown[]): readonly Placed[] {
  const placed = messages.flatMap(placedIn);
  const isPolicy = ({ turn }: Placed): boolean => turn.type === 'policy';
  return [...placed.filter((each) => !isPolicy(each)), ...placed.filter(isPolicy)];
}
