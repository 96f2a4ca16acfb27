import { findAddresses } from '../address/find-addresses.ts';
import { partsOfAddress } from '../address/host.ts';
import type { Place } from '../provenance/occurrence.ts';
import type { Argument } from '../provenance/trace-call.ts';
import type { TrustClass, VouchedBy } from '../provenance/trust.ts';
import { readView } from '../text/view/view.ts';
import type { GateQuestion } from './decision.ts';

/** An address in an argument: a recipient of data. */
export interface Destination {
  readonly argument: Argument;
  readonly address: string;
  readonly trust: TrustClass;
  readonly vouchedBy: VouchedBy | undefined;
  /** Where it occurs. */
  readonly places: readonly Place[];
  /** The parts of the address that can carry data. */
  readonly carried: readonly string[];
}

// Matches from the at sign in both directions: a search for the start of the local part would restart at every letter.
const MAIL = /(?<=([\p{L}\p{N}._%+-]{1,64}))@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu;
// A host without a scheme, followed by a path: many clients treat it as a link.
const PAGE = /(?<![\p{L}\p{N}-])[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}\/[^\s"'<>()]{0,500}/gu;
const ACCOUNT = /\b[A-Z]{2}\d{2}[A-Z0-9]{6,30}\b|\+?\d[\d ()-]{7,18}\d/g;

function addressesOf(text: string): readonly string[] {
  const found = findAddresses(text).map((address) => address.text);
  // Most readers treat a full-width at sign as an at sign.
  const folded = text.normalize('NFKC');
  const mails = Array.from(folded.matchAll(MAIL), ([domain, local]) => `${local}${domain}`);
  return [...found, ...mails, ...[PAGE, ACCOUNT].flatMap((pattern) => folded.match(pattern) ?? [])];
}

/** The addresses of a text, including encoded and disguised ones: the recipient can decode them. */
function addressesIn(text: string): ReadonlySet<string> {
  const { layers, values } = readView(text);
  const others = [...layers, ...values].filter((layer) => layer.text !== text);
  return new Set([text, ...others.map((layer) => layer.text)].flatMap(addressesOf));
}

/** An account or a mail address cannot carry data; an address with a scheme or a path can. */
function canCarry(address: string): boolean {
  return /^[a-z][a-z0-9+.-]*:|^www\.|\//i.test(address);
}

function destinationOf(question: GateQuestion, argument: Argument, address: string): Destination {
  const isWhole = address === argument.text;
  const { trust, vouchedBy, pieces } = isWhole ? argument.provenance : question.trace(address);
  const places = pieces.flatMap(({ occurrences }) => occurrences);
  const carried = canCarry(address) ? (partsOfAddress(address)?.carried ?? [address]) : [];
  return { argument, address, trust, vouchedBy, places, carried };
}

/** Every address in some arguments of a call. Names of channels and people do not count: they do not say where they lead. */
export function destinationsIn(question: GateQuestion, among: readonly Argument[]): readonly Destination[] {
  return among.flatMap((argument) =>
    Array.from(addressesIn(argument.text), (address) => destinationOf(question, argument, address)),
  );
}
