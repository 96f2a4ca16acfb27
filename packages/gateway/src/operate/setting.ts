import { ConfigError, type Environment } from './config-error.ts';

export const WEB: readonly string[] = ['https', 'http'];

export function required(environment: Environment, name: string, next: string): string {
  const value = environment[name];
  if (value === undefined || value === '') throw new ConfigError(`${name} is not set: ${next}.`);
  return value;
}

/** The value may contain a password, so the message does not quote it. */
export function checkUrl(name: string, value: string, schemes: readonly string[]): void {
  const isValid = URL.canParse(value) && schemes.includes(new URL(value).protocol.slice(0, -1));
  if (!isValid) throw new ConfigError(`${name} must be a URL that begins with ${schemes.join(':// or ')}://.`);
}
