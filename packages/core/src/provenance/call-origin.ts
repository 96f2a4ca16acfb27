import type { Effect } from '../call/effect.ts';
import type { Argument } from './trace-call.ts';
import { type TrustClass, type VouchedBy, worstTrust } from './trust.ts';
import { weakestVouchedBy } from './vouch.ts';

/** Who chose a call. Kept under the id of the call, and under the ids of the records that hold its result. */
export interface CallOrigin {
  /** The worst trust class among the values of the call. Undefined if no call is known: the application itself made it. */
  readonly callTrust?: TrustClass;
  /** Who vouches for all values of the call. Untrusted content does not influence it. */
  readonly vouchedBy?: VouchedBy;
  /** How far identifiers in the result are trusted. */
  readonly minted?: TrustClass;
}

/** A call's origin as a snapshot stores it: `standing` is the worst trust class of its values, `voucher` who vouches for all of them. */
export interface StoredOrigin {
  /** The id of the call, or of a record that holds its result. */
  readonly id: string;
  readonly standing: TrustClass;
  readonly voucher?: VouchedBy;
}

/** The origin of a call by the provenance of its values. */
export function originOf(traced: readonly Argument[], effect: Effect | undefined): CallOrigin {
  const vouchedBy = weakestVouchedBy(traced.map(({ provenance }) => provenance.vouchedBy));
  const minted = mintedBy(traced, effect);
  return vouchedBy === undefined ? { minted } : { minted, vouchedBy };
}

/** Effects whose results are receipts, and whose texts direct nothing. */
const RECEIPTS: ReadonlySet<Effect> = new Set(['write', 'send']);

/** How far a value lowers the trust in the result of its call. The text of a message that was sent does not lower its receipt. */
export function trustInResult(
  { isFree, role, provenance: { trust } }: Argument,
  effect: Effect | undefined,
): TrustClass {
  const isWording = effect !== undefined && RECEIPTS.has(effect) && (isFree || role === 'text');
  return isWording && worstTrust([trust, 'open']) === trust ? 'open' : trust;
}

/**
 * How far identifiers in the result of a call are trusted. A call that reads finds things that have their identifiers already, so the
 * model's own search words do not lower the trust. A call that makes a thing passes on the worst trust of its values.
 */
function mintedBy(traced: readonly Argument[], effect: Effect | undefined): TrustClass {
  const isRead = effect === 'read';
  const worst = worstTrust(traced.flatMap(({ isFree, provenance }) => (isFree ? [] : [provenance.trust]))) ?? 'vouched';
  return isRead && worst === 'own' ? 'vouched' : worst;
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
    const origin = isResult ? { ...known, ...this.of(callId) } : known;
    const trust = worst ?? callTrust;
    this.#byId.set(id, trust === undefined ? origin : { ...origin, callTrust: trust });
  }

  /** The recorded origins, in the form that a snapshot stores. */
  get stored(): readonly StoredOrigin[] {
    return Array.from(this.#byId).flatMap(([id, { callTrust, vouchedBy }]) =>
      callTrust === undefined
        ? []
        : [{ id, standing: callTrust, ...(vouchedBy === undefined ? {} : { voucher: vouchedBy }) }],
    );
  }

  restore(stored: readonly StoredOrigin[]): void {
    for (const { id, standing, voucher, ...origin } of stored)
      this.set(id, { ...origin, callTrust: standing, ...(voucher === undefined ? {} : { vouchedBy: voucher }) });
  }
}
