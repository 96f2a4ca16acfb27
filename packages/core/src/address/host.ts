import { NAMED_ENTITIES } from '@sallyport/decode';
import { fromPunycode } from './punycode.ts';

/** The host of an address, and every part of it that can carry data. */
interface AddressParts {
  /** Empty if the address is relative to the page, or the scheme has no host. */
  readonly host: string;
  readonly carried: readonly string[];
}

const SCHEME = /^(?!www\d*[.\u3002])([a-z][a-z0-9+.-]*)\\?:/i;
const WEB = /^(?:https?|ftp|wss?)$/i;
const REFERENCE = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,31}));/gi;
// Names that the table of delimiters lacks, and the tab, which the table maps to a blank and which is dropped here.
const NAMES: ReadonlyMap<string, string> = new Map([
  ...NAMED_ENTITIES,
  ['quest', '?'],
  ['equals', '='],
  ['commat', '@'],
  ['percnt', '%'],
  ['tab', '\t'],
]);
// IDNA maps these to a full stop in a host, and ignores the code points below.
const STOPS = /[\u3002\uff0e\uff61]/g;
const NOTHING = /\p{Default_Ignorable_Code_Point}/gu;
const FORBIDDEN = /[^a-z0-9._\u0080-\uffff-]/;
const IPV6 = /^\[[0-9a-f:.]+\]$/;

/** The address as a client requests it: character references and escapes resolved, line breaks and tabs dropped. */
function plain(address: string): string {
  const resolved = address.replace(REFERENCE, (whole, hex?: string, decimal?: string, name = '') => {
    if (name !== '') return NAMES.get(name.toLowerCase()) ?? whole;
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return point > 0x10ffff ? whole : String.fromCodePoint(point);
  });
  const written = resolved.replace(/[\t\n\r]/g, '').replace(/^[^!-\uffff]+/, '');
  // Some parsers drop or fold characters before the first colon, which changes the scheme.
  return written
    .replace(/^[^/?#\\:\ufe55\uff1a]+[:\ufe55\uff1a]/, (head) => head.replace(NOTHING, '').normalize('NFKC'))
    .trimEnd();
}

function percentDecoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run.replace(/%(..)/g, (_, pair: string) => String.fromCharCode(Number.parseInt(pair, 16)));
    }
  });
}

/** A label of a host as a number, in any of the bases that browsers read; NaN if it is not one. */
function numberOf(label: string): number {
  if (/^0x[0-9a-f]*$/.test(label)) return Number.parseInt(label.slice(2) || '0', 16);
  if (/^0[0-7]+$/.test(label)) return Number.parseInt(label, 8);
  return /^\d+$/.test(label) ? Number(label) : Number.NaN;
}

/** An IPv4 host such as `3232235777` or `0xc0.168.257`, in its four decimal numbers. */
function dotted(host: string): string | undefined {
  const numbers = host.split('.').map(numberOf);
  if (Number.isNaN(numbers.at(-1))) return host;
  const last = numbers.pop() as number;
  const rest = 4 - numbers.length;
  if (rest < 1 || last >= 256 ** rest || !numbers.every((each) => each < 256)) return undefined;
  for (let byte = rest - 1; byte >= 0; byte--) numbers.push(Math.floor(last / 256 ** byte) % 256);
  return numbers.join('.');
}

/**
 * The host as a browser resolves it; undefined if it is invalid. Look-alikes are not folded, since they are different
 * hosts.
 */
function hostOf(written: string): string | undefined {
  const mapped = percentDecoded(written).replace(NOTHING, '').normalize('NFKC').toLowerCase().replace(STOPS, '.');
  const host = mapped.replace(/:\d*$/, '').replace(/\.$/, '');
  if (IPV6.test(host)) return host;
  return host === '' || FORBIDDEN.test(host) ? undefined : dotted(host);
}

/** Splits a text at the first match of a pattern. */
function split(text: string, pattern: RegExp): readonly [string, string] {
  const at = text.search(pattern);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}

function carriedBy(tail: string): readonly string[] {
  const [beforeFragment, fragment] = split(tail, /#/);
  const [path, query] = split(beforeFragment, /\?/);
  const pairs = query.slice(1).replaceAll('+', ' ').split(/[&;=]/);
  return [...path.split(/[/\\]/), ...pairs, fragment.slice(1)];
}

interface Split {
  /** Undefined if the address names none. */
  readonly authority: string | undefined;
  readonly tail: string;
}

function splitAddress(address: string): Split {
  const [head = '', scheme = ''] = SCHEME.exec(address) ?? [];
  const rest = address.slice(head.length);
  if (/^(?:mailto|xmpp)$/i.test(scheme)) {
    const [mailbox, tail] = split(rest, /\?/);
    return { authority: percentDecoded(mailbox), tail };
  }
  // Browsers skip any number of slashes before the host, for web schemes and for addresses without a scheme.
  const isWeb = WEB.test(scheme) || scheme === '';
  const [authority, tail] = split(rest.replace(isWeb ? /^[/\\]+/ : /^[/\\]{2}/, ''), /[/?#]|\\(?![!-/:-@[-`{-~])/);
  const isNamed = WEB.test(scheme) || /^[/\\]{2}/.test(rest) || (scheme === '' && /^www\d*[.\u3002]/i.test(rest));
  if (isNamed && (isWeb || authority !== '')) return { authority, tail };
  // A colon after text that is not a valid scheme: a parser that accepts it as a scheme would find a host.
  const isUnclear = scheme === '' && /^[^/?#]*:/.test(rest);
  return { authority: isUnclear ? '' : undefined, tail: rest };
}

/**
 * The host of an address and the data that the address carries: all labels but the last two, user information, path,
 * query and fragment, percent-decoded. Undefined if parsers disagree about the host.
 */
export function partsOfAddress(address: string): AddressParts | undefined {
  const { authority, tail } = splitAddress(plain(address));
  // Markdown drops a backslash and a browser reads it as a slash, so they find two hosts. The same holds for two at
  // signs.
  if (/\\|@.*@/s.test(authority ?? '')) return undefined;
  const at = authority?.lastIndexOf('@') ?? -1;
  const host = authority === undefined ? '' : hostOf(authority.slice(at + 1));
  if (host === undefined) return undefined;
  const labels = /^[\d.]+$|^\[/.test(host) ? [] : host.split('.').slice(0, -2);
  const user = (authority ?? '').slice(0, Math.max(0, at)).split(':');
  const carried = [...labels, ...user, ...carriedBy(tail)].map(percentDecoded).filter((each) => each !== '');
  return { host, carried };
}

// Browsers need no slashes after a web scheme: `https:a.example`.
const URL = /^(?:[a-z][a-z0-9+.-]*:\/\/|(?:https?|ftp|wss?):|www\.)/i;

/** Recognises a web address by its beginning: a scheme, or `www`. */
export function isUrl(text: string): boolean {
  return URL.test(text);
}

/** An address without its scheme. The scheme has no author, so it is not looked for in content. */
export function withoutScheme(text: string): string {
  return text.replace(/^[a-z][a-z0-9+.-]{1,20}:\/\/(?=.)/i, '');
}

/** The parts of the address of a page, with or without a scheme. Undefined if parsers disagree about the host. */
export function partsOfPage(address: string): AddressParts | undefined {
  const text = address.replace(/^[^!-\uffff]+/, '').trimEnd();
  const parts = partsOfAddress(isUrl(text) ? text : `http://${text}`);
  return parts && { ...parts, host: parts.host.replace(/^www\./, '') };
}

/** The host of a page, without `www.`; undefined if it has none, or if parsers disagree about it. */
export function pageHostOf(address: string): string | undefined {
  return partsOfPage(address)?.host || undefined;
}

// Between addresses: blanks, or signs that another address follows.
const BETWEEN = /\s+|[,;|]+(?=[a-z][a-z0-9+.-]*:|www\.|\/\/)/i;

/**
 * The addresses in an argument that is an address: some tools take several. A tab or a line break can also be inside
 * one.
 */
export function pagesIn(value: string): readonly string[] {
  const text = value.replace(/^[^!-\uffff]+/, '').trimEnd();
  const [first = '', ...others] = text.split(BETWEEN);
  const joined = text.replace(/[\t\n\r]/g, '');
  const pages = [first, ...others.filter((each) => /[.:]|^\/\//.test(each)), ...(joined === text ? [] : [joined])];
  return [...new Set(pages)].filter((each) => each !== '');
}

/** True if parsers find different hosts in a text that begins like the address of a page. */
export function isDisputed(page: string): boolean {
  return (isUrl(page) || /^[/\\]{2}|^[\w.-]+\.[a-z]{2,}[\\@:]/i.test(page)) && partsOfPage(page) === undefined;
}

// Inside an address another one begins with its scheme, or is a host that fills a path segment or a parameter.
const INNER_SCHEME = /(?<=.)(?=(?:https?|ftp|wss?):\/\/)/i;
const BARE_HOST = /^(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}[\p{L}\p{N}-]{1,62}(?::\d{1,5})?(?:\/.*)?$/u;
const MAX_NESTED = 20;

/** The pages that an address carries in its path, its query or its fragment: a proxy or a redirection leads there. */
export function nestedPagesIn(page: string): readonly string[] {
  const [, ...withScheme] = percentDecoded(percentDecoded(page)).split(INNER_SCHEME);
  const { host = '', carried = [] } = partsOfPage(page) ?? {};
  const bare = carried.filter((each) => BARE_HOST.test(each) && !host.includes(each));
  return [...new Set([...withScheme, ...bare])].slice(0, MAX_NESTED);
}

const MAPPED = /^\[(?:0*:)*:?ffff:(?:([0-9a-f]{1,4}):([0-9a-f]{1,4})|((?:\d{1,3}\.){3}\d{1,3}))\]$/;

/**
 * The spellings of a host in content: international labels with their letters, and an IPv4 address in IPv6 notation as
 * IPv4.
 */
export function spellingsOfHost(host: string): readonly string[] {
  const unicode = host.replace(
    /(?<=^|\.)xn--([a-z0-9-]{1,59})(?=$|\.)/g,
    (whole, label: string) => fromPunycode(label) ?? whole,
  );
  const [, high, low, dotted = ''] = MAPPED.exec(host) ?? [];
  const bytes = [high, low].flatMap((pair) => {
    const number = Number.parseInt(pair ?? '', 16);
    return Number.isNaN(number) ? [] : [number >> 8, number & 255];
  });
  return [...new Set([host, unicode, dotted, bytes.join('.')])].filter((each) => each !== '');
}
