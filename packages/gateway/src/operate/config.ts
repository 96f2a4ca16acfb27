import { hkdfSync } from 'node:crypto';
import { AddressRules } from '../upstream/address.ts';

/** A setting that the gateway cannot start with. The message says what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** A server that is a child process. Only the operator says what may run on the gateway's machine. */
export interface CommandSetting {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

interface TokenSetting {
  readonly issuer: string;
  readonly jwksUrl: string;
  readonly workspaceClaim: string;
  readonly scopesClaim: string;
}

export interface Config {
  readonly databaseUrl: string;
  /** @default undefined: no Redis, one replica is slower and several hear of changes later */
  readonly redisUrl: string | undefined;
  readonly host: string;
  readonly port: number;
  /** Where callers reach the gateway: the audience of their tokens. */
  readonly publicUrl: string;
  /** Key ring of what is encrypted in the database. */
  readonly secretsKey: string;
  /** Addresses beside the public ones that servers may have. */
  readonly open: readonly string[];
  /** By name: what a workspace may register as a child process. */
  readonly commands: Readonly<Record<string, CommandSetting>>;
  readonly tokens: TokenSetting | undefined;
  /** Whether every decision and answer is written down before anything follows. Off only to measure what it costs. */
  readonly isAudited: boolean;
  /** Requests of one principal in a minute. */
  readonly rate: number;
  /** Connections to the database. */
  readonly connections: number;
  readonly logLevel: string;
  /** The key that makes something now. */
  keyFor(purpose: string): Uint8Array;
  /** All keys that something may have been made with, that one first. */
  keysFor(purpose: string): readonly Uint8Array[];
}

type Environment = Readonly<Record<string, string | undefined>>;

const KEY = /^[0-9a-f]{64,}$/i;
const KEY_BYTES = 32;
const WEB = ['https', 'http'];
const LEVELS: readonly string[] = ['debug', 'info', 'warn', 'error', 'silent'];
const MAKE_ONE = 'make one with openssl rand -hex 32';

function required(environment: Environment, name: string, next: string): string {
  const value = environment[name];
  if (value === undefined || value === '') throw new ConfigError(`${name} is missing: ${next}.`);
  return value;
}

function numberOf(environment: Environment, name: string, otherwise: number, most: number): number {
  const text = environment[name] ?? '';
  const value = text === '' ? otherwise : Number(text);
  if (!Number.isInteger(value) || value < 1 || value > most)
    throw new ConfigError(`${name} is a whole number from 1 to ${most}.`);
  return value;
}

/** The value may hold a password: it is not in the message. */
function checkUrl(name: string, value: string, schemes: readonly string[]): void {
  const isGood = URL.canParse(value) && schemes.includes(new URL(value).protocol.slice(0, -1));
  if (!isGood)
    throw new ConfigError(`${name} is no URL that begins with ${schemes.join(' or ')}: see how it is written.`);
}

function listOf(text: string | undefined): readonly string[] {
  return (text ?? '').split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]));
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** What a program needs to find others, and nothing of the gateway's own. */
function surroundings({ PATH, HOME }: Environment): Readonly<Record<string, string>> {
  return { ...(PATH === undefined ? {} : { PATH }), ...(HOME === undefined ? {} : { HOME }) };
}

function commandsIn(environment: Environment): Readonly<Record<string, CommandSetting>> {
  const text = environment.SALLYPORT_COMMANDS;
  if (text === undefined || text === '') return {};
  const wrong = new ConfigError('SALLYPORT_COMMANDS is JSON: {"name": {"command": "...", "args": [], "env": {}}}.');
  let table: unknown;
  try {
    table = JSON.parse(text);
  } catch {
    throw wrong;
  }
  if (typeof table !== 'object' || table === null) throw wrong;
  const entries = Object.entries(table).map(([name, value]) => {
    const { command, args = [], env = {} } = (value ?? {}) as Partial<CommandSetting>;
    if (typeof command !== 'string' || !isTexts(args) || !isTexts(Object.values(env ?? {}))) throw wrong;
    return [name, { command, args, env: { ...surroundings(environment), ...env } }] as const;
  });
  return Object.fromEntries(entries);
}

function tokensIn(environment: Environment): TokenSetting | undefined {
  const issuer = environment.SALLYPORT_JWT_ISSUER ?? '';
  if (issuer === '') return undefined;
  const jwksUrl = required(environment, 'SALLYPORT_JWT_JWKS_URL', 'say where the keys of the issuer are');
  checkUrl('SALLYPORT_JWT_JWKS_URL', jwksUrl, WEB);
  return {
    issuer,
    jwksUrl,
    workspaceClaim: environment.SALLYPORT_JWT_WORKSPACE_CLAIM || 'workspace',
    scopesClaim: environment.SALLYPORT_JWT_SCOPES_CLAIM || 'scope',
  };
}

/** What the store takes: where it is, and the keys that are made of the installation's own. */
export type StoreConfig = Pick<Config, 'databaseUrl' | 'keyFor' | 'keysFor'>;

/** The installation's key: others are made of it, one for each purpose. Several where it is being changed. */
export function readKeys(environment: Environment): Pick<Config, 'keyFor' | 'keysFor'> {
  const ring = listOf(required(environment, 'SALLYPORT_KEY', MAKE_ONE));
  if (ring.length === 0 || !ring.every((key) => KEY.test(key)))
    throw new ConfigError(`SALLYPORT_KEY is 64 or more hexadecimal digits: ${MAKE_ONE}.`);
  const keysFor = (purpose: string): readonly Uint8Array[] =>
    ring.map((key) => {
      const master = Buffer.from(key, 'hex');
      return new Uint8Array(hkdfSync('sha256', master, '', `sallyport/gateway/${purpose}`, KEY_BYTES));
    });
  return { keysFor, keyFor: (purpose) => keysFor(purpose)[0] as Uint8Array };
}

/** Reads what it takes to work on the store without serving. */
export function readStoreConfig(environment: Environment): StoreConfig {
  const next = 'name a PostgreSQL database, as postgres://user@host/name';
  const databaseUrl = required(environment, 'DATABASE_URL', next);
  checkUrl('DATABASE_URL', databaseUrl, ['postgres', 'postgresql']);
  return { databaseUrl, ...readKeys(environment) };
}

function secretsKeyIn(environment: Environment): string {
  const ring = required(environment, 'SALLYPORT_SECRETS_KEY', MAKE_ONE);
  if (!ring.split(',').every((key) => /^[0-9a-f]{64}$/i.test(key.trim())))
    throw new ConfigError(`SALLYPORT_SECRETS_KEY is 64 hexadecimal digits: ${MAKE_ONE}.`);
  return ring;
}

function openIn({ SALLYPORT_OPEN: text }: Environment): readonly string[] {
  const open = listOf(text);
  try {
    new AddressRules({ open });
  } catch {
    throw new ConfigError(
      'SALLYPORT_OPEN cannot be read: give networks, as 10.1.0.0/16, and origins, as http://host:8080.',
    );
  }
  return open;
}

function redisIn({ REDIS_URL: url }: Environment): string | undefined {
  if (url === undefined || url === '') return undefined;
  checkUrl('REDIS_URL', url, ['redis', 'rediss']);
  return url;
}

function publicUrlIn({ SALLYPORT_PUBLIC_URL: given }: Environment, port: number): string {
  const url = (given || `http://localhost:${port}`).replace(/\/+$/, '');
  checkUrl('SALLYPORT_PUBLIC_URL', url, WEB);
  return url;
}

function levelIn({ SALLYPORT_LOG_LEVEL: level }: Environment): string {
  if (level === undefined || level === '') return 'info';
  if (!LEVELS.includes(level)) throw new ConfigError(`SALLYPORT_LOG_LEVEL is one of ${LEVELS.join(', ')}.`);
  return level;
}

/** Reads the settings of a replica. All replicas of one installation have the same keys. */
export function readConfig(environment: Environment): Config {
  const store = readStoreConfig(environment);
  const port = numberOf(environment, 'PORT', 8080, 65_535);
  return {
    ...store,
    redisUrl: redisIn(environment),
    host: environment.HOST || '127.0.0.1',
    port,
    publicUrl: publicUrlIn(environment, port),
    secretsKey: secretsKeyIn(environment),
    open: openIn(environment),
    commands: commandsIn(environment),
    tokens: tokensIn(environment),
    isAudited: environment.SALLYPORT_AUDIT !== 'off',
    rate: numberOf(environment, 'SALLYPORT_RATE', 6000, 10_000_000),
    connections: numberOf(environment, 'SALLYPORT_CONNECTIONS', 10, 1000),
    logLevel: levelIn(environment),
  };
}
