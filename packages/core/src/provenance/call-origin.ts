import { type TrustClass, type VouchedBy, worstTrust } from './trust.ts';

/** How a call came about. Kept under the id of the call, and under the ids of the records that its result became. */
export interface CallOrigin {
  /** The worst standing among the values of the call. Undefined where no call is known: the application asked by itself. */
  readonly chosen?: TrustClass;
  /** Who vouches for all values of the call. It depends on nothing that others wrote. */
  readonly vouchedBy?: VouchedBy;
  /** The user's own words chose the call, by naming one document. */
  readonly isNamed?: boolean;
  /** The hosts that the call addressed. */
  readonly hosts?: readonly string[];
}

/** A call's origin as a snapshot stores it: `standing` is the worst trust class of its values, `voucher` who vouches for all of them. */
export interface StoredOrigin {
  /** Of the call, or of a record that it brought. */
  readonly id: string;
  readonly standing: TrustClass;
  readonly voucher?: VouchedBy;
  /** The user's own words chose the call by naming one document. @default false */
  readonly isNamed?: boolean;
  /** The hosts that the call addressed. @default none */
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

  /** Lowers what is known of an id to a standing, if that is worse. */
  lower(id: string, trust: TrustClass): void {
    const known = this.of(id);
    this.#byId.set(id, { ...known, chosen: worstTrust([trust, known.chosen]) as TrustClass });
  }

  /** Gives a record the origin of its call; what was made from other records is no better than those. */
  inherit(id: string, callId: string | undefined, madeFrom: readonly string[]): void {
    const ids = callId === undefined ? madeFrom : [callId, ...madeFrom];
    const worst = worstTrust(ids.map((each) => this.of(each).chosen));
    const { chosen, ...known } = this.of(id);
    const isResult = callId !== undefined && madeFrom.length === 0;
    const origin = isResult ? { ...known, hosts: [], ...this.of(callId) } : known;
    const trust = worst ?? chosen;
    this.#byId.set(id, trust === undefined ? origin : { ...origin, chosen: trust });
  }

  *[Symbol.iterator](): Generator<readonly [id: string, origin: CallOrigin]> {
    yield* this.#byId;
  }
}
