import { contentOf, type Fields, isFields, type LogEntry, listOf, spoken, stringOf, useOf, wordsIn } from './log.ts';

const KINDS: Readonly<Record<string, string>> = {
  HumanMessage: 'human',
  AIMessage: 'ai',
  AIMessageChunk: 'ai',
  SystemMessage: 'system',
  ToolMessage: 'tool',
  FunctionMessage: 'tool',
};

/** A message, by whichever of its three written forms: plain, `{ type, data }`, or as a constructor call. */
function plain(message: Fields): Fields {
  if (isFields(message.kwargs)) {
    const name = stringOf(listOf(message.id).at(-1)) ?? '';
    return { type: KINDS[name] ?? name, ...message.kwargs };
  }
  return isFields(message.data) ? { type: message.type, ...message.data } : message;
}

/** Messages of LangChain or of a LangGraph checkpoint. */
export function langchainEntries(messages: readonly unknown[]): LogEntry[] {
  return messages
    .filter(isFields)
    .map(plain)
    .flatMap((message): LogEntry[] => {
      switch (message.type ?? message.role) {
        case 'system':
          return [{ type: 'policy', text: wordsIn(message.content) }];
        case 'human':
        case 'user':
          return [{ type: 'user', content: contentOf(message.content) }];
        case 'ai':
        case 'assistant': {
          const calls = listOf(message.tool_calls).filter(isFields);
          return spoken(
            wordsIn(message.content),
            calls.map(({ id, name, args }) => useOf(id, name, args)),
          );
        }
        case 'tool':
          return [
            {
              type: 'result',
              id: stringOf(message.tool_call_id),
              tool: stringOf(message.name),
              content: contentOf(message.content),
            },
          ];
        default:
          return [{ type: 'content', content: { json: message } }];
      }
    });
}
