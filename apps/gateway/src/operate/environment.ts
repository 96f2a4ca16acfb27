import { readFileSync } from 'node:fs';
import { ConfigError, type Environment } from './config-error.ts';

/** Settings that are secret, or contain a password. Each can also be in a file. */
export const SECRETS: readonly string[] = [
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'REDIS_URL',
  'SALLYPORT_KEY',
  'SALLYPORT_SECRETS_KEY',
  'SALLYPORT_OIDC_CLIENT_SECRET',
  'SALLYPORT_AUDIT_FEED_AUTHORIZATION',
];

export const WEB: readonly string[] = ['https', 'http'];
const LEVELS: readonly string[] = ['debug', 'info', 'warn', 'error', 'silent'];

/** A setting, or the content of the file that `NAME_FILE` names, without its last line end. */
export function textOf(environment: Environment, name: string): string | undefined {
  const value = environment[name];
  const path = environment[`${name}_FILE`];
  if (path === undefined || path === '') return value;
  if (value !== undefined && value !== '') throw new ConfigError(`${name} and ${name}_FILE are both set: remove one.`);
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (cause) {
    const { code } = cause as { readonly code?: string };
    throw new ConfigError(`${name}_FILE cannot be read (${code}): set it to a file that this process may read.`, {
      cause,
    });
  }
}

export function required(environment: Environment, name: string, next: string): string {
  const value = SECRETS.includes(name) ? textOf(environment, name) : environment[name];
  if (value === undefined || value === '') throw new ConfigError(`${name} is not set: ${next}.`);
  return value;
}

/** The name, the default, and the limits of a number. */
export type NumberSetting = readonly [name: string, fallback: number, max: number, min?: number];

export function numberOf(environment: Environment, ...[name, fallback, max, min = 1]: NumberSetting): number {
  const text = environment[name] ?? '';
  const value = text === '' ? fallback : Number(text);
  if (!Number.isInteger(value) || value < min || value > max)
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}.`);
  return value;
}

/** The value may contain a password, so the message does not quote it. */
export function checkUrl(name: string, value: string, schemes: readonly string[]): void {
  const isValid = URL.canParse(value) && schemes.includes(new URL(value).protocol.slice(0, -1));
  if (!isValid) throw new ConfigError(`${name} must be a URL that begins with ${schemes.join(':// or ')}://.`);
}

export function listOf(text: string | undefined): readonly string[] {
  return (text ?? '').split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]));
}

export function levelIn({ SALLYPORT_LOG_LEVEL: level }: Environment): string {
  if (level === undefined || level === '') return 'info';
  if (!LEVELS.includes(level)) throw new ConfigError(`SALLYPORT_LOG_LEVEL must be one of ${LEVELS.join(', ')}.`);
  return level;
}
