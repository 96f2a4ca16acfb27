import { source, type Turn } from '@sallyport/core';
import type { Framed } from '@sallyport/core/stages';
import { type Fields, isFields, partOf, textOf } from './part.ts';
import { outputResult, type Result, screenResult, shellResult } from './result.ts';

/** A turn, and the item that shows its frame; undefined where the item stays as it is. */
export interface Placed {
  readonly turn: Turn;
  readonly put: ((framed: Framed) => Fields) | undefined;
}

/** Who wrote what stands as the user's message: in a run inside a tool a model did, and its words vouch for nothing. */
export type Speaker = 'user' | 'model';

/** What a user hands over beside his words was written by somebody else. */
const ATTACHED = source('external', { name: 'attachment' });

/** A tool by its name, and by its namespace where it has one, as the SDK calls it. */
export function toolName(name: string, namespace: unknown): string {
  return typeof namespace !== 'string' || namespace === '' || namespace === name ? name : `${namespace}.${name}`;
}

/** The arguments of a call. What is no JSON object is still judged, as one text. */
export function argumentsOf(given: unknown): unknown {
  if (typeof given !== 'string') return given ?? null;
  try {
    const value: unknown = JSON.parse(given);
    return typeof value === 'string' ? { input: value } : value;
  } catch {
    return { input: given };
  }
}

function unplaced(turns: Iterable<Turn>): Placed[] {
  return Array.from(turns, (turn) => ({ turn, put: undefined }));
}

function* userTurns(content: unknown, speaker: Speaker): Generator<Turn> {
  const parts = typeof content === 'string' ? [{ type: 'input_text', text: content }] : content;
  for (const part of Array.isArray(parts) ? parts : [parts]) {
    const read = partOf(part);
    if (read.type !== 'text') yield { type: 'content', source: ATTACHED, content: [read] };
    else if (speaker === 'user') yield { type: 'user', content: read.text };
  }
}

function messageTurns({ role, content }: Fields, speaker: Speaker): Iterable<Turn> {
  switch (role) {
    case 'system':
      return [{ type: 'policy', text: typeof content === 'string' ? content : JSON.stringify(content) }];
    case 'user':
      return userTurns(content, speaker);
    case 'assistant':
      return [];
    default:
      return [{ type: 'content', source: ATTACHED, content: { json: content ?? null } }];
  }
}

function callTurn({ callId }: Fields, tool: string, given: unknown): Placed[] {
  return unplaced([{ type: 'call', id: String(callId), tool, arguments: argumentsOf(given) }]);
}

function resultTurn({ callId }: Fields, tool: string | undefined, { content, put }: Result): Placed[] {
  return [{ turn: { type: 'result', id: String(callId), tool, content }, put }];
}

/** What the provider ran itself, or what nobody knows yet: it is replayed as it came, but it was read. */
function readTurn(item: Fields): Placed[] {
  const name = textOf(item.name) ?? textOf(item.type) ?? 'unknown';
  return unplaced([
    { type: 'content', source: source('external', { name: name.slice(0, 64) }), content: { json: item } },
  ]);
}

const BY_PROVIDER: ReadonlySet<unknown> = new Set(['program_output', 'tool_search_output']);

/** What looks like the result of a tool is framed like one. */
function otherTurns(item: Fields): Placed[] {
  const { type, name, output } = item;
  const isResult = /_(?:output|result)$/.test(String(type)) && output !== undefined && !BY_PROVIDER.has(type);
  return isResult ? resultTurn(item, textOf(name), outputResult(item)) : readTurn(item);
}

function itemTurns(item: Fields, speaker: Speaker): readonly Placed[] {
  const { type = 'message', name, namespace } = item;
  switch (type) {
    case 'message':
      return unplaced(messageTurns(item, speaker));
    case 'reasoning':
      return [];
    case 'function_call':
      return callTurn(item, toolName(String(name), namespace), item.arguments);
    case 'function_call_result':
      return resultTurn(item, textOf(name) && toolName(String(name), namespace), outputResult(item));
    case 'shell_call':
      return callTurn(item, 'shell', item.action);
    case 'shell_call_output':
      return resultTurn(item, 'shell', shellResult(item));
    case 'apply_patch_call':
      return callTurn(item, 'apply_patch', item.operation);
    case 'apply_patch_call_output':
      return item.output === undefined ? [] : resultTurn(item, 'apply_patch', outputResult(item));
    case 'computer_call':
      return callTurn(item, 'computer', { actions: item.actions ?? [item.action] });
    case 'computer_call_result':
      return resultTurn(item, 'computer', screenResult(item));
    case 'compaction':
      return unplaced([{ type: 'summary', content: { json: item } }]);
    default:
      return otherTurns(item);
  }
}

/** The turns of a history, item by item: none, one, or as many as a message has parts. */
export function turnsOf(input: unknown, speaker: Speaker): readonly (readonly Placed[])[] {
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  return (Array.isArray(items) ? items : [items]).map((item) =>
    isFields(item) ? itemTurns(item, speaker) : readTurn({ type: 'unknown', item }),
  );
}
