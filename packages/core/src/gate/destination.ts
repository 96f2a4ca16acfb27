import { findAddresses } from '../address/find-addresses.ts';
import { partsOfAddress } from '../address/host.ts';
import type { Place } from '../provenance/occurrence.ts';
import type { Argument } from '../provenance/trace-call.ts';
import type { TrustClass, VouchedBy } from '../provenance/trust.ts';
import { readView } from '../text/view/view.ts';
import type { GateQuestion } from './decision.ts';

/** An address in an argument: somebody who would be told something. */
export interface Destination {
  readonly argument: Argument;
  readonly address: string;
  readonly trust: TrustClass;
  readonly vouchedBy: VouchedBy | undefined;
  /** Where it was found. */
  readonly places: readonly Place[];
  /** Parts of the address in which data can ride. */
  readonly carried: readonly string[];
}

// From the sign on, and back from it: a search for the beginning would start anew at every letter.
const MAIL = /(?<=([\p{L}\p{N}._%+-]{1,64}))@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu;
// A host without a scheme, with a path behind it: many clients take it for a link.
const PAGE = /(?<![\p{L}\p{N}-])[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}\/[^\s"'<>()]{0,500}/gu;
const ACCOUNT = /\b[A-Z]{2}\d{2}[A-Z0-9]{6,30}\b|\+?\d[\d ()-]{7,18}\d/g;

function addressesOf(text: string): readonly string[] {
  const found = findAddresses(text).map((address) => address.text);
  // A full-width sign is an at sign to most who read it.
  const folded = text.normalize('NFKC');
  const mails = Array.from(folded.matchAll(MAIL), ([domain, local]) => `${local}${domain}`);
  return [...found, ...mails, ...[PAGE, ACCOUNT].flatMap((pattern) => folded.match(pattern) ?? [])];
}

/** The addresses of a text, encoded and disguised ones too: whoever is written to can read them. */
function addressesIn(text: string): ReadonlySet<string> {
  const { layers, values } = readView(text);
  const others = [...layers, ...values].filter((layer) => layer.text !== text);
  return new Set([text, ...others.map((layer) => layer.text)].flatMap(addressesOf));
}

/** In an account or a mail address nothing can ride along; in whatever has a scheme or a path it can. */
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

/** Every address that some arguments of a call hold. The name of a channel or a person is none: nothing in it says where it leads. */
export function destinationsIn(question: GateQuestion, among: readonly Argument[]): readonly Destination[] {
  return among.flatMap((argument) =>
    Array.from(addressesIn(argument.text), (address) => destinationOf(question, argument, address)),
  );
}
