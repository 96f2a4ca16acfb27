import { contentOf, type Fields, isFields, type LogEntry, listOf, spoken, stringOf, useOf } from './log.ts';

/** Messages of our own trace format: `{ role, text, calls: [{ id, tool, args }], callId, tool, error }`. */
export function traceEntries(messages: readonly unknown[]): LogEntry[] {
  return messages.filter(isFields).flatMap((message: Fields): LogEntry[] => {
    const text = stringOf(message.text) ?? '';
    switch (message.role) {
      case 'system':
        return [{ type: 'policy', text }];
      case 'user':
        return [{ type: 'user', content: text }];
      case 'assistant': {
        const calls = listOf(message.calls).filter(isFields);
        return spoken(
          text,
          calls.map(({ id, tool, args }) => useOf(id, tool, args)),
        );
      }
      default: {
        const content = text === '' ? (stringOf(message.error) ?? '') : text;
        return [
          { type: 'result', id: stringOf(message.callId), tool: stringOf(message.tool), content: contentOf(content) },
        ];
      }
    }
  });
}
