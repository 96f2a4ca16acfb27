import { findAddresses } from './address.ts';
import type { Argument } from './argument.ts';
import type { GateQuestion } from './decision.ts';
import { partsOfAddress } from './host.ts';
import type { Standing, Voucher } from './standing.ts';

/** An address in an argument: somebody who would be told something. */
export interface Destination {
  readonly argument: Argument;
  readonly address: string;
  readonly standing: Standing;
  readonly voucher: Voucher | undefined;
  /** The records it was found in. */
  readonly recordIds: readonly string[];
  /** Parts of the address in which data can ride. */
  readonly carried: readonly string[];
}

const MAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu;
const ACCOUNT = /\b[A-Z]{2}\d{2}[A-Z0-9]{6,30}\b|\+?\d[\d ()-]{7,18}\d/g;

function addressesIn(text: string): readonly string[] {
  const found = findAddresses(text).map((address) => address.text);
  return [...found, ...[MAIL, ACCOUNT].flatMap((pattern) => text.match(pattern) ?? [])];
}

/** In an account or a mail address nothing can ride along. */
function isUrl(address: string): boolean {
  return /^[a-z][a-z0-9+.-]*:|^www\.|^\/\//i.test(address);
}

function destinationOf(question: GateQuestion, argument: Argument, address: string): Destination {
  const isWhole = address === argument.text;
  const { standing, voucher, pieces } = isWhole ? argument.provenance : question.trace(address);
  const recordIds = pieces.flatMap(({ occurrences }) => occurrences.map(({ recordId }) => recordId));
  const carried = isUrl(address) ? (partsOfAddress(address)?.carried ?? [address]) : [];
  return { argument, address, standing, voucher, recordIds, carried };
}

/** Every address that a call holds. In an argument that is not free the whole of it may be one: a name, a channel, a handle. */
export function destinationsOf(question: GateQuestion): readonly Destination[] {
  return question.arguments.flatMap((argument) =>
    addressesIn(argument.text).map((address) => destinationOf(question, argument, address)),
  );
}
