import type { Content, NativeToolUse } from '@sallyport/core';

/** One entry of a recorded conversation, whatever wrote it down. */
export type LogEntry =
  | { readonly type: 'policy'; readonly text: string }
  | { readonly type: 'user'; readonly content: Content }
  /** What the model said. */
  | { readonly type: 'words'; readonly text: string }
  /** What the model called for, in one turn. */
  | { readonly type: 'calls'; readonly calls: readonly NativeToolUse[] }
  | {
      readonly type: 'result';
      readonly id: string | undefined;
      readonly tool: string | undefined;
      readonly content: Content;
    }
  /** What came in without a call: a file, an image. */
  | { readonly type: 'content'; readonly content: Content };

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

/** The words in a message's content: a text, or parts of which some have a text. */
export function wordsIn(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((part) => (isFields(part) ? (stringOf(part.text) ?? '') : (stringOf(part) ?? '')))
    .filter((text) => text !== '')
    .join('\n');
}

/** What a tool gave, as content: JSON where it is none of the usual forms. */
export function contentOf(value: unknown): Content {
  if (typeof value === 'string') return value;
  const parts = listOf(value);
  const isTexts = parts.length > 0 && parts.every((part) => isFields(part) && typeof part.text === 'string');
  return isTexts ? wordsIn(value) : { json: value ?? null };
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

export function useOf(id: unknown, tool: unknown, given: unknown): NativeToolUse {
  return { id: stringOf(id) || 'call', tool: stringOf(tool) || 'unknown', arguments: argumentsOf(given) };
}

/** What the model said and called for in one message. */
export function spoken(text: string, calls: readonly NativeToolUse[]): LogEntry[] {
  return [
    ...(text === '' ? [] : [{ type: 'words', text } as const]),
    ...(calls.length === 0 ? [] : [{ type: 'calls', calls } as const]),
  ];
}
