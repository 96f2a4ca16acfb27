import type { WrapKeys } from '../wrap/key.ts';
import { Session, type SessionSettings } from '../wrap/session.ts';

/** Milliseconds that a session is kept without a server: a client may restart its servers. */
const KEPT_MS = 10 * 60_000;

interface Entry {
  readonly session: Session;
  usedAt: number;
}

/** The sessions of all clients. Servers of a client whose policy differs have a session of their own. */
export class Sessions {
  readonly #state: string;
  readonly #keys: WrapKeys;
  readonly #clock: () => number;
  readonly #entries = new Map<string, Entry>();

  constructor(state: string, keys: WrapKeys, clock: () => number = Date.now) {
    this.#state = state;
    this.#keys = keys;
    this.#clock = clock;
  }

  /** The session of a client. */
  of(client: string, principal: string, settings: SessionSettings): Session {
    this.#removeOld();
    const key = JSON.stringify([client, principal, settings]);
    const found = this.#entries.get(key);
    const entry = found ?? {
      session: new Session(principal, this.#state, this.#keys, settings),
      usedAt: 0,
    };
    entry.usedAt = this.#clock();
    this.#entries.set(key, entry);
    return entry.session;
  }

  #removeOld(): void {
    for (const [key, { session, usedAt }] of this.#entries)
      if (session.size === 0 && usedAt + KEPT_MS < this.#clock()) this.#entries.delete(key);
  }
}
