import type { ToolCall } from '@sallyport/core';
import { type Fields, fieldsOf, isFields, listOf, stringOf } from '@sallyport/core/adapter';
import { isFilled, type LogEntry, toolCallOf, unclear } from './log.ts';

const USE = /(?:^|_)tool_use$|^tool[-_]call$/;
const CALL_LIKE = /tool|call|function/i;

/** Recognizes a call of Anthropic, the AI SDK or OpenTelemetry in the model's message. */
export function isCall(part: unknown): boolean {
  return isFields(part) && typeof part.type === 'string' && USE.test(part.type);
}

export function isCallLike(name: unknown): boolean {
  return typeof name === 'string' && CALL_LIKE.test(name) && name !== 'tool_call_id';
}

/** The object in which a call names its tool. */
function innerOf(call: Fields): Fields {
  return isFields(call.function) ? call.function : isFields(call.custom) ? call.custom : call;
}

function argumentsIn({ arguments: values, args, input }: Fields): unknown {
  return values ?? args ?? input;
}

/** Reads a call in any of its forms. */
function callOf(call: Fields): ToolCall {
  const inner = innerOf(call);
  const name = stringOf(inner.name) ?? stringOf(call.toolName) ?? stringOf(call.tool);
  // The input of a custom tool is plain text, even if it looks like JSON.
  const values = inner === call.custom ? { input: inner.input } : argumentsIn(inner);
  return toolCallOf(call.id ?? call.toolCallId, name, values);
}

/** The parts of a call that cannot be read, if any. */
function unclearOf(call: unknown): readonly LogEntry[] {
  if (!isFields(call) || callOf(call).tool === 'unknown') return [unclear('a call without the name of a tool')];
  const inner = innerOf(call);
  const isMissed = argumentsIn(inner) === undefined && Object.values(inner).some(isFields);
  return isMissed ? [unclear('a call with arguments in an unknown form')] : [];
}

/** The older `function_call` field, which has no id. */
function functionCallOf({ function_call: called }: Fields): readonly unknown[] {
  return isFields(called) ? [{ ...called, id: 'function_call' }] : [];
}

/** The calls of a message, once for each field that may contain them. */
function formsOf(message: Fields, parts: readonly unknown[]): readonly (readonly unknown[])[] {
  const { tool_calls: listed, calls, additional_kwargs: kwargs } = message;
  const additional = fieldsOf(kwargs);
  return [
    listOf(listed),
    functionCallOf(message),
    listOf(calls),
    parts.filter(isCall),
    listOf(additional.tool_calls),
    functionCallOf(additional),
  ];
}

export interface Called {
  readonly calls: readonly ToolCall[];
  readonly unclear: readonly LogEntry[];
}

/** The calls of a message. Some frameworks write a call in several fields: calls with the same id are the same. */
export function callsOf(message: Fields, parts: readonly unknown[]): Called {
  const calls: ToolCall[] = [];
  const broken: LogEntry[] = [];
  for (const form of formsOf(message, parts)) {
    const ids = new Set(calls.map(({ id }) => id));
    for (const each of form) {
      const call = isFields(each) ? callOf(each) : undefined;
      broken.push(...unclearOf(each));
      if (call !== undefined && !ids.has(call.id)) calls.push(call);
    }
  }
  if (calls.length > 0 || broken.length > 0) return { calls, unclear: broken };
  const additional = Object.entries(fieldsOf(message.additional_kwargs));
  const keys = [...Object.entries(message), ...additional].filter(([key, value]) => isCallLike(key) && isFilled(value));
  return { calls, unclear: keys.map(([key]) => unclear(`the field "${key}", in which no call could be read`)) };
}
