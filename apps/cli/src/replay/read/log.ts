import type { Content, ToolCall } from '@sallyport/core';
import { isFields, listOf, stringOf } from '@sallyport/core/adapter';
import { parseJson } from '@sallyport/core/json';

/** One entry of a recorded conversation, independent of the log's format. */
export type LogEntry =
  | { readonly type: 'policy'; readonly text: string }
  | { readonly type: 'user'; readonly content: Content }
  /** Text of the model. */
  | { readonly type: 'words'; readonly text: string }
  /** The model's calls in one turn. */
  | { readonly type: 'calls'; readonly calls: readonly ToolCall[] }
  | {
      readonly type: 'result';
      readonly id: string | undefined;
      readonly tool: string | undefined;
      readonly content: Content;
    }
  /** Content that is not the result of a call: a file, an image. */
  | { readonly type: 'content'; readonly content: Content }
  /** A part that could not be read, and may contain a call. */
  | { readonly type: 'unclear'; readonly what: string };

/** A recorded conversation. */
export interface Log {
  readonly id: string;
  readonly entries: readonly LogEntry[];
}

/** Recognizes a string, list or object that is not empty. */
export function isFilled(value: unknown): boolean {
  return typeof value === 'string'
    ? value !== ''
    : isFields(value) || Array.isArray(value)
      ? Object.keys(value).length > 0
      : false;
}

/** The parts of a message's content, which may also be a single text. */
export function partsOf(content: unknown): readonly unknown[] {
  if (content === undefined || content === null) return [];
  return Array.isArray(content) ? content : [content];
}

/** The text of a part with one of the types; OpenTelemetry calls it `content`. */
export function textIn(part: unknown, types: ReadonlySet<unknown>): string | undefined {
  if (typeof part === 'string') return part;
  return isFields(part) && types.has(part.type) ? (stringOf(part.text) ?? stringOf(part.content)) : undefined;
}

const TEXTS: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text']);

/** Text that is a JSON object or list is read as such, as the adapters do. JavaScript would round longer numbers. */
function textOrJson(text: string): Content {
  if (!/^\s*[[{]/.test(text) || /\d{16}/.test(text)) return text;
  try {
    return { json: parseJson(text) };
  } catch {
    // Not JSON: it stays text.
    return text;
  }
}

/** The result of a tool as content: text if all its parts are text, otherwise JSON, so that nothing is lost. */
export function contentOf(value: unknown): Content {
  if (typeof value === 'string') return textOrJson(value);
  const texts = listOf(value).map((part) => (isFields(part) ? textIn(part, TEXTS) : undefined));
  return texts.length > 0 && !texts.includes(undefined) ? textOrJson(texts.join('\n')) : { json: value ?? null };
}

/** Arguments, which some providers log as text. */
function argumentsOf(logged: unknown): unknown {
  if (typeof logged !== 'string') return logged ?? {};
  try {
    const value: unknown = parseJson(logged);
    return typeof value === 'string' ? { input: value } : (value ?? {});
  } catch {
    // The model wrote invalid JSON: its text is the argument.
    return { input: logged };
  }
}

export function unclear(what: string): LogEntry {
  return { type: 'unclear', what };
}

export function toolCallOf(id: unknown, tool: unknown, values: unknown): ToolCall {
  return { id: stringOf(id) || 'call', tool: stringOf(tool) || 'unknown', arguments: argumentsOf(values) };
}

/** The text and the calls of one message of the model. */
export function modelEntries(text: string, calls: readonly ToolCall[]): LogEntry[] {
  return [
    ...(text === '' ? [] : [{ type: 'words', text } as const]),
    ...(calls.length === 0 ? [] : [{ type: 'calls', calls } as const]),
  ];
}
