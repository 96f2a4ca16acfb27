import type { Cut } from './limit.ts';
import { escapePoint } from './neutralize.ts';
import type { Mark } from './quote.ts';
import { ELEMENTS } from './vocabulary.ts';

/** A place where the body differs from the text: something is put in, and a code point may be taken out. */
interface Edit {
  readonly at: number;
  /** At one place: closing tags, then what is missing, then opening tags, then the escaped character. */
  readonly rank: number;
  readonly insert: string;
  readonly remove: number;
}

function markEdits(marks: readonly Mark[], nonce: string): Edit[] {
  return marks.flatMap(({ start, end, kind, tag }) => [
    { at: start, rank: 2, insert: `<${ELEMENTS[kind]}_${nonce} tag=${tag}>`, remove: 0 },
    { at: end, rank: 0, insert: `</${ELEMENTS[kind]}_${nonce}>`, remove: 0 },
  ]);
}

function escapeEdit(text: string, at: number): Edit {
  const point = text.codePointAt(at) as number;
  return { at, rank: 3, insert: escapePoint(point), remove: point > 0xffff ? 2 : 1 };
}

/** The body of a frame: the text with its reserved characters escaped and its marks set, under the frame's own nonce. */
export function encodeBody(
  text: string,
  { marks, markers, cut }: { marks: readonly Mark[]; markers: readonly number[]; cut: Cut | undefined },
  nonce: string,
): string {
  if (marks.length === 0 && markers.length === 0 && cut === undefined) return text;
  const edits = [...markEdits(marks, nonce), ...markers.map((at) => escapeEdit(text, at))];
  if (cut !== undefined) {
    const insert = `<${ELEMENTS.omitted}_${nonce} count=${cut.totalBytes - cut.shownBytes}>`;
    edits.push({ at: cut.at, rank: 1, insert, remove: 0 });
  }
  edits.sort((one, other) => one.at - other.at || one.rank - other.rank);
  let body = '';
  let from = 0;
  for (const { at, insert, remove } of edits) {
    body += text.slice(from, at) + insert;
    from = at + remove;
  }
  return body + text.slice(from);
}
