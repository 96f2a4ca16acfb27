import type { ToolCall } from '@sallyport/core';
import { type Fields, isFields, isFilled, type LogEntry, listOf, stringOf, unclear, useOf } from './log.ts';

const USE = /(?:^|_)tool_use$|^tool[-_]call$/;
const CALL_LIKE = /tool|call|function/i;

/** Whether a part of the model's message is a call: Anthropic's, the AI SDK's, OpenTelemetry's. */
export function isCall(part: unknown): boolean {
  return isFields(part) && typeof part.type === 'string' && USE.test(part.type);
}

export function isCallLike(name: unknown): boolean {
  return typeof name === 'string' && CALL_LIKE.test(name) && name !== 'tool_call_id';
}

/** The table in which a call names its tool. */
function innerOf(call: Fields): Fields {
  return isFields(call.function) ? call.function : isFields(call.custom) ? call.custom : call;
}

function givenIn({ arguments: given, args, input }: Fields): unknown {
  return given ?? args ?? input;
}

/** A call by whichever of its written forms. */
function callOf(call: Fields): ToolCall {
  const inner = innerOf(call);
  const name = stringOf(inner.name) ?? stringOf(call.toolName) ?? stringOf(call.tool);
  // What a custom tool gets is a text, whatever it looks like.
  const given = inner === call.custom ? { input: inner.input } : givenIn(inner);
  return useOf(call.id ?? call.toolCallId, name, given);
}

/** What cannot be read of a call, if anything. */
function unclearOf(call: unknown): readonly LogEntry[] {
  if (!isFields(call) || callOf(call).tool === 'unknown') return [unclear('a call without the name of a tool')];
  const inner = innerOf(call);
  const isMissed = givenIn(inner) === undefined && Object.values(inner).some(isFields);
  return isMissed ? [unclear('a call with arguments in another form')] : [];
}

function old({ function_call: called }: Fields): readonly unknown[] {
  return isFields(called) ? [{ ...called, id: 'function_call' }] : [];
}

/** The places of a message at which calls are written down, the plainest first. */
function formsOf(message: Fields, parts: readonly unknown[]): readonly (readonly unknown[])[] {
  const { tool_calls: listed, calls, additional_kwargs: kwargs } = message;
  const beside = isFields(kwargs) ? kwargs : {};
  return [
    listOf(listed),
    old(message),
    listOf(calls),
    parts.filter(isCall),
    listOf((beside as Fields).tool_calls),
    old(beside),
  ];
}

export interface Called {
  readonly calls: readonly ToolCall[];
  readonly unclear: readonly LogEntry[];
}

/** The calls of a message. Some frameworks write the same one at several places: it is known by its id. */
export function callsOf(message: Fields, parts: readonly unknown[]): Called {
  const calls: ToolCall[] = [];
  const broken: LogEntry[] = [];
  for (const form of formsOf(message, parts)) {
    const known = new Set(calls.map(({ id }) => id));
    for (const each of form) {
      const call = isFields(each) ? callOf(each) : undefined;
      broken.push(...unclearOf(each));
      if (call !== undefined && !known.has(call.id)) calls.push(call);
    }
  }
  if (calls.length > 0 || broken.length > 0) return { calls, unclear: broken };
  const beside = isFields(message.additional_kwargs) ? Object.entries(message.additional_kwargs) : [];
  const keys = [...Object.entries(message), ...beside].filter(([key, value]) => isCallLike(key) && isFilled(value));
  return { calls, unclear: keys.map(([key]) => unclear(`"${key}", in which no call could be read`)) };
}
