import { hkdf } from '@noble/hashes/hkdf.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { SallyportError } from '../base/errors.ts';

const MIN_KEY_BYTES = 32;
// Crockford's alphabet in lower case: no i, l, o, u. Case folding and look-alike folding keep two nonces apart.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CHARACTERS = 26;

/** The form of a nonce or seal: 26 characters of five bits, 130 bits. */
export const CODE_PATTERN = '[0-9a-hjkmnp-tv-z]{26}';

function encode(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (let index = 0; text.length < CHARACTERS; index++) {
    held = (held << 8) | (bytes[index] as number);
    bits += 8;
    for (; bits >= 5 && text.length < CHARACTERS; bits -= 5) text += ALPHABET[(held >> (bits - 5)) & 31];
    held &= (1 << bits) - 1;
  }
  return text;
}

/**
 * The key of one conversation. It is derived, never stored, and cannot be read back from this object; nonces come from
 * it and from nothing an outsider chose.
 */
export class FrameKey {
  readonly #keyed: ReturnType<typeof hmac.create>;
  readonly type = 'key';

  constructor(bytes: Uint8Array) {
    this.#keyed = hmac.create(sha256, bytes);
    Object.freeze(this);
  }

  /** A keyed code over a list of texts. JSON keeps the borders between them. */
  code(...fields: readonly (string | number)[]): string {
    return encode(
      this.#keyed
        .clone()
        .update(utf8ToBytes(JSON.stringify(fields)))
        .digest(),
    );
  }

  static is(value: unknown): value is FrameKey {
    return typeof value === 'object' && value !== null && #keyed in value;
  }
}

/** Derives the key of a conversation from the boundary's own (HKDF-SHA-256, RFC 5869). */
export function deriveKey(master: Uint8Array, conversationId: string): FrameKey {
  if (!(master instanceof Uint8Array) || master.length < MIN_KEY_BYTES)
    throw new SallyportError(
      'ERR_INVALID_KEY',
      `The key is a Uint8Array of at least ${MIN_KEY_BYTES} random bytes. From text: Buffer.from(text, 'base64').`,
    );
  if (typeof conversationId !== 'string' || !conversationId.isWellFormed())
    throw new SallyportError(
      'ERR_INVALID_NAME',
      'deriveKey() needs the id of a conversation: its nonces depend on it.',
    );
  return new FrameKey(hkdf(sha256, master, undefined, utf8ToBytes(`sallyport/v1/frame\n${conversationId}`), 32));
}
