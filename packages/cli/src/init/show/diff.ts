import { type Edit, inOrder } from '../config/edit.ts';
import { shortenChanged, shortenSame } from './shorten.ts';

/** Lines that give way to others, counted from 0. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly newStart: number;
  readonly newEnd: number;
}

export interface DiffLine {
  readonly type: 'place' | 'same' | 'old' | 'new';
  readonly text: string;
}

/** Both sides of a change: the text, and the same lines as they may be shown. */
export interface DiffSide {
  readonly text: string;
  readonly shown: string;
}

const CONTEXT = 3;

function breaksIn(text: string): number {
  return text.split('\n').length - 1;
}

/** The lines that edits touch. Edits of one line, or of lines next to each other, are one change. */
function touched(text: string, edits: readonly Edit[]): readonly Change[] {
  const changes: Change[] = [];
  let [at, line, added] = [0, 0, 0];
  for (const edit of inOrder(edits)) {
    line += breaksIn(text.slice(at, edit.start));
    const taken = breaksIn(text.slice(edit.start, edit.end));
    const given = breaksIn(edit.text);
    const last = changes.at(-1);
    const newEnd = line + added + given + 1;
    if (last && line <= last.end) changes[changes.length - 1] = { ...last, end: line + taken + 1, newEnd };
    else changes.push({ start: line, end: line + taken + 1, newStart: line + added, newEnd });
    [at, line, added] = [edit.end, line + taken, added + given - taken];
  }
  return changes;
}

/** A change without the lines that are the same on both sides of it. */
function trimmed(change: Change, before: readonly string[], after: readonly string[]): Change {
  let { start, end, newStart, newEnd } = change;
  while (start < end && newStart < newEnd && before[start] === after[newStart])
    [start, newStart] = [start + 1, newStart + 1];
  while (start < end && newStart < newEnd && before[end - 1] === after[newEnd - 1])
    [end, newEnd] = [end - 1, newEnd - 1];
  return { start, end, newStart, newEnd };
}

/** Changes that are so near each other that their contexts meet. */
function grouped(changes: readonly Change[]): readonly (readonly Change[])[] {
  const groups: Change[][] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group && last && change.start - last.end <= 2 * CONTEXT) group.push(change);
    else groups.push([change]);
  }
  return groups;
}

function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Lines that give way to as many others are set against each other one by one. */
function sidesOf(old: readonly string[], young: readonly string[]): readonly (readonly string[])[] {
  if (old.length !== young.length) return [old, young];
  const pairs = old.map((line, index) => shortenChanged(line, young[index] ?? ''));
  return [pairs.map(([line]) => line), pairs.map(([, line]) => line)];
}

function hunk(group: readonly Change[], before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const [first, last] = [group[0], group.at(-1)];
  if (!first || !last) return [];
  const start = Math.max(0, first.start - CONTEXT);
  const end = Math.min(before.length, last.end + CONTEXT);
  const newStart = first.newStart - (first.start - start);
  const newCount = end - start + (last.newEnd - last.end) - (newStart - start);
  const lines: DiffLine[] = [
    { type: 'place', text: `@@ -${start + 1},${end - start} +${newStart + 1},${newCount} @@` },
  ];
  const add = (type: DiffLine['type'], from: readonly string[]): void => {
    lines.push(...from.map((text) => ({ type, text })));
  };
  let at = start;
  for (const change of group) {
    add('same', before.slice(at, change.start).map(shortenSame));
    const [old = [], young = []] = sidesOf(
      before.slice(change.start, change.end),
      after.slice(change.newStart, change.newEnd),
    );
    add('old', old);
    add('new', young);
    at = change.end;
  }
  add('same', before.slice(at, end).map(shortenSame));
  return lines;
}

/** A unified diff, made from the edits themselves, so that its cost does not grow with what was not changed. */
export function diffLines(before: DiffSide, after: DiffSide, edits: readonly Edit[]): readonly DiffLine[] {
  const [old, young] = [linesOf(before.text), linesOf(after.text)];
  const changes = touched(before.text, edits)
    .map((change) => trimmed(change, old, young))
    .filter(({ start, end, newStart, newEnd }) => start < end || newStart < newEnd);
  const [shownOld, shownNew] = [linesOf(before.shown), linesOf(after.shown)];
  return grouped(changes).flatMap((group) => hunk(group, shownOld, shownNew));
}
