import { contentOf, type Fields, isFields, type LogEntry, stringOf, useOf } from './log.ts';

const TOOL = /^tool-(?!call$|result$|approval-)(.+)$/;

/** Whether a part is a call with its result in one, as the AI SDK keeps them for screens. */
export function isUiTool(part: unknown): part is Fields {
  if (!isFields(part) || typeof part.type !== 'string' || typeof part.toolCallId !== 'string') return false;
  return TOOL.test(part.type) || part.type === 'dynamic-tool';
}

/** A call, and what it brought if it has. */
export function uiEntries(part: Fields): LogEntry[] {
  const id = stringOf(part.toolCallId);
  const tool = TOOL.exec(String(part.type))?.[1] ?? part.toolName;
  const given = part.output ?? part.errorText;
  return [
    { type: 'calls', calls: [useOf(id, tool, part.input ?? part.rawInput)] },
    ...(given === undefined ? [] : [{ type: 'result', id, tool: undefined, content: contentOf(given) } as const]),
  ];
}
