import { Redis } from 'ioredis';

export interface RedisOptions {
  /** Prefix of every key and channel. @default 'sallyport:' */
  readonly prefix?: string;
  /** Called once when the connection is lost or cannot be made. Connecting is retried until it succeeds. */
  readonly onError?: (error: Error) => void;
  /** Timeout of one command in milliseconds, after which the gateway continues without Redis. @default 50 */
  readonly commandTimeout?: number;
}

const COMMAND_MILLISECONDS = 50;
const CONNECT_MILLISECONDS = 1000;
const MAX_PAUSE = 500;

/** Two connections to Redis: one for commands, one for subscriptions. While disconnected, every command fails at once. */
export class RedisLink {
  readonly commands: Redis;
  readonly events: Redis;
  readonly prefix: string;

  constructor(commands: Redis, events: Redis, prefix: string) {
    this.commands = commands;
    this.events = events;
    this.prefix = prefix;
  }

  /** Checks that Redis answers now. */
  async check(): Promise<boolean> {
    return this.commands.ping().then(
      () => true,
      () => false,
    );
  }

  close(): void {
    this.commands.disconnect();
    this.events.disconnect();
  }
}

/** Every failed attempt to connect raises an error: only the first one after a working connection is reported. */
function reportOnce(redis: Redis, onError: (error: Error) => void): void {
  let isReported = false;
  redis.on('error', (error: Error) => {
    if (!isReported) onError(error);
    isReported = true;
  });
  redis.on('ready', () => {
    isReported = false;
  });
}

/** Connects to Redis, and retries until it succeeds. */
export function openRedis(
  url: string,
  { prefix = 'sallyport:', onError = () => undefined, commandTimeout = COMMAND_MILLISECONDS }: RedisOptions = {},
): RedisLink {
  const shared = {
    enableOfflineQueue: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
    connectTimeout: CONNECT_MILLISECONDS,
    keepAlive: CONNECT_MILLISECONDS,
    retryStrategy: (tries: number) => Math.min(MAX_PAUSE, 20 * tries),
  };
  const commands = new Redis(url, { ...shared, commandTimeout });
  const events = new Redis(url, shared);
  reportOnce(commands, onError);
  reportOnce(events, onError);
  return new RedisLink(commands, events, prefix);
}
