import { MAIL } from '../address/address-token.ts';
import { findAddresses } from '../address/find-addresses.ts';
import { isUrl, partsOfPage } from '../address/host.ts';
import type { Effect } from '../call/effect.ts';
import { roleOfShape } from '../call/role.ts';
import { incompletePiece, type Provenance } from '../provenance/trace.ts';
import type { Argument } from '../provenance/trace-call.ts';
import { TRUST_CLASSES } from '../provenance/trust.ts';
import { type Destination, MAX_ADDRESSES } from './addresses.ts';
import type { GateQuestion } from './decision.ts';

/** Effects that tell others something. */
export const TELLS_OTHERS: ReadonlySet<Effect> = new Set(['fetch', 'send', 'configure', 'spend', 'execute']);

// A host without a scheme, followed by a path: many clients treat it as a link.
const PAGE = /(?<![\p{L}\p{N}-])[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}(?::\d{1,5})?\/[^\s"'<>()]{0,500}/gu;
const ACCOUNT = /\b[A-Z]{2}\d{2}[A-Z0-9]{6,30}\b|\+?\d[\d ()-]{7,18}\d/g;

// A full stop of other scripts, which hosts may be written with.
const STOP = /(?<=[\p{L}\p{N}])[\u3002\uff0e\uff61](?=[\p{L}\p{N}])/gu;

// What a person would take for an address although it has no path: a host, a handle, a mailbox without a domain, a wallet, a scheme.
const HOST =
  /(?<![\p{L}\p{N}@._-])(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}[\p{L}\p{N}-]{1,62}(?![\p{L}\p{N}@]|\.[\p{L}\p{N}])/gu;
const FILE =
  /\.(?:txt|md|pdf|docx?|xlsx?|pptx?|csv|tsv|json|ya?ml|toml|xml|html?|css|scss|jsx?|tsx?|mjs|cjs|py|rb|rs|go|java|kt|php|cpp|hpp|log|ini|cfg|conf|env|lock|sql|db|png|jpe?g|gif|svg|webp|mp[34]|wav|gz|tar|exe|dll|NET)$/i;
const IP = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/g;
const HANDLE = /(?<![\p{L}\p{N}._%+-])@[\p{L}\p{N}_][\p{L}\p{N}_.-]{1,62}[\p{L}\p{N}_]/gu;
const MAILBOX =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@(?:\p{L}[\p{L}\p{N}-]{1,62}|\[[\d.]{7,15}\])(?![\p{L}\p{N}@-]|\.[\p{L}\p{N}])/gu;
const WALLET = /(?<![A-Za-z0-9])(?=[A-Za-z]*\d)[A-Za-z0-9]{25,1000}(?![A-Za-z0-9])/g;
// Schemes without slashes. A colon in a sentence has a blank after it.
const OPENED =
  /(?<![\p{L}\p{N}.-])(?:bitcoin|callto|data|ethereum|facetime|geo|intent|javascript|lightning|magnet|sip|skype|vbscript|whatsapp):[^\s"'<>()]{1,500}/giu;

function looksLikeAddress(text: string): readonly string[] {
  const hosts = (text.match(HOST) ?? []).filter((host) => !FILE.test(host));
  return [...hosts, ...[IP, HANDLE, MAILBOX, WALLET, OPENED].flatMap((pattern) => text.match(pattern) ?? [])];
}

function addressesOf(text: string, isWide: boolean): readonly string[] {
  const found = findAddresses(text).map((address) => address.text);
  // Most readers treat a full-width at sign as an at sign.
  const folded = text.normalize('NFKC').replace(STOP, '.');
  const mails = Array.from(folded.matchAll(MAIL.pattern), ([domain, local]) => `${local}${domain}`);
  const others = [PAGE, ACCOUNT].flatMap((pattern) => folded.match(pattern) ?? []);
  return [...found, ...mails, ...others, ...(isWide ? looksLikeAddress(folded) : [])];
}

/** Parts of an address after these are traced together. */
const MAX_CARRIED = 50;

/** The addresses of an argument; `isCut` if there are more, or if the argument was too much to decode. */
interface Addresses {
  readonly found: readonly string[];
  readonly isCut: boolean;
}

/** The addresses of a text, including encoded and disguised ones: the recipient can decode them. */
function addressesIn({ decode }: GateQuestion, text: string, isWide: boolean): Addresses {
  const decoded = decode(text);
  if (decoded === undefined) return { found: [], isCut: true };
  const all = [...new Set(decoded.flatMap((each) => addressesOf(each, isWide)))];
  return { found: all.slice(0, MAX_ADDRESSES), isCut: all.length > MAX_ADDRESSES };
}

/** One destination for all addresses of an argument that were not traced. */
export function untraced(argument: Argument): Destination {
  const { text } = argument;
  const chosen: Provenance = { trust: 'suspect', vouchedBy: undefined, pieces: [incompletePiece(text)] };
  return { argument, address: text, chosen, carried: [text] };
}

/** What an address carries, and who chose its host. */
export function destinationOf(question: GateQuestion, argument: Argument, address: string): Destination {
  const isPage = isUrl(address) || argument.role === 'url' || /^[^\s@]+\//.test(address);
  const parts = isPage ? partsOfPage(address) : undefined;
  if (parts === undefined || parts.host === '') {
    const isWhole = address === argument.text && argument.role !== 'text';
    const chosen = isWhole
      ? argument.provenance
      : question.trace(address, argument.role === 'url' ? 'url' : (roleOfShape(address) ?? 'recipient'));
    return { argument, address, chosen, carried: isPage ? [address] : [] };
  }
  const { host } = parts;
  const rest = parts.carried.slice(MAX_CARRIED).join(' ');
  const carried = rest === '' ? parts.carried : [...parts.carried.slice(0, MAX_CARRIED), rest];
  return { argument, address, host, chosen: question.trace(host, 'url'), carried };
}

// Too short for an address or an account, and without a sign of one.
const PLAIN = /^[\w ]{0,8}$/;

function readDestinations(question: GateQuestion, argument: Argument, isWide: boolean): readonly Destination[] {
  if (PLAIN.test(argument.text)) return [];
  const { addresses } = question;
  const { left } = addresses;
  if (left <= 0) return [untraced(argument)];
  const { found, isCut } = addressesIn(question, argument.text, isWide);
  const destinations = found.slice(0, left).map((address) => destinationOf(question, argument, address));
  addresses.count(destinations.length);
  return isCut || found.length > left ? [...destinations, untraced(argument)] : destinations;
}

/**
 * Every address in some arguments of a call. Names of channels and people do not count: they do not say where they lead. With
 * `isWide`, whatever looks like an address counts.
 */
export function destinationsIn(
  question: GateQuestion,
  among: readonly Argument[],
  isWide = false,
): readonly Destination[] {
  return among.flatMap((argument) =>
    question.addresses.of(argument, isWide, () => readDestinations(question, argument, isWide)),
  );
}

export function isChosenByOthers({ trust, vouchedBy }: Provenance): boolean {
  return vouchedBy === undefined && TRUST_CLASSES.indexOf(trust) >= TRUST_CLASSES.indexOf('open');
}
