import { pointAt } from '@sallyport/decode';
import { escapeAt, escapePoint } from '../text/escape-markers.ts';
import { ELEMENTS } from '../text/reserved-names.ts';
import type { Mark } from './mark.ts';

/** All differences between a body and its text, by offsets in the text. */
export interface Layout {
  readonly marks: readonly Mark[];
  /** Offsets of escaped code points. */
  readonly markers: readonly number[];
  /** The offset of the cut, and the number of bytes that are missing. */
  readonly gap: { readonly at: number; readonly count: number } | undefined;
}

/** One difference between body and text: an insertion, and the number of UTF-16 units it replaces. */
interface Edit {
  readonly at: number;
  /** The order at one offset: closing tags, the omission tag, opening tags, the escaped character. */
  readonly rank: number;
  readonly insert: string;
  readonly remove: number;
}

function markEdits(marks: readonly Mark[], nonce: string): Edit[] {
  return marks.flatMap(({ start, end, kind, tag }) => [
    { at: start, rank: 2, insert: `<${ELEMENTS[kind]} ${nonce} tag=${tag}>`, remove: 0 },
    { at: end, rank: 0, insert: `</${ELEMENTS[kind]} ${nonce}>`, remove: 0 },
  ]);
}

function escapeEdit(text: string, at: number): Edit {
  const point = pointAt(text, at);
  return { at, rank: 3, insert: escapePoint(point), remove: point > 0xffff ? 2 : 1 };
}

/** The body of a frame: the text with reserved characters escaped and with marks, whose tags have the frame's nonce. */
export function encodeBody(text: string, { marks, markers, gap }: Layout, nonce: string): string {
  if (marks.length === 0 && gap === undefined) return escapeAt(text, markers);
  const edits = [...markEdits(marks, nonce), ...markers.map((at) => escapeEdit(text, at))];
  if (gap !== undefined)
    edits.push({ at: gap.at, rank: 1, insert: `<${ELEMENTS.omitted} ${nonce} count=${gap.count}>`, remove: 0 });
  edits.sort((one, other) => one.at - other.at || one.rank - other.rank);
  let body = '';
  let from = 0;
  for (const { at, insert, remove } of edits) {
    body += text.slice(from, at) + insert;
    from = at + remove;
  }
  return body + text.slice(from);
}

/**
 * Removes the tags from a body and reverses the escapes. Undefined unless encoding the result gives exactly this body.
 */
export function decodeBody(body: string, nonce: string): { text: string; layout: Layout } | undefined {
  const token = new RegExp(
    `~x([0-9a-f]{2,6})~|<(/?)(${ELEMENTS.quoted}|${ELEMENTS.marked}|${ELEMENTS.omitted}) ${nonce}(?: (?:tag|count)=([a-z0-9-]+))?>`,
    'g',
  );
  const decoder = new BodyDecoder();
  let from = 0;
  for (const match of body.matchAll(token)) {
    decoder.text += body.slice(from, match.index);
    from = match.index + match[0].length;
    const [, digits, slash, element, value] = match;
    if (digits !== undefined) decoder.escape(digits);
    else decoder.tag(element as string, slash === '/', value ?? '');
  }
  decoder.text += body.slice(from);
  const { text, layout } = decoder;
  // A misplaced tag, an unnecessary escape or an unclosed mark would be encoded differently.
  return encodeBody(text, layout, nonce) === body ? { text, layout } : undefined;
}

class BodyDecoder {
  text = '';
  readonly #marks: Mark[] = [];
  readonly #markers: number[] = [];
  #gap: Layout['gap'];
  #open: Omit<Mark, 'end'> | undefined;

  escape(digits: string): void {
    const point = Number.parseInt(digits, 16);
    if (point > 0x10ffff) return;
    this.#markers.push(this.text.length);
    this.text += String.fromCodePoint(point);
  }

  tag(element: string, isClosing: boolean, value: string): void {
    const at = this.text.length;
    if (element === ELEMENTS.omitted) this.#gap = { at, count: Number(value) };
    else if (!isClosing)
      this.#open = { start: at, kind: element === ELEMENTS.quoted ? 'quoted' : 'marked', tag: value };
    else if (this.#open !== undefined) this.#marks.push({ ...this.#open, end: at });
  }

  get layout(): Layout {
    return { marks: this.#marks, markers: this.#markers, gap: this.#gap };
  }
}
