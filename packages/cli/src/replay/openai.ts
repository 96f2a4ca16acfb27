import { contentOf, type Fields, isFields, type LogEntry, listOf, spoken, stringOf, useOf, wordsIn } from './log.ts';

function callsOf(message: Fields): ReturnType<typeof useOf>[] {
  const calls = listOf(message.tool_calls)
    .filter(isFields)
    .map(({ id, function: called, custom }) => {
      const { name, arguments: given, input } = (isFields(called) ? called : isFields(custom) ? custom : {}) as Fields;
      return useOf(id, name, given ?? (input === undefined ? undefined : { input }));
    });
  const { function_call: old } = message;
  return isFields(old) ? [...calls, useOf('function_call', old.name, old.arguments)] : calls;
}

/** Messages of OpenAI's chat completions. */
export function chatEntries(messages: readonly unknown[]): LogEntry[] {
  return messages.filter(isFields).flatMap((message): LogEntry[] => {
    switch (message.role) {
      case 'system':
      case 'developer':
        return [{ type: 'policy', text: wordsIn(message.content) }];
      case 'user':
        return [{ type: 'user', content: contentOf(message.content) }];
      case 'assistant':
        return spoken(wordsIn(message.content), callsOf(message));
      case 'tool':
      case 'function': {
        const id = stringOf(message.tool_call_id) ?? (message.role === 'function' ? 'function_call' : undefined);
        return [{ type: 'result', id, tool: stringOf(message.name), content: contentOf(message.content) }];
      }
      default:
        return [{ type: 'content', content: { json: message } }];
    }
  });
}

const RESULT = /_output$/;
const CALL = /_call$/;

function itemEntries(item: Fields): LogEntry[] {
  const type = stringOf(item.type) ?? 'message';
  if (type === 'message') return chatEntries([item]);
  if (type === 'reasoning') return [];
  if (RESULT.test(type))
    return [
      {
        type: 'result',
        id: stringOf(item.call_id) ?? stringOf(item.id),
        tool: undefined,
        content: contentOf(item.output),
      },
    ];
  if (!CALL.test(type)) return [{ type: 'content', content: { json: item } }];
  const id = stringOf(item.call_id) ?? stringOf(item.id);
  const call = useOf(id, item.name ?? type.replace(CALL, ''), item.arguments ?? item.input ?? item.action);
  const { output = item.results ?? item.outputs } = item;
  // What the provider ran itself has its result within.
  const brought: LogEntry[] =
    output === undefined || output === null
      ? []
      : [{ type: 'result', id, tool: call.tool, content: contentOf(output) }];
  return [{ type: 'calls', calls: [call] }, ...brought];
}

/** Calls that follow one another were made in one turn. */
function joined(entries: readonly LogEntry[]): LogEntry[] {
  const all: LogEntry[] = [];
  for (const entry of entries) {
    const last = all.at(-1);
    if (entry.type === 'calls' && last?.type === 'calls')
      all[all.length - 1] = { type: 'calls', calls: [...last.calls, ...entry.calls] };
    else all.push(entry);
  }
  return all;
}

/** Items of OpenAI's responses: what was sent and, behind it, what came back. */
export function responsesEntries({ instructions, input, output }: Fields): LogEntry[] {
  const policy: LogEntry[] = typeof instructions === 'string' ? [{ type: 'policy', text: instructions }] : [];
  const asked: LogEntry[] = typeof input === 'string' ? [{ type: 'user', content: input }] : [];
  const items = [...listOf(input), ...listOf(output)].filter(isFields);
  return [...policy, ...asked, ...joined(items.flatMap(itemEntries))];
}
