import { type Fields, isFields, stringOf } from '@sallyport/core/adapter';
import { contentOf, type LogEntry, toolCallOf, unclear } from './log.ts';

const RESULT = /_output$/;
const CALL = /_call$/;

function typeOf({ type }: Fields): string {
  return stringOf(type) ?? '';
}

/** Recognizes an item of OpenAI's Responses API that no other format has. */
export function isItem(item: unknown): item is Fields {
  if (!isFields(item) || item.role !== undefined) return false;
  const type = typeOf(item);
  return RESULT.test(type) || CALL.test(type) || type === 'reasoning' || /^mcp_|^item_reference$/.test(type);
}

const NOT_ARGUMENTS: ReadonlySet<string> = new Set(
  'type id call_id name status output outputs results server_label'.split(' '),
);

/** The arguments of a call. Tools that the provider runs have their arguments among the other fields. */
function argumentsIn(item: Fields): unknown {
  const values = item.arguments ?? item.input ?? item.action ?? item.args;
  return values ?? Object.fromEntries(Object.entries(item).filter(([name]) => !NOT_ARGUMENTS.has(name)));
}

/** The entries of an item of OpenAI's Responses API: a call, a result, or reasoning. */
export function itemEntries(item: Fields): LogEntry[] {
  const type = typeOf(item);
  if (type === 'reasoning') return [];
  const id = stringOf(item.call_id) ?? stringOf(item.id);
  if (RESULT.test(type)) return [{ type: 'result', id, tool: undefined, content: contentOf(item.output) }];
  if (!CALL.test(type)) {
    const content: LogEntry = { type: 'content', content: { json: item } };
    // A list of tools is content of the server. The meaning of other items is unknown.
    return type === 'mcp_list_tools' ? [content] : [content, unclear(`an item of type "${type.slice(0, 80)}"`)];
  }
  const call = toolCallOf(id, item.name ?? type.replace(CALL, ''), argumentsIn(item));
  const { output = item.results ?? item.outputs } = item;
  // A call that the provider ran contains its result.
  const result: LogEntry[] =
    output === undefined || output === null
      ? []
      : [{ type: 'result', id, tool: call.tool, content: contentOf(output) }];
  return [{ type: 'calls', calls: [call] }, ...result];
}

/** Merges consecutive calls: they were made in one turn. */
export function mergeCalls(entries: readonly LogEntry[]): LogEntry[] {
  const merged: LogEntry[] = [];
  for (const entry of entries) {
    const last = merged.at(-1);
    if (entry.type === 'calls' && last?.type === 'calls')
      merged[merged.length - 1] = { type: 'calls', calls: [...last.calls, ...entry.calls] };
    else merged.push(entry);
  }
  return merged;
}
