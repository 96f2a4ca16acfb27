import { hkdfSync, randomBytes } from 'node:crypto';
import { NONCE_BYTES, openText, type SealBinding, sealText, TAG_BYTES } from '../../seal.ts';

/** A login that has begun. It is sealed in a cookie, so that any replica can finish it and only the same browser can. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  /** The code verifier (PKCE). */
  readonly verifier: string;
  /** The path to go to afterwards. */
  readonly to: string;
  /** The name of the workspace, if the person has chosen one. */
  readonly workspace?: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

export const ATTEMPT_COOKIE = '__Host-sallyport-login';
export const ATTEMPT_SECONDS = 600;

const SALT_BYTES = 16;
const KEY_BYTES = 32;
const CONTEXT = Buffer.from('sallyport/login/1');

function bindingOf(base: Uint8Array, salt: Uint8Array): SealBinding {
  const derived = Buffer.from(hkdfSync('sha256', base, salt, 'sallyport/login/1', KEY_BYTES + NONCE_BYTES));
  return { key: derived.subarray(0, KEY_BYTES), nonce: derived.subarray(KEY_BYTES), context: CONTEXT };
}

export function sealAttempt(attempt: Attempt, key: Uint8Array): string {
  const salt = randomBytes(SALT_BYTES);
  return Buffer.concat([salt, sealText(JSON.stringify(attempt), bindingOf(key, salt))]).toString('base64url');
}

/** Undefined if the gateway did not seal it, or if it has expired. */
export function openAttempt(sealed: string, keys: readonly Uint8Array[], now: number): Attempt | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < SALT_BYTES + TAG_BYTES) return undefined;
  const salt = bytes.subarray(0, SALT_BYTES);
  for (const key of keys) {
    const text = openText(bytes.subarray(SALT_BYTES), bindingOf(key, salt));
    if (text === undefined) continue;
    const attempt = JSON.parse(text) as Attempt;
    return attempt.until > now ? attempt : undefined;
  }
  return undefined;
}
