import type { Span } from '../base/span.ts';
import { readEntity } from '../text/character-reference.ts';
import { type View, viewOf } from '../text/fold.ts';

/** A stretch of a text that may be an address, before it is known what others it overlaps. */
export interface Found extends Span {
  /** `fetched` is loaded as soon as the text is shown. */
  readonly kind: 'fetched' | 'followed';
  /** What makes it live. */
  readonly syntax: readonly Span[];
  /** Up to here it is one address to all readers: its first blank, or its beginning when it names no scheme or host. */
  readonly solidEnd: number;
  readonly isBare?: boolean;
}

/** Without `starts`, each unit stands where it stood in the original. */
type Decoded = Pick<View, 'text'> & Partial<Pick<View, 'starts'>>;

/** A text as readers take it: folded to lower case, with character references resolved. */
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

const REMOTE = /^(?:[a-z][a-z0-9+.\\-]*:|[/\\]{2})/;
// Browsers drop line breaks and tabs wherever they stand in an address, and blanks and controls around it.
const DROPPED = /[^!-~\u0080-\uffff]/g;

/** What syntax makes addresses of. */
export class Collector {
  readonly found: Found[] = [];
  readonly text: string;
  readonly #known = new Map<RegExp, number>();

  constructor(text: string) {
    this.text = text;
  }

  /** The next place of a pattern, or the end. Asked in ascending order, so that a text is searched once. */
  nextOf(wanted: RegExp, from: number): number {
    const last = this.#known.get(wanted) ?? -1;
    if (last >= from) return last;
    wanted.lastIndex = from;
    const place = wanted.exec(this.text)?.index ?? this.text.length;
    this.#known.set(wanted, place);
    return place;
  }

  /**
   * Takes what stands in a span when it names a scheme or a host or, where it is loaded from the page's own server,
   * whatever it is. A fragment stays on the page.
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
