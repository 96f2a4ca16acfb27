import { Redis } from 'ioredis';

export interface RedisOptions {
  /** Before every key and channel. @default 'sallyport:' */
  readonly prefix?: string;
  /** Told once when the connection is lost, or cannot be made; it is tried again and again. @default nobody */
  readonly onError?: (error: Error) => void;
  /** Milliseconds for one command; the gateway goes on without an answer that takes longer. @default 50 */
  readonly commandTimeout?: number;
}

const COMMAND_MILLISECONDS = 50;
const CONNECT_MILLISECONDS = 1000;
const MAX_PAUSE = 500;

/** The two connections to Redis: one asks, one listens. While there is none, every command fails at once. */
export class RedisLink {
  readonly commands: Redis;
  readonly events: Redis;
  readonly prefix: string;

  constructor(commands: Redis, events: Redis, prefix: string) {
    this.commands = commands;
    this.events = events;
    this.prefix = prefix;
  }

  /** Whether it answers now. */
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

/** Every try that fails is an error: one is told, until it worked in between. */
function tellOnce(redis: Redis, onError: (error: Error) => void): void {
  let isTold = false;
  redis.on('error', (error: Error) => {
    if (!isTold) onError(error);
    isTold = true;
  });
  redis.on('ready', () => {
    isTold = false;
  });
}

/** Connects to Redis, and goes on trying as long as it is not there. */
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
  tellOnce(commands, onError);
  tellOnce(events, onError);
  return new RedisLink(commands, events, prefix);
}
