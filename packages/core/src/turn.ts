import type { NativeToolUse } from './call.ts';
import { canonicalJson } from './canonical.ts';
import { digestText } from './digest.ts';
import { type Content, readContent } from './part.ts';
import type { Source } from './source.ts';

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
export interface CallTurn extends NativeToolUse {
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

function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every(
      (name) =>
        Object.hasOwn(other, name) &&
        isSame((one as Record<string, unknown>)[name], (other as Record<string, unknown>)[name]),
    )
  );
}

/** Whether two turns say the same. Cheap where nothing was copied, which is what histories are like. */
export function isSameTurn(one: Turn | undefined, other: Turn): boolean {
  try {
    return isSame(one, other);
  } catch {
    // Nested deeper than a stack: taken in once more, which changes nothing.
    return false;
  }
}
