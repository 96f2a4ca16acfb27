import type { Edit } from '../config/edit.ts';
import type { Span, Tree } from '../config/tree.ts';

const COMMA = /^\s*,\s*$/;

/** A member or an item, and the container it is in. */
export interface Place extends Span {
  readonly siblings: readonly Span[];
  readonly container: Tree;
}

/** Recognizes a list or object that `insert.ts` wrote for this place alone: a person would write a blank after it. */
export function isOwnContainer(text: string, { siblings, end }: Place): boolean {
  return siblings.length === 1 && text[end] !== ' ';
}

/** Removes a member or an item with its comma. Undefined if something else, such as a comment, is in between. */
export function removed(text: string, { start, end, siblings, container }: Place): Edit | undefined {
  const index = siblings.findIndex((each) => each.start === start);
  const [before, after] = [siblings[index - 1], siblings[index + 1]];
  if (before !== undefined && COMMA.test(text.slice(before.end, start))) return { start: before.end, end, text: '' };
  if (after !== undefined && COMMA.test(text.slice(end, after.start))) return { start, end: after.start, text: '' };
  if (siblings.length > 1) return undefined;
  const from = container.start + 1;
  // The blank says that the container was empty before.
  return /^\s*$/.test(text.slice(from, start))
    ? { start: from, end: text[end] === ' ' ? end + 1 : end, text: '' }
    : undefined;
}
