import type { Content, ToolCall } from '@sallyport/core';

/** One entry of a recorded conversation, whatever wrote it down. */
export type LogEntry =
  | { readonly type: 'policy'; readonly text: string }
  | { readonly type: 'user'; readonly content: Content }
  /** What the model said. */
  | { readonly type: 'words'; readonly text: string }
  /** What the model called for, in one turn. */
  | { readonly type: 'calls'; readonly calls: readonly ToolCall[] }
  | {
      readonly type: 'result';
      readonly id: string | undefined;
      readonly tool: string | undefined;
      readonly content: Content;
    }
  /** What came in without a call: a file, an image. */
  | { readonly type: 'content'; readonly content: Content }
  /** Something that could not be read: a call may be in it. */
  | { readonly type: 'unclear'; readonly what: string };

/** A conversation as somebody wrote it down. */
export interface Log {
  readonly id: string;
  readonly entries: readonly LogEntry[];
}

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Whether something stands there: a list or table with anything in it, a text. */
export function isFilled(value: unknown): boolean {
  return typeof value === 'string'
    ? value !== ''
    : isFields(value) || Array.isArray(value)
      ? Object.keys(value).length > 0
      : false;
}

/** The parts of a message's content, which may be a text alone. */
export function partsOf(content: unknown): readonly unknown[] {
  if (content === undefined || content === null) return [];
  return Array.isArray(content) ? content : [content];
}

/** The text of a part that is one by its type; OpenTelemetry calls it `content`. */
export function textIn(part: unknown, types: ReadonlySet<unknown>): string | undefined {
  if (typeof part === 'string') return part;
  return isFields(part) && types.has(part.type) ? (stringOf(part.text) ?? stringOf(part.content)) : undefined;
}

const TEXTS: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text']);

/** What a tool gave, as content: JSON where it is none of the usual forms, so that nothing beside a text is lost. */
export function contentOf(value: unknown): Content {
  if (typeof value === 'string') return value;
  const texts = listOf(value).map((part) => (isFields(part) ? textIn(part, TEXTS) : undefined));
  return texts.length > 0 && !texts.includes(undefined) ? texts.join('\n') : { json: value ?? null };
}

/** Arguments, which some providers write as text. A model that fails to write JSON is taken at its word. */
function argumentsOf(given: unknown): unknown {
  if (typeof given !== 'string') return given ?? {};
  try {
    const value: unknown = JSON.parse(given);
    return typeof value === 'string' ? { input: value } : (value ?? {});
  } catch {
    return { input: given };
  }
}

export function unclear(what: string): LogEntry {
  return { type: 'unclear', what };
}

export function useOf(id: unknown, tool: unknown, given: unknown): ToolCall {
  return { id: stringOf(id) || 'call', tool: stringOf(tool) || 'unknown', arguments: argumentsOf(given) };
}

/** What the model said and called for in one message. */
export function spoken(text: string, calls: readonly ToolCall[]): LogEntry[] {
  return [
    ...(text === '' ? [] : [{ type: 'words', text } as const]),
    ...(calls.length === 0 ? [] : [{ type: 'calls', calls } as const]),
  ];
}
