import { type TrustClass, type VouchedBy, worstTrust } from './trust.ts';

/** Who chose a call. Kept under the id of the call, and under the ids of the records that hold its result. */
export interface CallOrigin {
  /** The worst trust class among the values of the call. Undefined if no call is known: the application itself made it. */
  readonly callTrust?: TrustClass;
  /** Who vouches for all values of the call. Untrusted content does not influence it. */
  readonly vouchedBy?: VouchedBy;
  /** Whether the user's own words chose the call by naming one document. */
  readonly isNamed?: boolean;
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
  /** The hosts of the addresses among the call's values. @default none */
  readonly hosts?: readonly string[];
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

  *[Symbol.iterator](): Generator<readonly [id: string, origin: CallOrigin]> {
    yield* this.#byId;
  }
}
