import { canonicalJson } from '../base/canonical-json.ts';
import { digestText } from '../base/digest.ts';
import type { ToolCall } from '../call/call.ts';
import type { Source } from '../label/source.ts';
import { type Content, readContent } from '../record/part.ts';

/** The developer's own words, such as a system message. The whole text is trusted: do not put other content into it. */
export interface PolicyTurn {
  readonly type: 'policy';
  readonly text: string;
}
/** A message of the user. It is trusted and not framed. */
export interface UserTurn {
  readonly type: 'user';
  readonly content: Content;
}
/**
 * A message of the model itself. It is not framed and vouches for nothing. If the first history that a conversation renders has
 * one, another process showed the model something, and the history may be without it: what the model has read is unknown.
 */
export interface ModelTurn {
  readonly type: 'model';
}
/** A call that the model proposed by native tool use. */
export interface CallTurn extends ToolCall {
  readonly type: 'call';
}
/** The result of a tool call. */
export interface ResultTurn {
  readonly type: 'result';
  /** The id of the call. */
  readonly id: string;
  /** The name of the tool. @default the tool that was called under this id */
  readonly tool?: string | undefined;
  readonly content: Content;
}
/** Content without a call, such as a document that the framework inserts. */
export interface ContentTurn {
  readonly type: 'content';
  readonly source: Source;
  readonly content: Content;
}
/** A summary that a model wrote in place of earlier turns. What it was made from is not known, so it is suspect. */
export interface SummaryTurn {
  readonly type: 'summary';
  readonly content: Content;
}

/**
 * One entry of a history that a framework keeps, raw. Of the model's own messages only their presence counts.
 *
 * @example
 * ```ts
 * const turns: Turn[] = [
 *   { type: 'user', content: 'Summarise the page.' },
 *   { type: 'call', id: 'call-1', tool: 'fetch_page', arguments: { url } },
 *   { type: 'result', id: 'call-1', content: page },
 * ];
 * const shown = await conversation.render(turns);
 * ```
 */
export type Turn = PolicyTurn | UserTurn | ModelTurn | CallTurn | ResultTurn | ContentTurn | SummaryTurn;

/** An id made from the content, for a record that has none. The same content has the same frame wherever it occurs. */
export function idOfContent(kind: string, content: Content): string {
  return `${kind}-${digestText(canonicalJson(readContent(content))).slice(0, 32)}`;
}

// A model chooses the ids of its calls, and a very long one must not end the conversation with an error.
const MAX_ID_LENGTH = 400;

export function shortId(id: string): string {
  return id.length > MAX_ID_LENGTH ? digestText(id) : id;
}

/** A value that can be compared by its members. A URL or a date has no own members to compare. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const base: unknown = Object.getPrototypeOf(value);
  return base === Object.prototype || base === Array.prototype || base === null;
}

/** Compares two turns. Fast if they share their objects, as histories usually do; a loop, so that no depth is too deep. */
export function isSameTurn(one: Turn | undefined, other: Turn): boolean {
  const pairs: [unknown, unknown][] = [[one, other]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [left, right] = pair;
    if (Object.is(left, right)) continue;
    if (!isPlain(left) || !isPlain(right) || Array.isArray(left) !== Array.isArray(right)) return false;
    const names = Object.keys(left);
    if (names.length !== Object.keys(right).length) return false;
    for (const name of names) {
      if (!Object.hasOwn(right, name)) return false;
      pairs.push([left[name], right[name]]);
    }
  }
  return true;
}
