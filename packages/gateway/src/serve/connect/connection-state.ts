import { hkdfSync, randomBytes } from 'node:crypto';
import { NONCE_BYTES, openText, type SealBinding, sealText, TAG_BYTES } from '../../seal.ts';

/** What the gateway remembers between the beginning and the end of a connection. It is sealed in the `state` parameter. */
export interface ConnectionState {
  readonly workspace: string;
  readonly principal: string;
  readonly server: string;
  /** Digest of the settings that it began with. */
  readonly settings: string;
  /** The PKCE verifier. */
  readonly verifier: string;
  /** Identifies the attempt: it counts once. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

const SALT_BYTES = 16;
const KEY_BYTES = 32;
const MAX_LENGTH = 4096;
const CONTEXT = Buffer.from('sallyport/connection/1');

/** Derives a key for each state, because random nonces under one shared key would repeat one day. */
function bindingOf(base: Uint8Array, salt: Uint8Array): SealBinding {
  const derived = Buffer.from(hkdfSync('sha256', base, salt, CONTEXT, KEY_BYTES + NONCE_BYTES));
  return { key: derived.subarray(0, KEY_BYTES), nonce: derived.subarray(KEY_BYTES), context: CONTEXT };
}

/** The first key seals. */
export function sealState(state: ConnectionState, [key]: readonly Uint8Array[]): string {
  const salt = randomBytes(SALT_BYTES);
  const sealed = sealText(JSON.stringify(state), bindingOf(key as Uint8Array, salt));
  return Buffer.concat([salt, sealed]).toString('base64url');
}

/** Undefined if the gateway did not seal it. */
export function openState(text: string, keys: readonly Uint8Array[]): ConnectionState | undefined {
  const bytes = Buffer.from(text.slice(0, MAX_LENGTH), 'base64url');
  if (bytes.length < SALT_BYTES + TAG_BYTES) return undefined;
  for (const key of keys) {
    const opened = openText(bytes.subarray(SALT_BYTES), bindingOf(key, bytes.subarray(0, SALT_BYTES)));
    if (opened !== undefined) return JSON.parse(opened) as ConnectionState;
  }
  return undefined;
}
