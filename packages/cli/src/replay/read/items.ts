import { contentOf, type Fields, isFields, type LogEntry, stringOf, unclear, useOf } from './log.ts';

const RESULT = /_output$/;
const CALL = /_call$/;

function typeOf({ type }: Fields): string {
  return stringOf(type) ?? '';
}

/** Whether something is an item of OpenAI's responses that no other format knows. */
export function isItem(item: unknown): item is Fields {
  if (!isFields(item) || item.role !== undefined) return false;
  const type = typeOf(item);
  return RESULT.test(type) || CALL.test(type) || type === 'reasoning' || /^mcp_|^item_reference$/.test(type);
}

const NOT_GIVEN: ReadonlySet<string> = new Set(
  'type id call_id name status output outputs results server_label'.split(' '),
);

/** The arguments of a call. What the provider runs itself has them side by side with the rest. */
function givenIn(item: Fields): unknown {
  const given = item.arguments ?? item.input ?? item.action ?? item.args;
  return given ?? Object.fromEntries(Object.entries(item).filter(([name]) => !NOT_GIVEN.has(name)));
}

/** An item of OpenAI's responses: a call, what it brought, or what the model thought. */
export function itemEntries(item: Fields): LogEntry[] {
  const type = typeOf(item);
  if (type === 'reasoning') return [];
  const id = stringOf(item.call_id) ?? stringOf(item.id);
  if (RESULT.test(type)) return [{ type: 'result', id, tool: undefined, content: contentOf(item.output) }];
  if (!CALL.test(type)) {
    const content: LogEntry = { type: 'content', content: { json: item } };
    // A list of tools is content of the server's; of the others it is not known what they stand for.
    return type === 'mcp_list_tools' ? [content] : [content, unclear(`an item of type "${type.slice(0, 80)}"`)];
  }
  const call = useOf(id, item.name ?? type.replace(CALL, ''), givenIn(item));
  const { output = item.results ?? item.outputs } = item;
  // What the provider ran itself has its result within.
  const brought: LogEntry[] =
    output === undefined || output === null
      ? []
      : [{ type: 'result', id, tool: call.tool, content: contentOf(output) }];
  return [{ type: 'calls', calls: [call] }, ...brought];
}

/** Calls that follow one another were made in one turn. */
export function joined(entries: readonly LogEntry[]): LogEntry[] {
  const all: LogEntry[] = [];
  for (const entry of entries) {
    const last = all.at(-1);
    if (entry.type === 'calls' && last?.type === 'calls')
      all[all.length - 1] = { type: 'calls', calls: [...last.calls, ...entry.calls] };
    else all.push(entry);
  }
  return all;
}
