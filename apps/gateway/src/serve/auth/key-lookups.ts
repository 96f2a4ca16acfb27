import { BoundedMap, digestText } from '@sallyport/core/adapter';
import type { Caller, Keys } from '../../store/secrets/keys.ts';

export type KeyLookup =
  | { readonly type: 'caller'; readonly caller: Caller }
  | { readonly type: 'unknown' }
  /** The client has tried too many unknown keys. */
  | { readonly type: 'limited'; readonly wait: number };

export interface KeyLookupsOptions {
  /** A monotonic clock, in milliseconds. @default performance.now */
  readonly clock?: () => number;
}

interface Window {
  count: number;
  readonly until: number;
}

/** Unknown keys that one client may try within `WINDOW` milliseconds. Each costs a query. */
export const MAX_UNKNOWN = 300;
const WINDOW = 10_000;
/** Milliseconds that an unknown key stays unknown. Keys are random, so none is tried before it is created. */
const UNKNOWN_AGE = 60_000;
const MAX_ENTRIES = 10_000;
const UNKNOWN = { type: 'unknown' } as const;

/** Looks up keys, so that a flood of wrong ones costs few queries. A key that was valid before is never limited. */
export class KeyLookups {
  readonly #keys: Pick<Keys, 'find'>;
  readonly #clock: () => number;
  // By digest, so that no secret stays in memory.
  readonly #valid = new BoundedMap<string, true>(MAX_ENTRIES);
  readonly #unknown = new BoundedMap<string, number>(MAX_ENTRIES);
  readonly #windows = new BoundedMap<string, Window>(MAX_ENTRIES);

  constructor(keys: Pick<Keys, 'find'>, { clock = () => performance.now() }: KeyLookupsOptions = {}) {
    this.#keys = keys;
    this.#clock = clock;
  }

  async find(text: string, client: string): Promise<KeyLookup> {
    const digest = digestText(text);
    if (this.#clock() < (this.#unknown.get(digest) ?? 0)) return UNKNOWN;
    if (this.#valid.has(digest)) return this.#look(text, digest);
    const window = this.#windowOf(client);
    if (window.count >= MAX_UNKNOWN) return { type: 'limited', wait: window.until - this.#clock() };
    // Counted before the answer is known: requests at the same time must not all pass.
    window.count++;
    const found = await this.#look(text, digest);
    if (found.type === 'caller') window.count--;
    return found;
  }

  async #look(text: string, digest: string): Promise<KeyLookup> {
    const caller = await this.#keys.find(text);
    if (caller === undefined) {
      this.#valid.delete(digest);
      this.#unknown.set(digest, this.#clock() + UNKNOWN_AGE);
      return UNKNOWN;
    }
    this.#valid.set(digest, true);
    return { type: 'caller', caller };
  }

  #windowOf(client: string): Window {
    const current = this.#windows.get(client);
    if (current !== undefined && this.#clock() < current.until) return current;
    const next = { count: 0, until: this.#clock() + WINDOW };
    this.#windows.set(client, next);
    return next;
  }
}
