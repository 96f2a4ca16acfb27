import { findAddresses } from '../address/find-addresses.ts';
import { isUrl, partsOfAddress } from '../address/host.ts';
import { roleOfShape } from '../call/role.ts';
import type { Provenance } from '../provenance/trace.ts';
import type { Argument } from '../provenance/trace-call.ts';
import { TRUST_CLASSES } from '../provenance/trust.ts';
import { readView } from '../text/view/view.ts';
import type { GateQuestion } from './decision.ts';

/** Where a call goes, who chose that, and what the address itself carries there. */
export interface Destination {
  readonly argument: Argument;
  readonly address: string;
  /** Who chose the host or the recipient. The rest of an address is what it carries. */
  readonly chosen: Provenance;
  readonly carried: readonly string[];
}

// Matches from the at sign in both directions: a search for the start of the local part would restart at every letter.
const MAIL = /(?<=([\p{L}\p{N}._%+-]{1,64}))@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu;
// A host without a scheme, followed by a path: many clients treat it as a link.
const PAGE = /(?<![\p{L}\p{N}-])[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}(?::\d{1,5})?\/[^\s"'<>()]{0,500}/gu;
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

/** What an address carries, and who chose its host. */
export function destinationOf(question: GateQuestion, argument: Argument, address: string): Destination {
  const isPage = isUrl(address) || argument.role === 'url' || /^[^\s@]+\//.test(address);
  const parts = isPage ? partsOfAddress(isUrl(address) ? address : `http://${address}`) : undefined;
  if (parts === undefined || parts.host === '') {
    const isWhole = address === argument.text && argument.role !== 'text';
    const chosen = isWhole ? argument.provenance : question.trace(address, roleOfShape(address) ?? 'recipient');
    return { argument, address, chosen, carried: isPage ? [address] : [] };
  }
  const host = parts.host.replace(/^www\./, '');
  return { argument, address, chosen: question.trace(host, 'url'), carried: parts.carried };
}

/** Every address in some arguments of a call. Names of channels and people do not count: they do not say where they lead. */
export function destinationsIn(question: GateQuestion, among: readonly Argument[]): readonly Destination[] {
  return among.flatMap((argument) =>
    Array.from(addressesIn(argument.text), (address) => destinationOf(question, argument, address)),
  );
}

export function isChosenByOthers({ trust, vouchedBy }: Provenance): boolean {
  return vouchedBy === undefined && TRUST_CLASSES.indexOf(trust) >= TRUST_CLASSES.indexOf('open');
}
