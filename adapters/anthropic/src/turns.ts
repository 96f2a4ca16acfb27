import { type Content, type ContentPart, source, type ToolCall, type Turn } from '@sallyport/core';
import { type Fields, fieldsOf, isFields, nonEmptyStringOf } from '@sallyport/core/adapter';
import { parseJson } from '@sallyport/core/json';
import type { Framed } from '@sallyport/core/stages';
import { readBlock, readBlocks } from './block.ts';
import { blocksOf } from './blocks.ts';

interface ShownTurn {
  readonly turn: Turn;
  /** The blocks that replace the block once its turn is framed; undefined if it stays unchanged. */
  readonly show?: (framed: Framed) => readonly Fields[];
}

/** A turn, and its position in the messages. */
export interface PositionedTurn extends ShownTurn {
  readonly message: number;
  readonly block: number;
}

/** Files that the user attaches were written by others. */
const ATTACHED = source('external', { name: 'attachment' });
const PROVIDED = source('external', { name: 'provider' });

const NAMELESS = 'unknown';

/** A toolset and an MCP server of the provider may have a tool with the same name as one of yours. */
function toolOf({ name, toolset_name, server_name }: Fields): string {
  const namespace = nonEmptyStringOf(toolset_name) ?? nonEmptyStringOf(server_name);
  const own = nonEmptyStringOf(name) ?? NAMELESS;
  return namespace === undefined ? own : `${namespace}.${own}`;
}

/** The call of a tool use block. */
export function useOf(block: Fields): ToolCall {
  const { input } = block;
  // An input that is not valid JSON is checked as one text.
  const given = typeof input === 'string' ? { input } : (input ?? null);
  return { id: nonEmptyStringOf(block.id) ?? NAMELESS, tool: toolOf(block), arguments: given };
}

/** A tool's result in any of its forms, and its frame in the same form. */
function readResult(value: unknown): { readonly content: Content; show(framed: Framed): unknown } {
  if (Array.isArray(value)) {
    const { parts, show } = readBlocks(value);
    return { content: parts, show: ({ pieces }) => show(pieces) };
  }
  const part: ContentPart = typeof value === 'string' ? { type: 'text', text: value } : { type: 'json', value };
  return { content: [part], show: ({ text }) => text };
}

function resultTurn(block: Fields): ShownTurn | undefined {
  if (block.content === undefined) return undefined;
  const { content, show } = readResult(block.content);
  const turn: Turn = { type: 'result', id: nonEmptyStringOf(block.tool_use_id) ?? NAMELESS, content };
  return { turn, show: (framed) => [{ ...block, content: show(framed) }] };
}

/** The compaction of older SDK versions replaces the history with a summary that the model wrote. */
function isSummary(text: string): boolean {
  return text.trimStart().startsWith('<summary>');
}

function isFramable({ type, source: from }: Fields): boolean {
  const { type: kind } = fieldsOf(from);
  return type === 'search_result' || (type === 'document' && (kind === 'text' || kind === 'content'));
}

function userTurn(block: Fields): ShownTurn | undefined {
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

/** Drops encrypted members: only the provider can read them, and they would use up the size limit. */
function legible(value: unknown): unknown {
  const text = JSON.stringify(value ?? null, (name, member) => (name.startsWith('encrypted_') ? undefined : member));
  return parseJson(text);
}

const OWN: ReadonlySet<unknown> = new Set(['text', 'thinking', 'redacted_thinking', 'fallback']);
const USES: ReadonlySet<unknown> = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use']);

function assistantTurn(block: Fields): ShownTurn | undefined {
  if (OWN.has(block.type)) return block.type === 'text' ? { turn: { type: 'model' } } : undefined;
  if (USES.has(block.type)) return { turn: { type: 'call', ...useOf(block) } };
  if (block.type === 'compaction') {
    const summary = nonEmptyStringOf(block.content);
    return summary === undefined ? undefined : { turn: { type: 'summary', content: summary } };
  }
  const id = nonEmptyStringOf(block.tool_use_id);
  // The result of a tool that the provider ran has to be sent back unchanged, so it cannot be framed. The model has read it.
  if (id !== undefined) return { turn: { type: 'result', id, content: readResult(legible(block.content)).content } };
  return { turn: { type: 'content', source: PROVIDED, content: { json: legible(block) } } };
}

/** Recognizes a block of a reply that has content which the model has read, and not only its own words and calls. */
export function isProvided(block: unknown): boolean {
  const read = isFields(block) ? assistantTurn(block) : undefined;
  return read !== undefined && read.turn.type !== 'call' && read.turn.type !== 'model';
}

function systemTurn({ type, text }: Fields): ShownTurn | undefined {
  return type === 'text' && typeof text === 'string' ? { turn: { type: 'policy', text } } : undefined;
}

function turnOf(role: unknown, block: unknown): ShownTurn | undefined {
  if (isFields(block)) {
    if (role === 'user') return userTurn(block);
    if (role === 'assistant') return assistantTurn(block);
    if (role === 'system') return systemTurn(block);
  }
  return { turn: { type: 'content', source: ATTACHED, content: { json: block } } };
}

function messageTurns(message: unknown, index: number): readonly PositionedTurn[] {
  const { role, content } = isFields(message) ? message : ({ content: message } as Fields);
  return blocksOf(content).flatMap((block, at) => {
    const read = turnOf(role, block);
    return read === undefined ? [] : [{ ...read, message: index, block: at }];
  });
}

/** Adds to each result the tool whose call precedes it in the request: some models use an id twice. */
function withTools(turns: readonly PositionedTurn[]): readonly PositionedTurn[] {
  const called = new Map<string, string>();
  return turns.map((each) => {
    const { turn } = each;
    if (turn.type === 'call') called.set(turn.id, turn.tool);
    return turn.type === 'result' ? { ...each, turn: { ...turn, tool: called.get(turn.id) } } : each;
  });
}

export function messagesOf({ messages }: Fields): readonly unknown[] {
  if (!Array.isArray(messages)) throw new TypeError(`\`messages\` must be a list; received ${typeof messages}.`);
  return messages;
}

/** The turns of a request in order. The system prompt precedes all messages. */
export function turnsOf(body: Fields): readonly PositionedTurn[] {
  const policy = messageTurns({ role: 'system', content: body.system }, -1);
  return withTools([...policy, ...messagesOf(body).flatMap(messageTurns)]);
}
