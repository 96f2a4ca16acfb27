import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Verdict, VerdictCache } from '@sallyport/core/stages';
import type { RedisLink } from './redis.ts';

export interface VerdictsOptions {
  /** Authenticates shared verdicts: write access to Redis alone must not be enough to declare a text clean. */
  readonly key: Uint8Array;
  /** Redis, to share verdicts between replicas. @default none: each replica has its own */
  readonly link?: RedisLink;
  /** Maximum number of verdicts in this process. @default 10000 */
  readonly max?: number;
}

const MAX_COUNT = 10_000;
const TERM_SECONDS = 7 * 24 * 60 * 60;
const MAC_LENGTH = 64;
const MAX_VALUE_LENGTH = 1_000_000;

/** Cached classifier verdicts: first those of this process, then those that replicas share in Redis. */
export class Verdicts {
  readonly #key: Uint8Array;
  readonly #link: RedisLink | undefined;
  readonly #max: number;
  readonly #local = new Map<string, Verdict>();

  constructor({ key, link, max = MAX_COUNT }: VerdictsOptions) {
    this.#key = new Uint8Array(hkdfSync('sha256', key, '', 'sallyport verdict cache', 32));
    this.#link = link;
    this.#max = max;
  }

  /** The cache of one workspace. Workspaces share no entries, so timing reveals nothing about what another has read. */
  of(workspace: string): VerdictCache {
    const nameOf = (key: string): string =>
      createHash('sha256')
        .update(JSON.stringify([workspace, key]))
        .digest('hex');
    return {
      get: (key) => {
        const name = nameOf(key);
        const local = this.#local.get(name);
        if (local === undefined) return this.#fetch(name);
        this.#keep(name, local);
        return local;
      },
      set: (key, verdict) => {
        const name = nameOf(key);
        this.#keep(name, verdict);
        this.#share(name, verdict);
      },
    };
  }

  #keep(name: string, verdict: Verdict): void {
    this.#local.delete(name);
    this.#local.set(name, verdict);
    if (this.#local.size > this.#max) this.#local.delete(this.#local.keys().next().value as string);
  }

  #macOf(name: string, value: string): string {
    return createHmac('sha256', this.#key).update(`${name}\n${value}`).digest('hex');
  }

  /** Not awaited: a verdict that is not shared is computed again. */
  #share(name: string, verdict: Verdict): void {
    const value = JSON.stringify(verdict);
    if (this.#link === undefined || value.length > MAX_VALUE_LENGTH) return;
    const { commands, prefix } = this.#link;
    commands
      .set(`${prefix}verdict:${name}`, this.#macOf(name, value) + value, 'EX', TERM_SECONDS)
      .catch(() => undefined);
  }

  async #fetch(name: string): Promise<Verdict | undefined> {
    if (this.#link === undefined) return undefined;
    const { commands, prefix } = this.#link;
    const stored = await commands.get(`${prefix}verdict:${name}`).catch(() => null);
    if (stored === null || stored.length < MAC_LENGTH) return undefined;
    const [mac, value] = [Buffer.from(stored.slice(0, MAC_LENGTH)), stored.slice(MAC_LENGTH)];
    const expected = Buffer.from(this.#macOf(name, value));
    if (mac.length !== expected.length || !timingSafeEqual(mac, expected)) return undefined;
    const verdict = JSON.parse(value) as Verdict;
    this.#keep(name, verdict);
    return verdict;
  }
}
