import type { RedisLink } from './redis.ts';

/** A token bucket. */
export interface Rate {
  /** Requests that may be made at once. */
  readonly burst: number;
  /** Requests that are added each second. */
  readonly perSecond: number;
}

export interface Admission {
  readonly isAllowed: boolean;
  /** Milliseconds until the next request is allowed; 0 if this one is. */
  readonly wait: number;
}

/** Takes a token. It uses the clock of Redis, so the clocks of replicas need not agree. */
const TAKE = `
local now = redis.call('TIME')
local time = now[1] * 1000 + now[2] / 1000
local burst, per_ms = tonumber(ARGV[1]), tonumber(ARGV[2])
local kept = redis.call('HMGET', KEYS[1], 'tokens', 'time')
local passed = math.max(0, time - (tonumber(kept[2]) or time))
local tokens = math.min(burst, (tonumber(kept[1]) or burst) + passed * per_ms)
local wait = 0
if tokens >= 1 then tokens = tokens - 1 else wait = math.ceil((1 - tokens) / per_ms) end
redis.call('HSET', KEYS[1], 'tokens', tostring(tokens), 'time', tostring(time))
redis.call('PEXPIRE', KEYS[1], math.ceil(burst / per_ms) + 1000)
return wait`;

const MAX_LOCAL = 10_000;

export interface RatesOptions {
  /** A monotonic clock, in milliseconds, for the local count. @default performance.now */
  readonly clock?: () => number;
}

/** Rate limits of principals, shared by all replicas. While Redis is unavailable, each replica counts alone. */
export class Rates {
  readonly #link: RedisLink | undefined;
  readonly #clock: () => number;
  readonly #local = new Map<string, { tokens: number; time: number }>();

  constructor(link?: RedisLink, { clock = () => performance.now() }: RatesOptions = {}) {
    this.#link = link;
    this.#clock = clock;
  }

  /** Takes one token from the bucket of a key in a workspace. */
  async take(workspace: string, key: string, rate: Rate): Promise<Admission> {
    const name = JSON.stringify([workspace, key]);
    const wait = (await this.#takeShared(name, rate)) ?? this.#takeLocal(name, rate);
    return { isAllowed: wait === 0, wait };
  }

  async #takeShared(name: string, { burst, perSecond }: Rate): Promise<number | undefined> {
    if (this.#link === undefined) return undefined;
    const { commands, prefix } = this.#link;
    // On failure the local count applies; `RedisLink` reports the lost connection.
    const wait = await commands.eval(TAKE, 1, `${prefix}rate:${name}`, burst, perSecond / 1000).catch(() => undefined);
    return typeof wait === 'number' ? wait : undefined;
  }

  #takeLocal(name: string, { burst, perSecond }: Rate): number {
    const time = this.#clock();
    const kept = this.#local.get(name) ?? { tokens: burst, time };
    const tokens = Math.min(burst, kept.tokens + ((time - kept.time) * perSecond) / 1000);
    const isAllowed = tokens >= 1;
    this.#local.delete(name);
    this.#local.set(name, { tokens: isAllowed ? tokens - 1 : tokens, time });
    if (this.#local.size > MAX_LOCAL) this.#local.delete(this.#local.keys().next().value as string);
    return isAllowed ? 0 : Math.ceil(((1 - tokens) * 1000) / perSecond);
  }
}
