import { readFileSync } from 'node:fs';
import { readConfig } from '../../src/operate/config.ts';

export const KEY = '0'.repeat(64);
export const NEEDED = { DATABASE_URL: 'postgres://x/y', SALLYPORT_KEY: KEY, SALLYPORT_SECRETS_KEY: KEY };
export const TOKENS = { SALLYPORT_JWT_ISSUER: 'https://id.example', SALLYPORT_JWT_JWKS_URL: 'https://id.example/keys' };
export const SECRET = [
  'DATABASE_URL',
  'REDIS_URL',
  'SALLYPORT_KEY',
  'SALLYPORT_SECRETS_KEY',
  'SALLYPORT_OIDC_CLIENT_SECRET',
  'SALLYPORT_AUDIT_FEED_AUTHORIZATION',
];
export const OWNER = 'DATABASE_OWNER_URL';

export const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

export const LOGIN = { SALLYPORT_OIDC_ISSUER: 'https://id.example', SALLYPORT_OIDC_CLIENT_ID: 'gateway' };

/** Every variable that the code reads, with those that name a file. */
export function allVariables(): string[] {
  const seen = new Set<string>();
  const environment = new Proxy<Record<string, string | undefined>>(
    { ...NEEDED, ...TOKENS, ...LOGIN },
    {
      get(target, name) {
        seen.add(String(name));
        return Reflect.get(target, name) as string | undefined;
      },
    },
  );
  readConfig(environment);
  return [...seen].toSorted();
}

export const variables = (): string[] => allVariables().filter((name) => !name.endsWith('_FILE'));
