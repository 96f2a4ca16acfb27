import { openSalted, sealSalted } from '../../seal.ts';

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

const BINDING = { purpose: 'sallyport/login/1' };

/** The first key seals. */
export function sealAttempt(attempt: Attempt, keys: readonly Uint8Array[]): string {
  return sealSalted(JSON.stringify(attempt), keys, BINDING).toString('base64url');
}

/** Undefined if the gateway did not seal it, or if it has expired. */
export function openAttempt(sealed: string, keys: readonly Uint8Array[], now: number): Attempt | undefined {
  const text = openSalted(Buffer.from(sealed, 'base64url'), keys, BINDING);
  const attempt = text === undefined ? undefined : (JSON.parse(text) as Attempt);
  return attempt !== undefined && attempt.until > now ? attempt : undefined;
}
