import { type Fields, isFields, stringOf } from '@sallyport/core/adapter';
import { contentOf, type LogEntry, toolCallOf } from './log.ts';

const TOOL = /^tool-(?!call$|result$|approval-)(.+)$/;

/** Recognizes a call together with its result, as in the AI SDK's UI messages. */
export function isUiTool(part: unknown): part is Fields {
  if (!isFields(part) || typeof part.type !== 'string' || typeof part.toolCallId !== 'string') return false;
  return TOOL.test(part.type) || part.type === 'dynamic-tool';
}

/** A call, and its result if there is one. */
export function uiEntries(part: Fields): LogEntry[] {
  const id = stringOf(part.toolCallId);
  const tool = TOOL.exec(String(part.type))?.[1] ?? part.toolName;
  const result = part.output ?? part.errorText;
  return [
    { type: 'calls', calls: [toolCallOf(id, tool, part.input ?? part.rawInput)] },
    ...(result === undefined ? [] : [{ type: 'result', id, tool: undefined, content: contentOf(result) } as const]),
  ];
}
