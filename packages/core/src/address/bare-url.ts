import type { Span } from '@sallyport/decode';
import { type Anchored, cutScheme, matchesOf } from './address-token.ts';
import { decode, type Found } from './collector.ts';

// With a scheme, or `www.`, or `//host` at the start of a quoted value.
const SCHEME: Anchored = {
  pattern: /(?=[\\:])(?<=([a-z][a-z0-9+.-]{1,31}))\\?:(?:\\?[/\\]){2}(?=[^\s<>])/g,
  cut: cutScheme,
};
const OTHERS: Anchored = {
  pattern:
    /(?=w)(?<![a-z][a-z0-9+.-]\\?:(?:\\?\/){2}(?:[^\s/<>]{0,64}[@.])?)www\d{0,3}\\?[.\u3002](?=[^\s.<>])|(?<![\w.-])(?:mailto|tel|sms|xmpp)\\?:(?=[^\s<>])|(?<=["'(=])(?:\\?\/){2}(?!www\d{0,3}\.)(?=[\w[])/g,
  cut: (before) => before,
};
// A host or an IP address before a path or a query, or a file server: many clients make links of them. A range of IP
// addresses (`10.0.0.0/8`) and a line of a file (`a.ts:1`) are not addresses.
const HOST: Anchored = {
  pattern:
    /(?<![\w@.\-/:\\])(?:\/\/)?(?:(?:[a-z0-9-]{1,63}[.\u3002]){1,8}(?:[a-z]{2,24}|xn--[a-z0-9-]{1,59})|\d{1,3}(?:\.\d{1,3}){3}(?!\/\d{1,2}(?![\w/.?=-])))(?::\d{1,5}(?=\/)|(?=\/|\?[\w%-]{1,64}=))|(?<![\w\\])\\\\(?=[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}\\)/g,
  cut: (before) => before,
};
// In `word.https://`, where nothing separates the word, the scheme is the end of the match.
const WEB = /www\d{0,3}\\?[.\u3002]|https?(?=\\?:)/;
// Notations other than Markdown and HTML, and scripts, in which a client loads an address.
const LOADED =
  /(?:!\[{0,2}|\[img[^\]]{0,20}\]|image::?\s?|(?:src|srcset|poster|background)\s?=\s?["']?|url\(\s?["']?|@import\s?["']?|includegraphics[^{]{0,20}\{|<[a-z][^<>]{0,200})$/i;
const MAX_LEAD_LENGTH = 240;
const TRAILING = /[.,;:!?'"`)\]}*_~|]/;

/** The length of the address at the start of a run, without the quotes, brackets and punctuation around it. */
function lengthOf(run: string, before: string): number {
  const whole = run.slice(0, run.search(/[\s<>]|\][([]|\[\/|$/));
  const quote = /["'`]/.test(before) ? whole.indexOf(before) : -1;
  let end = quote < 0 ? whole.length : quote;
  let open = whole.slice(0, end).replace(/[^(]/g, '').length - whole.slice(0, end).replace(/[^)]/g, '').length;
  while (end > 0 && TRAILING.test(whole[end - 1] as string) && !(whole[end - 1] === ')' && open >= 0))
    if (whole[--end] === ')') open++;
  return end;
}

/** The spans that do not overlap another one. Both lists are in order. */
function outside(spans: readonly Span[], others: readonly Span[]): readonly Span[] {
  let index = 0;
  return spans.filter(({ start, end }) => {
    while (index < others.length && (others[index] as Span).end <= start) index++;
    return (others[index]?.start ?? end) >= end;
  });
}

/** Addresses that are written in the text without any syntax around them. */
export function readBare(text: string): readonly Found[] {
  const { text: view, starts } = decode(text);
  const positionOf = (unit: number): number => (unit < view.length ? (starts?.[unit] ?? unit) : text.length);
  const script = text.search(/<(?:script|style)(?![a-z])|$/i);
  const spansOf = (patterns: readonly Anchored[]): readonly Span[] => {
    const heads = Array.from(matchesOf(view, patterns), ({ text: head, index }) => ({
      start: positionOf(index + Math.max(0, head.search(WEB))),
      end: positionOf(index + head.length),
    }));
    return heads.map(({ start, end: from }, index) => ({
      start,
      end: from + lengthOf(text.slice(from, heads[index + 1]?.start), text.charAt(start - 1)),
    }));
  };
  const named = spansOf([SCHEME, OTHERS]);
  return [...named, ...outside(spansOf([HOST]), named)].map(({ start, end }) => {
    const isFetched = start > script || LOADED.test(text.slice(Math.max(0, start - MAX_LEAD_LENGTH), start));
    return { start, end, kind: isFetched ? 'fetched' : 'followed', solidEnd: end, isBare: true, syntax: [] };
  });
}
