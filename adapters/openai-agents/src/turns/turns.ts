import { source, type Turn } from '@sallyport/core';
import { type Fields, isFields, nonEmptyStringOf } from '@sallyport/core/adapter';
import { parseJson } from '@sallyport/core/json';
import type { Framed } from '@sallyport/core/stages';
import { partOf } from './part.ts';
import { outputResult, type Result, screenResult, shellResult } from './result.ts';

/** A turn, and the item with its frame; undefined if the item stays unchanged. */
export interface ItemTurn {
  readonly turn: Turn;
  readonly put: ((framed: Framed) => Fields) | undefined;
}

/** The author of the user's message. In a run inside a tool it is a model, whose words vouch for nothing. */
export type Speaker = 'user' | 'model';

/** Files that the user attaches were written by others. */
const ATTACHED = source('external', { name: 'attachment' });

/** The SDK's name for a tool: its name, with its namespace if it has one. */
export function toolName(name: string, namespace: unknown): string {
  return typeof namespace !== 'string' || namespace === '' || namespace === name ? name : `${namespace}.${name}`;
}

/** The arguments of a call, parsed. Text that is not JSON becomes the one argument `input`. */
export function argumentsOf(given: unknown): unknown {
  if (typeof given !== 'string') return given ?? null;
  try {
    const value: unknown = parseJson(given);
    return typeof value === 'string' ? { input: value } : value;
  } catch {
    return { input: given };
  }
}

function unchanged(turns: Iterable<Turn>): ItemTurn[] {
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
      return [{ type: 'model' }];
    default:
      return [{ type: 'content', source: ATTACHED, content: { json: content ?? null } }];
  }
}

function callTurn({ callId }: Fields, tool: string, given: unknown): ItemTurn[] {
  return unchanged([{ type: 'call', id: String(callId), tool, arguments: argumentsOf(given) }]);
}

function resultTurn({ callId }: Fields, tool: string | undefined, { content, put }: Result): ItemTurn[] {
  return [{ turn: { type: 'result', id: String(callId), tool, content }, put }];
}

/** An item of a provider tool, or of an unknown type. It is sent back unchanged. The model has read it. */
function readTurn(item: Fields): ItemTurn[] {
  const name = nonEmptyStringOf(item.name) ?? nonEmptyStringOf(item.type) ?? 'unknown';
  return unchanged([
    { type: 'content', source: source('external', { name: name.slice(0, 64) }), content: { json: item } },
  ]);
}

const BY_PROVIDER: ReadonlySet<unknown> = new Set(['program_output', 'tool_search_output']);

/** An item that looks like the result of a tool is framed like one. */
function otherTurns(item: Fields): ItemTurn[] {
  const { type, name, output } = item;
  const isResult = /_(?:output|result)$/.test(String(type)) && output !== undefined && !BY_PROVIDER.has(type);
  return isResult ? resultTurn(item, nonEmptyStringOf(name), outputResult(item)) : readTurn(item);
}

function itemTurns(item: Fields, speaker: Speaker): readonly ItemTurn[] {
  const { type = 'message', name, namespace } = item;
  switch (type) {
    case 'message':
      return unchanged(messageTurns(item, speaker));
    case 'reasoning':
      return [];
    case 'function_call':
      return callTurn(item, toolName(String(name), namespace), item.arguments);
    case 'function_call_result':
      return resultTurn(item, nonEmptyStringOf(name) && toolName(String(name), namespace), outputResult(item));
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
      return unchanged([{ type: 'summary', content: { json: item } }]);
    default:
      return otherTurns(item);
  }
}

/** The turns of a history, item by item: none, one, or as many as a message has parts. */
export function turnsOf(input: unknown, speaker: Speaker): readonly (readonly ItemTurn[])[] {
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  return (Array.isArray(items) ? items : [items]).map((item) =>
    isFields(item) ? itemTurns(item, speaker) : readTurn({ type: 'unknown', item }),
  );
}
