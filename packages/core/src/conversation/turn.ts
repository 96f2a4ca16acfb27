import { canonicalJson } from '../base/canonical-json.ts';
import { digestText } from '../base/digest.ts';
import type { ToolCall } from '../call/call.ts';
import type { Source } from '../label/source.ts';
import { type Content, readContent } from '../record/part.ts';

/** The developer's own words, such as a system message. Whatever else stands in that text counts as his too. */
export interface PolicyTurn {
  readonly type: 'policy';
  readonly text: string;
}
/** What the user said. It is not framed. */
export interface UserTurn {
  readonly type: 'user';
  readonly content: Content;
}
/** A call that the model proposed by native tool use. */
export interface CallTurn extends ToolCall {
  readonly type: 'call';
}
/** What a tool answered. */
export interface ResultTurn {
  readonly type: 'result';
  /** The id of the call. */
  readonly id: string;
  /** @default the tool that was called under this id */
  readonly tool?: string | undefined;
  readonly content: Content;
}
/** What was read without a call: a document in a slot of its own. */
export interface ContentTurn {
  readonly type: 'content';
  readonly source: Source;
  readonly content: Content;
}
/** What a model wrote in place of earlier turns. Nobody knows any more what it was made of. */
export interface SummaryTurn {
  readonly type: 'summary';
  readonly content: Content;
}

/** One entry of a history that a framework keeps, raw. The model's own words are none: nothing in them is framed. */
export type Turn = PolicyTurn | UserTurn | CallTurn | ResultTurn | ContentTurn | SummaryTurn;

/** The id of a record that has none: its content. The same words have the same frame wherever they stand. */
export function idOfContent(kind: string, content: Content): string {
  return `${kind}-${digestText(canonicalJson(readContent(content))).slice(0, 32)}`;
}

// A model chooses the id of its call: one at any length must not end the conversation.
const MAX_ID_LENGTH = 400;

export function shortId(id: string): string {
  return id.length > MAX_ID_LENGTH ? digestText(id) : id;
}

/** What can be compared by its members: an address or a date has none that say what it is. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const base: unknown = Object.getPrototypeOf(value);
  return base === Object.prototype || base === Array.prototype || base === null;
}

/** Whether two turns say the same. Cheap where nothing was copied, which is what histories are like; no depth is too deep. */
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
