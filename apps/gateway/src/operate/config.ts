import { hkdfSync } from 'node:crypto';
import { availableParallelism, homedir } from 'node:os';
import { join } from 'node:path';
import { AddressRules } from '../upstream/address.ts';
import { type ChildSettings, childrenIn } from './commands.ts';
import { ConfigError, type Environment, readAll } from './config-error.ts';
import { checkUrl, levelIn, listOf, type NumberSetting, numberOf, required, textOf, WEB } from './environment.ts';
import { type Identity, identityIn } from './identity.ts';

/** The settings of a replica, from `readConfig`. */
export interface Config extends Identity {
  readonly databaseUrl: string;
  /** Undefined: without Redis, replicas notice changes by polling, and each counts rate limits alone. */
  readonly redisUrl: string | undefined;
  readonly host: string;
  readonly port: number;
  /** The URL at which callers reach the gateway, and the audience of their tokens. */
  readonly publicUrl: string;
  /** The keys that encrypt secrets in the database, separated by commas. */
  readonly secretsKey: string;
  /** Networks and origins that servers may have in addition to public addresses. */
  readonly open: readonly string[];
  /** Further ones, by the name of the workspace whose servers may have them. */
  readonly openFor: Readonly<Record<string, readonly string[]>>;
  /** How servers run as child processes. */
  readonly children: ChildSettings;
  /** Writes every decision and answer to the audit before it takes effect. Turn it off only to measure its cost. */
  readonly isAudited: boolean;
  /** Maximum number of requests of one principal in a minute. */
  readonly rate: number;
  /** Number of the operator's own proxies before the gateway. Each appends an address to `X-Forwarded-For`. */
  readonly proxies: number;
  /** Maximum number of connections to the database. */
  readonly connections: number;
  /** Number of threads that check messages. One more is for principals whose messages take long. */
  readonly threads: number;
  /** Megabytes for what conversations have read. */
  readonly memory: number;
  /** Milliseconds after which a thread that checks a message without a pause is ended. */
  readonly turnLimit: number;
  readonly logLevel: string;
  /** The folder outside of the database that keeps signed heads of the audit; undefined: none. */
  readonly anchorFolder: string | undefined;
  /** Where new audit rows are posted; undefined: nowhere. */
  readonly auditFeed: string | undefined;
  /** The value of the header `authorization` of the feed; undefined: none is sent. */
  readonly auditFeedAuthorization: string | undefined;
  /** The current key for a purpose. */
  keyFor(purpose: string): Uint8Array;
  /** All keys for a purpose, the current one first: older keys still verify. */
  keysFor(purpose: string): readonly Uint8Array[];
}

const KEY = /^[0-9a-f]{64,}$/i;
const KEY_BYTES = 32;
const POSTGRES = ['postgres', 'postgresql'];
const CREATE_ONE = 'create one with `openssl rand -hex 32`';

/** The settings of the store: its address, the keys derived from `SALLYPORT_KEY`, and the folder of its anchors. */
export interface StoreConfig extends Pick<Config, 'databaseUrl' | 'keyFor' | 'keysFor' | 'anchorFolder'> {
  /** The database as the role that owns the tables. Only commands that remove data need it; a replica never does. */
  readonly ownerUrl?: string;
}

/**
 * Reads `DATABASE_OWNER_URL`: the database as the role that owns the tables.
 *
 * @example
 * ```ts
 * const applied = await migrateDatabase(readOwnerUrl(process.env));
 * ```
 */
export function readOwnerUrl(environment: Environment): string {
  const url = required(environment, 'DATABASE_OWNER_URL', 'set it to the database as the role that owns the tables');
  checkUrl('DATABASE_OWNER_URL', url, POSTGRES);
  return url;
}

/**
 * Reads `SALLYPORT_KEY`, from which a key for each purpose is derived. It may list several keys while it is being rotated.
 *
 * @example
 * ```ts
 * const { keysFor } = readKeys(process.env);
 * const report = await verifyExport(lines, { keys: auditKeysOf(keysFor('audit')) });
 * ```
 */
export function readKeys(environment: Environment): Pick<Config, 'keyFor' | 'keysFor'> {
  const ring = listOf(required(environment, 'SALLYPORT_KEY', CREATE_ONE));
  if (ring.length === 0 || !ring.every((key) => KEY.test(key)))
    throw new ConfigError(`SALLYPORT_KEY must be at least 64 hexadecimal digits: ${CREATE_ONE}.`);
  const keysFor = (purpose: string): readonly Uint8Array[] =>
    ring.map((key) => {
      const master = Buffer.from(key, 'hex');
      return new Uint8Array(hkdfSync('sha256', master, '', `sallyport/gateway/${purpose}`, KEY_BYTES));
    });
  return { keysFor, keyFor: (purpose) => keysFor(purpose)[0] as Uint8Array };
}

/**
 * Reads the settings for work on the store without serving: `DATABASE_URL`, `SALLYPORT_KEY` and, if it is set,
 * `DATABASE_OWNER_URL`.
 *
 * @example
 * ```ts
 * const config = readStoreConfig(process.env);
 * const { key } = await withOperations(config, (operations) => operations.makeWorkspace('team'));
 * ```
 */
export function readStoreConfig(environment: Environment): StoreConfig {
  return readAll((read) => {
    const databaseUrl = read(() => databaseUrlIn(environment));
    const owner = read(() =>
      textOf(environment, 'DATABASE_OWNER_URL') ? { ownerUrl: readOwnerUrl(environment) } : {},
    );
    const keys = read(() => readKeys(environment));
    return () => ({ databaseUrl: databaseUrl(), ...owner(), ...keys(), anchorFolder: anchorFolderIn(environment) });
  });
}

function databaseUrlIn(environment: Environment): string {
  const next = 'set it to a PostgreSQL database, for example postgres://user@host/name';
  const url = required(environment, 'DATABASE_URL', next);
  checkUrl('DATABASE_URL', url, POSTGRES);
  return url;
}

/** Not in the database's own folder, and not in the working folder: both are easily removed together with the database. */
function anchorFolderIn({ SALLYPORT_ANCHORS: path }: Environment): string | undefined {
  if (path === 'off') return undefined;
  return path || join(homedir(), '.local', 'state', 'sallyport', 'anchors');
}

function secretsKeyIn(environment: Environment): string {
  const ring = required(environment, 'SALLYPORT_SECRETS_KEY', CREATE_ONE);
  if (!ring.split(',').every((key) => /^[0-9a-f]{64}$/i.test(key.trim())))
    throw new ConfigError(`SALLYPORT_SECRETS_KEY must be 64 hexadecimal digits: ${CREATE_ONE}.`);
  return ring;
}

/** Addresses for all workspaces, and for single ones, as `acme=http://mail.internal:8080`. */
function openIn({ SALLYPORT_OPEN: text }: Environment): Pick<Config, 'open' | 'openFor'> {
  const open: string[] = [];
  const openFor: Record<string, string[]> = {};
  for (const entry of listOf(text)) {
    const [, workspace, address = entry] = /^([a-z0-9-]{1,40})=(.*)$/.exec(entry) ?? [];
    if (workspace === undefined) open.push(address);
    else openFor[workspace] = [...(openFor[workspace] ?? []), address];
  }
  try {
    new AddressRules({ open: [...open, ...Object.values(openFor).flat()] });
  } catch (cause) {
    throw new ConfigError(
      'SALLYPORT_OPEN must list networks, such as 10.1.0.0/16, and origins, such as http://host:8080, each with the name of a workspace before it, as acme=http://host:8080, or for all.',
      { cause },
    );
  }
  return { open, openFor };
}

function redisIn(environment: Environment): string | undefined {
  const url = textOf(environment, 'REDIS_URL');
  if (url === undefined || url === '') return undefined;
  checkUrl('REDIS_URL', url, ['redis', 'rediss']);
  return url;
}

function publicUrlIn({ SALLYPORT_PUBLIC_URL: given }: Environment, port: number): string {
  const url = (given || `http://localhost:${port}`).replace(/\/+$/, '');
  checkUrl('SALLYPORT_PUBLIC_URL', url, WEB);
  return url;
}

/** One core is left to the main thread, and one to the thread for what takes long. */
function defaultThreads(): number {
  return Math.min(8, Math.max(1, availableParallelism() - 2));
}

function feedIn({ SALLYPORT_AUDIT_FEED: url }: Environment, open: readonly string[]): string | undefined {
  if (url === undefined || url === '') return undefined;
  try {
    return new AddressRules({ open }).checkUrl(url).href;
  } catch (cause) {
    throw new ConfigError('SALLYPORT_AUDIT_FEED must be an https:// URL, or one that SALLYPORT_OPEN allows.', {
      cause,
    });
  }
}

/** The value is a secret, so the message does not quote it. */
function feedAuthorizationIn(environment: Environment): string | undefined {
  const value = textOf(environment, 'SALLYPORT_AUDIT_FEED_AUTHORIZATION') ?? '';
  if (value === '') return undefined;
  if (!/^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/.test(value))
    throw new ConfigError(
      'SALLYPORT_AUDIT_FEED_AUTHORIZATION must be the value of a header in one line, such as `Bearer TOKEN`.',
    );
  return value;
}

/**
 * Reads the settings of a replica. All replicas of one installation must have the same keys.
 *
 * @example
 * ```ts
 * const config = readConfig(process.env);
 * const gateway = createGateway({ config, log: createLog(config.logLevel) });
 * ```
 */
export function readConfig(environment: Environment): Config {
  return readAll((read) => {
    const number = (...given: NumberSetting) => read(() => numberOf(environment, ...given));
    const store = read(() => readStoreConfig(environment));
    const port = number('PORT', 8080, 65_535);
    const opened = read(() => openIn(environment));
    const publicUrl = read(() => publicUrlIn(environment, port()));
    const redisUrl = read(() => redisIn(environment));
    const secretsKey = read(() => secretsKeyIn(environment));
    const auditFeed = read(() => feedIn(environment, opened().open));
    const auditFeedAuthorization = read(() => feedAuthorizationIn(environment));
    const children = read(() => childrenIn(environment));
    const identity = read(() => identityIn(environment, publicUrl, () => opened().open));
    const rate = number('SALLYPORT_RATE', 6000, 10_000_000);
    const proxies = number('SALLYPORT_PROXIES', 0, 10, 0);
    const connections = number('SALLYPORT_CONNECTIONS', 10, 1000);
    const threads = number('SALLYPORT_THREADS', defaultThreads(), 64);
    const memory = number('SALLYPORT_MEMORY', 512, 1_000_000);
    const turnLimit = number('SALLYPORT_TURN_LIMIT', 10_000, 600_000);
    const logLevel = read(() => levelIn(environment));
    return () => {
      const { databaseUrl, keyFor, keysFor, anchorFolder } = store();
      return {
        databaseUrl,
        keyFor,
        keysFor,
        anchorFolder,
        redisUrl: redisUrl(),
        host: environment.HOST || '127.0.0.1',
        port: port(),
        publicUrl: publicUrl(),
        secretsKey: secretsKey(),
        ...opened(),
        auditFeed: auditFeed(),
        auditFeedAuthorization: auditFeedAuthorization(),
        children: children(),
        ...identity(),
        isAudited: environment.SALLYPORT_AUDIT !== 'off',
        rate: rate(),
        proxies: proxies(),
        connections: connections(),
        threads: threads(),
        memory: memory(),
        turnLimit: turnLimit(),
        logLevel: logLevel(),
      };
    };
  });
}
