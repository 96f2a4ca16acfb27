import { isUrl, pageHostOf } from '../address/host.ts';
import type { Effect } from '../call/effect.ts';
import type { Role } from '../call/role.ts';
import type { Argument } from './trace-call.ts';
import { type TrustClass, type VouchedBy, worstTrust } from './trust.ts';
import { weakestVouchedBy } from './vouch.ts';

/** Who chose a call. Kept under the id of the call, and under the ids of the records that hold its result. */
export interface CallOrigin {
  /** The worst trust class among the values of the call. Undefined if no call is known: the application itself made it. */
  readonly callTrust?: TrustClass;
  /** Who vouches for all values of the call. Untrusted content does not influence it. */
  readonly vouchedBy?: VouchedBy;
  /** Whether the user's own words chose the call by naming one document. */
  readonly isNamed?: boolean;
  /** Whether the call read a file at a place that the user typed. */
  readonly isInPlace?: boolean;
  /** The hosts of the addresses among the call's values. */
  readonly hosts?: readonly string[];
}

/** A call's origin as a snapshot stores it: `standing` is the worst trust class of its values, `voucher` who vouches for all of them. */
export interface StoredOrigin {
  /** The id of the call, or of a record that holds its result. */
  readonly id: string;
  readonly standing: TrustClass;
  readonly voucher?: VouchedBy;
  /** Whether the user's own words chose the call by naming one document. @default false */
  readonly isNamed?: boolean;
  /** Whether the call read a file at a place that the user typed. @default false */
  readonly isInPlace?: boolean;
  /** The hosts of the addresses among the call's values. @default none */
  readonly hosts?: readonly string[];
}

/** Roles of values that select among documents: a day, an amount, an order of sorting. */
const SELECTING: ReadonlySet<Role> = new Set(['time', 'choice', 'amount']);

/** A path, an identifier or an address: it names one document, not a kind of document. A day or an amount selects among them. */
function namesDocument({ isFree, role, text }: Argument): boolean {
  return (
    !isFree && !SELECTING.has(role) && !/\s/.test(text.trim()) && /\d|[\p{L}\p{N}][./:_#-][\p{L}\p{N}]|\//u.test(text)
  );
}

/** The origin of a call by the provenance of its values. */
export function originOf(traced: readonly Argument[], isInPlace: boolean): CallOrigin {
  const vouchedBy = weakestVouchedBy(traced.map(({ provenance }) => provenance.vouchedBy));
  const hosts = hostsIn(traced);
  if (vouchedBy === undefined) return { hosts, isInPlace };
  return { hosts, isInPlace, vouchedBy, isNamed: vouchedBy === 'words' && traced.some(namesDocument) };
}

/** Effects whose results are receipts, and whose texts direct nothing. */
const RECEIPTS: ReadonlySet<Effect> = new Set(['write', 'send']);

/** What a value makes of the result of its call. A text that is written or sent says nothing about the receipt. */
export function trustInResult(
  { isFree, role, provenance: { trust } }: Argument,
  effect: Effect | undefined,
): TrustClass {
  const isWording = effect !== undefined && RECEIPTS.has(effect) && (isFree || role === 'text');
  return isWording && worstTrust([trust, 'open']) === trust ? 'open' : trust;
}

/** The hosts of the arguments that are a whole address, without `www`. */
function hostsIn(all: readonly Argument[]): string[] {
  const addresses = all.map(({ text }) => text.trim()).filter((text) => isUrl(text) && !/\s/.test(text));
  return addresses.flatMap((text) => pageHostOf(text) ?? []);
}

/** The hosts that a call goes to. An address in a text, such as a subject, is only mentioned. */
export function addressedHosts(all: readonly Argument[]): ReadonlySet<string> {
  return new Set(hostsIn(all.filter(({ isFree, role }) => !isFree && role === 'url')));
}

/** Values of these roles direct a call wherever they come from: whom it reaches, where it goes, what it runs and costs. */
const DIRECTING: ReadonlySet<Role> = new Set(['recipient', 'url', 'command', 'amount']);

const BETWEEN_PATHS = /[\s"'`<>|;&=()]+/;
// `/people/ann.txt`, `people\\ann`, `ann.txt`.
const PATH = /[/\\]|\.\w{1,8}$/;

/**
 * The paths that a call may change: what is declared or named as one, and what looks like one, also in a command. The commands of
 * a setting do not run now.
 */
export function pathsIn(traced: readonly Argument[], effect: Effect | undefined): string[] {
  return traced.flatMap(({ isFree, role, text }) => {
    if (isFree || (role === 'command' && effect === 'configure')) return [];
    const found = text.split(BETWEEN_PATHS).filter((each) => PATH.test(each));
    return role === 'path' ? [text, ...found] : found;
  });
}

const UNKNOWN: CallOrigin = Object.freeze({});

/** The origins of the calls of one conversation. */
export class CallOrigins {
  readonly #byId = new Map<string, CallOrigin>();

  of(id: string): CallOrigin {
    return this.#byId.get(id) ?? UNKNOWN;
  }

  set(id: string, origin: CallOrigin): void {
    this.#byId.set(id, origin);
  }

  /** Lowers the trust class of an id to the given one, if that is worse. */
  lower(id: string, trust: TrustClass): void {
    const known = this.of(id);
    this.#byId.set(id, { ...known, callTrust: worstTrust([trust, known.callTrust]) as TrustClass });
  }

  /** Gives a record the origin of its call. A record that was derived from others is trusted no more than the worst of them. */
  inherit(id: string, callId: string | undefined, madeFrom: readonly string[]): void {
    const ids = callId === undefined ? madeFrom : [callId, ...madeFrom];
    const worst = worstTrust(ids.map((each) => this.of(each).callTrust));
    const { callTrust, ...known } = this.of(id);
    const isResult = callId !== undefined && madeFrom.length === 0;
    const origin = isResult ? { ...known, hosts: [], ...this.of(callId) } : known;
    const trust = worst ?? callTrust;
    this.#byId.set(id, trust === undefined ? origin : { ...origin, callTrust: trust });
  }

  /**
   * Whether a value that a site asks for goes back to that site, such as the fields of a form. That directs nothing; where the
   * call goes and what else it sends there is checked separately.
   */
  isReturned({ role, provenance: { trust, pieces } }: Argument, addressed: ReadonlySet<string>): boolean {
    if (addressed.size === 0 || trust !== 'requested' || DIRECTING.has(role)) return false;
    const records = pieces.flatMap(({ occurrences }) =>
      occurrences.filter((each) => each.trust === trust).map(({ recordId }) => recordId),
    );
    return [...new Set(records)].some((id) => (this.of(id).hosts ?? []).some((host) => addressed.has(host)));
  }

  /** The recorded origins, in the form that a snapshot stores. */
  get stored(): readonly StoredOrigin[] {
    return Array.from(this.#byId).flatMap(([id, { callTrust, vouchedBy, isNamed, isInPlace, hosts }]) => {
      if (callTrust === undefined) return [];
      const choice = { id, standing: callTrust, ...(vouchedBy === undefined ? {} : { voucher: vouchedBy }) };
      const named = { ...(isNamed ? { isNamed } : {}), ...(isInPlace ? { isInPlace } : {}) };
      return [{ ...choice, ...named, ...(hosts?.length ? { hosts } : {}) }];
    });
  }

  restore(stored: readonly StoredOrigin[]): void {
    for (const { id, standing, voucher, ...origin } of stored)
      this.set(id, { ...origin, callTrust: standing, ...(voucher === undefined ? {} : { vouchedBy: voucher }) });
  }
}
