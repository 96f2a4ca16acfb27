import { readEntity, type Span, type View, viewOf } from '@sallyport/decode';

/** A range of a text that may be an address. Ranges may still overlap. */
export interface Found extends Span {
  /** `fetched` is loaded as soon as the text is shown. */
  readonly kind: 'fetched' | 'followed';
  /** The syntax that makes it a link or loads it. */
  readonly syntax: readonly Span[];
  /** All parsers read one address up to this offset: its first blank, or its start if it names no scheme or host. */
  readonly solidEnd: number;
  readonly isBare?: boolean;
}

/** Without `starts`, positions are the same as in the original. */
type Decoded = Pick<View, 'text'> & Partial<Pick<View, 'starts'>>;

/** A text as parsers read it: folded to lower case, with character references resolved. */
export function decode(original: string): Decoded {
  const view: Decoded = /[^\t\n\r -~]/.test(original) ? viewOf(original) : { text: original.toLowerCase() };
  if (!view.text.includes('&')) return view;
  const scanned = { ...view, isOpen: false };
  const pieces: string[] = [];
  const starts: number[] = [];
  for (let at = 0; at < view.text.length; ) {
    const read = view.text[at] === '&' ? readEntity(scanned, at) : undefined;
    const value = read?.value ?? (view.text[at] as string);
    pieces.push(value);
    for (let unit = 0; unit < value.length; unit++) starts.push(view.starts?.[at] ?? at);
    at = read?.end ?? at + 1;
  }
  return { text: pieces.join(''), starts };
}

// A scheme, two slashes, or a host before a path: some clients add the scheme.
const REMOTE = /^(?:[a-z][a-z0-9+.\\-]*:|[/\\]{2}|(?:[a-z0-9-]{1,63}[.\u3002]){1,8}[a-z]{2,24}(?::\d{1,5})?\/)/;
// Browsers drop line breaks and tabs anywhere in an address, and blanks and control characters around it.
const DROPPED = /[^!-~\u0080-\uffff]/g;

/** Collects the addresses that a syntax creates. */
export class Collector {
  readonly found: Found[] = [];
  readonly text: string;
  readonly #lastMatch = new Map<RegExp, number>();

  constructor(text: string) {
    this.text = text;
  }

  /** The next position of a pattern, or the end. Call it with ascending positions, so that a text is searched once. */
  nextOf(pattern: RegExp, from: number): number {
    const last = this.#lastMatch.get(pattern) ?? -1;
    if (last >= from) return last;
    pattern.lastIndex = from;
    const position = pattern.exec(this.text)?.index ?? this.text.length;
    this.#lastMatch.set(pattern, position);
    return position;
  }

  /**
   * Adds the text of a span if it names a scheme or a host. With `isLoaded` a relative address is added too, since it
   * is loaded from the page's own server. A fragment is not added, since it stays on the page.
   */
  add({ start, end }: Span, kind: Found['kind'], isLoaded: boolean, syntax: readonly Span[]): boolean {
    const raw = this.text.slice(start, end);
    const from = start + raw.length - raw.trimStart().length;
    const written = raw.trim();
    const isRemote = REMOTE.test(decode(written).text.replace(DROPPED, ''));
    if (written === '' || written[0] === '#' || !(isRemote || isLoaded)) return false;
    const solidEnd = isRemote ? from + written.search(/\s|$/) : from;
    this.found.push({ start: from, end: from + written.length, kind, solidEnd, syntax });
    return true;
  }
}
