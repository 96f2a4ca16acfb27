import { contentOf, type Fields, isFields, type LogEntry, listOf, spoken, stringOf, useOf, wordsIn } from './log.ts';

function partsOf(content: unknown): readonly Fields[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content).filter(isFields);
}

/** What a tool gave: the SDK wraps it, and earlier versions did not. */
function outputOf(part: Fields): unknown {
  const output = part.output ?? part.result;
  return isFields(output) && 'value' in output ? output.value : output;
}

function resultOf(part: Fields): LogEntry {
  return {
    type: 'result',
    id: stringOf(part.toolCallId),
    tool: stringOf(part.toolName),
    content: contentOf(outputOf(part)),
  };
}

function userEntry(part: Fields): LogEntry {
  return part.type === 'text'
    ? { type: 'user', content: stringOf(part.text) ?? '' }
    : { type: 'content', content: { json: part } };
}

function assistantEntries(content: unknown): LogEntry[] {
  const parts = partsOf(content);
  const calls = parts.filter(({ type }) => type === 'tool-call');
  const uses = calls.map(({ toolCallId, toolName, input, args }) => useOf(toolCallId, toolName, input ?? args));
  const words = wordsIn(parts.filter(({ type }) => type === 'text'));
  return [...spoken(words, uses), ...parts.filter(({ type }) => type === 'tool-result').map(resultOf)];
}

/** Messages of the Vercel AI SDK, as it hands them to a model or stores them. */
export function aiSdkEntries(messages: readonly unknown[]): LogEntry[] {
  return messages.filter(isFields).flatMap(({ role, content }): LogEntry[] => {
    switch (role) {
      case 'system':
        return [{ type: 'policy', text: wordsIn(content) }];
      case 'user':
        return partsOf(content).map(userEntry);
      case 'assistant':
        return assistantEntries(content);
      case 'tool':
        return partsOf(content)
          .filter(({ type }) => type === 'tool-result')
          .map(resultOf);
      default:
        return [{ type: 'content', content: { json: content ?? null } }];
    }
  });
}
