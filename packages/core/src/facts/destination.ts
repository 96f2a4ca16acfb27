import { MAIL } from '../address/address-token.ts';
import { findAddresses } from '../address/find-addresses.ts';
import { isUrl, partsOfPage } from '../address/host.ts';
import type { Effect } from '../call/effect.ts';
import { roleOfShape } from '../call/role.ts';
import { ACCOUNT } from '../json/shape.ts';
import { incompletePiece, type Provenance } from '../provenance/trace.ts';
import type { Argument } from '../provenance/trace-call.ts';
import { TRUST_CLASSES } from '../provenance/trust.ts';
import type { Inspection } from './inspection.ts';

/** Where a call goes, who chose that, and what the address itself carries there. */
export interface Destination {
  readonly argument: Argument;
  readonly address: string;
  /** Who chose the host or the recipient. The rest of an address is what it carries. */
  readonly chosen: Provenance;
  readonly carried: readonly string[];
}

/** Effects that tell others something. */
export const TELLS_OTHERS: ReadonlySet<Effect> = new Set(['fetch', 'send', 'configure', 'spend', 'execute']);

// A host without a scheme, followed by a path: many clients treat it as a link.
const PAGE = /(?<![\p{L}\p{N}-])[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}(?::\d{1,5})?\/[^\s"'<>()]{0,500}/gu;
const ACCOUNT_OR_PHONE = new RegExp(`\\b${ACCOUNT}\\b|\\+?\\d[\\d ()-]{7,18}\\d`, 'g');

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
  const others = [PAGE, ACCOUNT_OR_PHONE].flatMap((pattern) => folded.match(pattern) ?? []);
  return [...found, ...mails, ...others, ...(isWide ? looksLikeAddress(folded) : [])];
}

/** Parts of an address after these are traced together. */
const MAX_CARRIED = 50;

/** One destination for all addresses of an argument that were not traced. */
export function untraced(argument: Argument): Destination {
  const { text } = argument;
  const chosen: Provenance = { trust: 'suspect', vouchedBy: undefined, pieces: [incompletePiece(text)] };
  return { argument, address: text, chosen, carried: [text] };
}

/** What an address carries, and who chose its host. */
export function destinationOf(question: Inspection, argument: Argument, address: string): Destination {
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
  return { argument, address, chosen: question.trace(host, 'url'), carried };
}

// Too short for an address or an account, and without a sign of one.
const PLAIN = /^[\w ]{0,8}$/;

/** Maximum number of addresses that are traced in one call, in texts and in other arguments each. */
export const MAX_ADDRESSES = 500;

/** The arguments whose words the model may choose. An address in one leads somewhere all the same. */
export function textsOf({ arguments: all }: Inspection): readonly Argument[] {
  return all.filter(({ isFree, role }) => isFree || role === 'text');
}

/** The addresses in the arguments of one call. Several facts depend on them, so those of an argument are read once. */
export class Destinations {
  readonly #inspection: Inspection;
  readonly #narrow = new Map<Argument, readonly Destination[]>();
  readonly #wide = new Map<Argument, readonly Destination[]>();
  #count = 0;

  constructor(inspection: Inspection) {
    this.#inspection = inspection;
  }

  /**
   * Every address in some arguments. Names of channels and people do not count: they do not say where they lead. With `isWide`,
   * whatever looks like an address counts.
   */
  in(among: readonly Argument[], isWide = false): readonly Destination[] {
    const known = isWide ? this.#wide : this.#narrow;
    return among.flatMap((argument) => {
      const destinations = known.get(argument) ?? this.#read(argument, isWide);
      known.set(argument, destinations);
      return destinations;
    });
  }

  #read(argument: Argument, isWide: boolean): readonly Destination[] {
    if (PLAIN.test(argument.text)) return [];
    const left = MAX_ADDRESSES - this.#count;
    if (left <= 0) return [untraced(argument)];
    const decoded = this.#inspection.decode(argument.text);
    // Encoded and disguised ones too: the recipient can decode them.
    const found = [...new Set((decoded ?? []).flatMap((each) => addressesOf(each, isWide)))];
    const destinations = found.slice(0, left).map((address) => destinationOf(this.#inspection, argument, address));
    // Reading a text costs as much as tracing an address, even if it has none.
    this.#count += 1 + destinations.length;
    return decoded === undefined || found.length > left ? [...destinations, untraced(argument)] : destinations;
  }

  /** Reads the addresses of one text after the other, so that the caller can do something else in between. */
  *readAhead(): Generator<undefined> {
    yield;
    if (this.#inspection.effect === 'read') return;
    for (const argument of textsOf(this.#inspection)) {
      this.in([argument], true);
      yield;
    }
  }
}

/** Nobody whom the user trusts named it, and content did. */
export function isChosenByOthers({ trust, vouchedBy }: Provenance): boolean {
  return vouchedBy === undefined && TRUST_CLASSES.indexOf(trust) >= TRUST_CLASSES.indexOf('open');
}
