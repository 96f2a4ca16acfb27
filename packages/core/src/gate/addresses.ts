import type { Provenance } from '../provenance/trace.ts';
import type { Argument } from '../provenance/trace-call.ts';

/** Where a call goes, who chose that, and what the address itself carries there. */
export interface Destination {
  readonly argument: Argument;
  readonly address: string;
  /** Without `www.`; undefined if it is not a page. */
  readonly host?: string;
  /** Who chose the host or the recipient. The rest of an address is what it carries. */
  readonly chosen: Provenance;
  readonly carried: readonly string[];
}

/** Maximum number of addresses that are traced in one call, in texts and in other arguments each. */
export const MAX_ADDRESSES = 500;

/** The addresses in one call while it is checked: several rules ask for those of the same arguments. */
export class CallAddresses {
  readonly #narrow = new Map<Argument, readonly Destination[]>();
  readonly #wide = new Map<Argument, readonly Destination[]>();
  #count = 0;

  /** How many more can be traced. */
  get left(): number {
    return MAX_ADDRESSES - this.#count;
  }

  /** Counts a text that was read, and the addresses in it: reading a text costs as much as tracing an address, even if it has none. */
  count(addresses: number): void {
    this.#count += 1 + addresses;
  }

  /** The addresses of an argument, which are read once. */
  of(argument: Argument, isWide: boolean, read: () => readonly Destination[]): readonly Destination[] {
    const known = isWide ? this.#wide : this.#narrow;
    const destinations = known.get(argument) ?? read();
    known.set(argument, destinations);
    return destinations;
  }
}
