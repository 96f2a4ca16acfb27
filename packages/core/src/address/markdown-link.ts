import type { Span } from '@sallyport/decode';
import { Collector, type Found } from './collector.ts';

// A backtick, an escape or a tag between brackets: parsers may pair the brackets in another way.
const BRACKETS = /!?\[|\](?:[(:]\s*)?|[<`\\]/g;
// A title and the end of an inline link. If other text follows, some parsers read all up to the parenthesis.
const CLOSE = /\s*(?:(?:"[^"]*"|'[^']*'|\([^()]*\))\s*)?\)/y;
const LAX_CLOSE = /[^\n\r()]*\)/y;
const AUTOLINK = /<[a-z][a-z0-9+.-]{1,31}:[^\s<>]*>?/iy;
const NEXT = /\][(:]/g;
const ANGLE_END = /[>\n\r]/g;

interface Opener extends Span {
  readonly isImage: boolean;
}

/** Reads links, images, definitions and autolinks of Markdown. An incomplete image counts as one. */
class BracketReader extends Collector {
  readonly #hasImage: boolean;
  readonly #openers: Opener[] = [];
  #openImages = 0;
  #lastDoubt = -1;
  #isDoubtful = false;
  #continued = -1;

  constructor(text: string, isPart: boolean) {
    super(text);
    this.#hasImage = isPart || text.includes('![');
  }

  read(token: string, start: number): void {
    const end = start + token.length;
    const isImage = token === '![';
    if (token.endsWith('[')) this.#openers.push({ start, end, isImage });
    else if (token[0] === ']') this.#close(token[1], start, end);
    else this.#lastDoubt = start;
    if (isImage) this.#openImages++;
    AUTOLINK.lastIndex = start;
    if (token !== '<' || !AUTOLINK.test(this.text)) return;
    const after = AUTOLINK.lastIndex;
    const inside = { start: end, end: after - (this.text[after - 1] === '>' ? 1 : 0) };
    if (inside.end < after || after === this.text.length) this.add(inside, 'followed', false, [{ start, end: after }]);
  }

  #close(next: string | undefined, at: number, from: number): void {
    const opener = this.#openers.pop();
    if (opener?.isImage) {
      this.#openImages--;
      this.#isDoubtful ||= this.#lastDoubt > opener.start;
    }
    if (next === '(') this.#inline(at, from, opener);
    if (next !== ':') return;
    const { start, end, after } = this.#target(from, false);
    const isPath = this.#hasImage && /[/?]/.test(this.text.slice(start, end));
    // Parsers match labels by different rules, so an image may refer to any definition.
    this.add({ start, end }, this.#hasImage ? 'fetched' : 'followed', isPath, [{ start: at + 1, end: after }]);
  }

  #inline(at: number, from: number, opener: Opener | undefined): void {
    // `![a](u](data)` is one address for one parser and two for another, so the address after it counts as fetched too.
    const isFetched = opener?.isImage || this.#openImages > 0 || this.#isDoubtful || this.#continued === at;
    const { start, end, after } = this.#target(from, true);
    CLOSE.lastIndex = LAX_CLOSE.lastIndex = after;
    const isClosed = CLOSE.test(this.text);
    const isLax = !isClosed && LAX_CLOSE.test(this.text);
    const close = isClosed ? CLOSE.lastIndex : isLax ? LAX_CLOSE.lastIndex : after;
    const syntax = [...(opener === undefined ? [] : [opener]), { start: at, end: close }];
    const span = { start, end: isLax ? close - 1 : end };
    if (this.add(span, isFetched ? 'fetched' : 'followed', isFetched, syntax)) this.#continued = end;
  }

  /** The text in angle brackets, or up to a blank, but never past a position where another destination may start. */
  #target(from: number, isInline: boolean): Span & { readonly after: number } {
    const another = this.nextOf(NEXT, from);
    const next = another > from ? another : Math.min(another + 2, this.text.length);
    const angle = this.text[from] === '<' ? this.nextOf(ANGLE_END, from) : next;
    if (angle < next && this.text[angle] === '>') return { start: from + 1, end: angle, after: angle + 1 };
    let depth = 0;
    const start = from + Number(this.text[from] === '<');
    let end = start;
    for (; end < next && (this.text[end] as string) > ' '; end++) {
      const character = this.text[end];
      if (character === '\\') end += Number(/[()]/.test(this.text.charAt(end + 1)));
      else if (character === '(') depth++;
      else if (character === ')' && depth-- === 0 && isInline) break;
    }
    return { start, end, after: end };
  }
}

/** The addresses that Markdown creates. In part of a text, an image outside it may refer to a definition. */
export function readBrackets(text: string, isPart: boolean): readonly Found[] {
  const reader = new BracketReader(text, isPart);
  for (const { 0: token, index } of text.matchAll(BRACKETS)) reader.read(token, index);
  return reader.found;
}
