import type { Span } from '@sallyport/decode';
import { Collector, type Found } from './collector.ts';

const LOADING =
  /^(?:applet|audio|base|bgsound|body|button|embed|feimage|form|i?frame|image|img|input|link|meta|object|portal|script|source|svg|t(?:able|body|d|foot|h|head|r)|track|use|video)$/;
const MARKUP =
  /<[a-z][a-z0-9+.-]{1,31}:[^\s<>]*>|<[a-z][a-z0-9:-]*(?![^\s/>])|[>"']|(?<=[\s/"'])(?:xlink:href|href|srcset|src|imagesrcset|poster|background|data|ping|content|style|action|formaction|lowsrc|dynsrc|classid|codebase|manifest)\s*=\s*|url\(\s*|@import\s*(?=["'])/gi;
const ENDS: Readonly<Record<string, RegExp>> = { '"': /"/g, "'": /'/g, ')': /\)/g };
const STYLE_END = /<\/style/gi;
const BACKSLASH = /\\/g;
const CSS_END = /\s*\)?/y;
const REFRESH = /^[\s\d.]*[;,\s]\s*(?:url\s*=\s*)?["']?/i;
const DESCRIPTOR = /^[\d.]+[wxh]?,*$/i;

// A tag can start at any `<`, which is inside a quoted value for one parser and outside for another. All readings are
// followed at the same time, as bits: tags that load and other tags; between attributes, in double quotes and in single
// quotes.
const LOADS = 1;
const OTHER = 2;
const BETWEEN = 3;

/** The start of a value, and the tags it may belong to. */
interface Value {
  readonly name: string;
  readonly at: number;
  readonly from: number;
  readonly tags: number;
  readonly lastTag: number;
}

/** Reads the attributes of HTML and the addresses in style sheets. */
class MarkupReader extends Collector {
  #value: Value | undefined;
  #tags = 0;
  #lastTag = -1;

  read(token: string, at: number): void {
    // The end of an autolink may be removed later, so it does not end a tag.
    if (token.endsWith('>') && token.length > 1) return;
    if (token[0] === '<') this.#open(token.slice(1).toLowerCase().replace(/^.*:/, ''), at);
    else if (token === '>') this.#tags &= ~BETWEEN;
    else if (token === '"' || token === "'") this.#quote(at, token === '"' ? 2 : 4);
    else {
      this.end(at, at + token.length);
      const name = token.toLowerCase().replace(/\s*[=(]?\s*$/, '');
      this.#value = { name, at, from: at + token.length, tags: this.#tags & BETWEEN, lastTag: this.#lastTag };
    }
  }

  #open(name: string, at: number): void {
    this.#lastTag = at;
    this.#tags |= LOADING.test(name) ? LOADS : OTHER;
    const end = name === 'style' ? this.nextOf(STYLE_END, at) : at;
    // With escapes, `url` can be written in ways that only a CSS parser reads, so the whole style sheet is withheld.
    if (end > at && this.nextOf(BACKSLASH, at) < end)
      this.found.push({ start: at + 1, end, kind: 'fetched', solidEnd: at, syntax: [{ start: at, end }] });
  }

  /**
   * A quote ends a value that it started. After a `=` it starts one, or is the first character of one without quotes.
   */
  #quote(at: number, shift: number): void {
    let before = at - 1;
    while (/\s/.test(this.text[before] ?? '')) before--;
    const opened = this.text[before] === '=' ? (this.#tags & BETWEEN) << shift : 0;
    const closed = (this.#tags >> shift) & BETWEEN;
    this.#tags = (this.#tags & ~(BETWEEN << shift)) | closed | opened;
  }

  /** Reads the value that started last, up to the start of the next one, or its first word if it is not closed. */
  end(next: number, nextEnd: number): void {
    const value = this.#value;
    this.#value = undefined;
    if (value === undefined) return;
    const isCss = value.name === 'url' || value.name === '@import';
    const quote = /["']/.exec(this.text[value.from] ?? '')?.[0] ?? '';
    const start = value.from + quote.length;
    const limit = next > start ? next : nextEnd;
    const pattern = ENDS[quote || (isCss ? ')' : '')];
    const closed = pattern === undefined ? this.text.length : this.nextOf(pattern, start);
    const blank = this.text.slice(start, limit).search(/[\s>]|$/);
    const isClosed = closed < this.text.length;
    const span = { start, end: isClosed ? Math.min(closed, limit) : start + blank };
    const after = isClosed ? closed + 1 : span.end;
    if (isCss) this.#css(value, span, after);
    else this.#attribute(value, span, after);
  }

  #css({ at, lastTag }: Value, span: Span, after: number): void {
    CSS_END.lastIndex = after;
    CSS_END.test(this.text);
    const end = this.text[after - 1] === ')' ? after : CSS_END.lastIndex;
    // Style sheets are read only inside markup: elsewhere `url(x)` is a call in some program.
    this.add(span, 'fetched', lastTag >= 0, [{ start: at, end }]);
  }

  #attribute({ name, at, tags, lastTag }: Value, { start, end }: Span, after: number): void {
    if (tags === 0) return;
    const isLoading = (tags & LOADS) !== 0;
    const isFollowed = name.endsWith('href') && !isLoading;
    const isLoaded = isLoading || name === 'ping';
    const syntax = [
      { start: lastTag, end: lastTag + 1 },
      { start: at, end: after },
    ];
    const raw = this.text.slice(start, end);
    // The addresses in a style attribute are found as CSS, unless escapes hide them.
    if (name === 'style' && raw.includes('\\'))
      this.found.push({ start, end, kind: 'fetched', solidEnd: start, syntax });
    for (const part of name === 'style' ? [] : partsOf(name, raw)) {
      const span = { start: start + part.start, end: start + part.end };
      this.add(span, isFollowed ? 'followed' : 'fetched', isLoaded && !isFollowed, syntax);
    }
  }
}

/** The addresses in an attribute's value. */
function partsOf(name: string, raw: string): readonly Span[] {
  if (/^(?:srcset|imagesrcset|ping)$/.test(name))
    return [...raw.matchAll(/[^\s,]\S*/g)]
      .filter(({ 0: word }) => !DESCRIPTOR.test(word))
      .map(({ 0: word, index }) => ({ start: index, end: index + word.length - (word.endsWith(',') ? 1 : 0) }));
  const start = name === 'content' ? REFRESH.exec(raw)?.[0].length : 0;
  return start === undefined ? [] : [{ start, end: raw.length }];
}

/** The addresses that HTML and style sheets create. */
export function readMarkup(text: string): readonly Found[] {
  const reader = new MarkupReader(text);
  for (const { 0: token, index } of text.matchAll(MARKUP)) reader.read(token, index);
  reader.end(text.length, text.length);
  return reader.found;
}
