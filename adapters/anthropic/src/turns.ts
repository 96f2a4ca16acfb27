import { type Content, type ContentPart, source, type ToolCall, type Turn } from '@sallyport/core';
import type { Framed } from '@sallyport/core/stages';
import { readBlock, readBlocks } from './block.ts';
import { blocksOf, type Fields, isFields, textOf } from './fields.ts';

interface Read {
  readonly turn: Turn;
  /** What stands in place of the block once its turn is framed; undefined where it stays as it is. */
  readonly show?: (framed: Framed) => readonly Fields[];
}

/** A turn, and where in the messages it stands. */
export interface Placed extends Read {
  readonly message: number;
  readonly block: number;
}

/** What a user hands over beside his words was written by somebody else. */
const ATTACHED = source('external', { name: 'attachment' });
const PROVIDED = source('external', { name: 'provider' });

const NAMELESS = 'unknown';

/** A toolset and a server of the provider may have a tool of the same name as one of the developer's. */
function toolOf({ name, toolset_name, server_name }: Fields): string {
  const family = textOf(toolset_name) ?? textOf(server_name);
  const own = textOf(name) ?? NAMELESS;
  return family === undefined ? own : `${family}.${own}`;
}

/** A tool use, as a block of a message or as a tool is told of it. */
export function useOf(block: Fields): ToolCall {
  const { input } = block;
  // A model that fails to write JSON is taken at its word.
  const given = typeof input === 'string' ? { input } : (input ?? null);
  return { id: textOf(block.id) ?? NAMELESS, tool: toolOf(block), arguments: given };
}

/** What a tool gave back, whatever its form, and how its frame is written in that form. */
function readResult(value: unknown): { readonly content: Content; show(framed: Framed): unknown } {
  if (Array.isArray(value)) {
    const { parts, show } = readBlocks(value);
    return { content: parts, show: ({ pieces }) => show(pieces) };
  }
  const part: ContentPart = typeof value === 'string' ? { type: 'text', text: value } : { type: 'json', value };
  return { content: [part], show: ({ text }) => text };
}

function resultTurn(block: Fields): Read | undefined {
  if (block.content === undefined) return undefined;
  const { content, show } = readResult(block.content);
  const turn: Turn = { type: 'result', id: textOf(block.tool_use_id) ?? NAMELESS, content };
  return { turn, show: (framed) => [{ ...block, content: show(framed) }] };
}

/** The client's own compaction, which later versions gave up, puts words of the model in place of all that was said. */
function isSummary(text: string): boolean {
  return text.trimStart().startsWith('<summary>');
}

function isFramable({ type, source: from }: Fields): boolean {
  const inside = isFields(from) ? from.type : undefined;
  return type === 'search_result' || (type === 'document' && (inside === 'text' || inside === 'content'));
}

function userTurn(block: Fields): Read | undefined {
  if (block.type === 'tool_result') return resultTurn(block);
  if (block.type === 'text' && typeof block.text === 'string') {
    const { text } = block;
    if (!isSummary(text)) return { turn: { type: 'user', content: text } };
    return { turn: { type: 'summary', content: text }, show: (framed) => [{ ...block, text: framed.text }] };
  }
  const { parts, show } = readBlock(block);
  const turn: Turn = { type: 'content', source: ATTACHED, content: parts };
  return isFramable(block) ? { turn, show: ({ pieces }) => show(pieces) } : { turn };
}

/** What only the provider can read says nothing, and would fill the place of what does. */
function legible(value: unknown): unknown {
  const text = JSON.stringify(value ?? null, (name, member) => (name.startsWith('encrypted_') ? undefined : member));
  return JSON.parse(text);
}

const OWN: ReadonlySet<unknown> = new Set(['text', 'thinking', 'redacted_thinking', 'fallback']);
const USES: ReadonlySet<unknown> = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use']);

function assistantTurn(block: Fields): Read | undefined {
  if (OWN.has(block.type)) return undefined;
  if (USES.has(block.type)) return { turn: { type: 'call', ...useOf(block) } };
  if (block.type === 'compaction') {
    const summary = textOf(block.content);
    return summary === undefined ? undefined : { turn: { type: 'summary', content: summary } };
  }
  const id = textOf(block.tool_use_id);
  // What the provider ran itself has to come back as it was: it cannot be framed, but it was read.
  if (id !== undefined) return { turn: { type: 'result', id, content: readResult(legible(block.content)).content } };
  return { turn: { type: 'content', source: PROVIDED, content: { json: legible(block) } } };
}

/** Whether a block of a reply brings what the model has read, beside its own words and calls. */
export function isProvided(block: unknown): boolean {
  const read = isFields(block) ? assistantTurn(block) : undefined;
  return read !== undefined && read.turn.type !== 'call';
}

function systemTurn({ type, text }: Fields): Read | undefined {
  return type === 'text' && typeof text === 'string' ? { turn: { type: 'policy', text } } : undefined;
}

function turnOf(role: unknown, block: unknown): Read | undefined {
  if (isFields(block)) {
    if (role === 'user') return userTurn(block);
    if (role === 'assistant') return assistantTurn(block);
    if (role === 'system') return systemTurn(block);
  }
  return { turn: { type: 'content', source: ATTACHED, content: { json: block } } };
}

function placedIn(message: unknown, index: number): readonly Placed[] {
  const { role, content } = isFields(message) ? message : ({ content: message } as Fields);
  return blocksOf(content).flatMap((block, at) => {
    const read = turnOf(role, block);
    return read === undefined ? [] : [{ ...read, message: index, block: at }];
  });
}

/** Results by the tools that were called for them, where the request says so: some models use an id twice. */
function withTools(placed: readonly Placed[]): readonly Placed[] {
  const called = new Map<string, string>();
  return placed.map((each) => {
    const { turn } = each;
    if (turn.type === 'call') called.set(turn.id, turn.tool);
    return turn.type === 'result' ? { ...each, turn: { ...turn, tool: called.get(turn.id) } } : each;
  });
}

export function messagesOf({ messages }: Fields): readonly unknown[] {
  if (!Array.isArray(messages)) throw new TypeError('A request without a list of messages cannot be shown to a model.');
  return messages;
}

/** The turns of a request in their order. The system prompt stands before all messages. */
export function turnsOf(body: Fields): readonly Placed[] {
  const policy = placedIn({ role: 'system', content: body.system }, -1);
  return withTools([...policy, ...messagesOf(body).flatMap(placedIn)]);
}
