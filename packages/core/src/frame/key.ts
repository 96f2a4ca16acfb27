import { hkdf } from '@noble/hashes/hkdf.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { describeType, SallyportError } from '../base/errors.ts';
import { FRAME_WORDS } from './words.ts';

const MIN_KEY_BYTES = 32;
// Crockford's alphabet in lower case, without i, l, o and u.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CHARACTERS = 26;
const WORD_COUNT = 4;

/** A nonce: four words of eleven bits each. */
export const NONCE_PATTERN = '[a-z]{3,7}(?: [a-z]{3,7}){3}';

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
 * The key of one conversation, made by `deriveKey()`. It is never stored and cannot be read from this object. The
 * nonces of frames are computed with it, so that content cannot predict them.
 *
 * @example
 * ```ts
 * const key: FrameKey = deriveKey(master, 'conversation-1');
 * ```
 */
export class FrameKey {
  readonly #keyed: ReturnType<typeof hmac.create>;
  readonly type = 'key';

  constructor(bytes: Uint8Array) {
    this.#keyed = hmac.create(sha256, bytes);
    Object.freeze(this);
  }

  /** Hashes the fields as JSON, which keeps them apart. */
  #digest(fields: readonly (string | number)[]): Uint8Array {
    return this.#keyed
      .clone()
      .update(utf8ToBytes(JSON.stringify(fields)))
      .digest();
  }

  /** A keyed code of 130 bits over a list of fields, to recognise the boundary's own texts. */
  code(...fields: readonly (string | number)[]): string {
    return encode(this.#digest(fields));
  }

  /**
   * The nonce of a frame over a list of fields: four words, because a model reads and pays for it twice in each frame.
   */
  nonce(...fields: readonly (string | number)[]): string {
    const bytes = this.#digest(fields);
    const wordAt = (at: number): string =>
      FRAME_WORDS[(((bytes[at] as number) << 8) | (bytes[at + 1] as number)) % FRAME_WORDS.length] as string;
    return Array.from({ length: WORD_COUNT }, (_, index) => wordAt(2 * index)).join(' ');
  }

  static is(value: unknown): value is FrameKey {
    return typeof value === 'object' && value !== null && #keyed in value;
  }
}

/** Refuses everything except a key made by `deriveKey()`. */
export function checkKey(key: unknown): void {
  if (!FrameKey.is(key))
    throw new SallyportError(
      'ERR_INVALID_KEY',
      `\`key\` must be a FrameKey, made with deriveKey(); received ${describeType(key)}.`,
    );
}

/**
 * Derives the key of a conversation from the key of the boundary (HKDF-SHA-256, RFC 5869).
 *
 * @example
 * ```ts
 * const master = crypto.getRandomValues(new Uint8Array(32));
 * const key = deriveKey(master, 'conversation-1');
 * ```
 */
export function deriveKey(master: Uint8Array, conversationId: string): FrameKey {
  if (!(master instanceof Uint8Array) || master.length < MIN_KEY_BYTES)
    throw new SallyportError(
      'ERR_INVALID_KEY',
      `\`key\` must be a Uint8Array of at least ${MIN_KEY_BYTES} random bytes; received ${describeType(master)}. Decode text with Buffer.from(text, 'base64').`,
    );
  if (typeof conversationId !== 'string' || !conversationId.isWellFormed())
    throw new SallyportError(
      'ERR_INVALID_NAME',
      `The id of a conversation must be a string without lone surrogates; received ${describeType(conversationId)}.`,
    );
  return new FrameKey(hkdf(sha256, master, undefined, utf8ToBytes(`sallyport/v1/frame\n${conversationId}`), 32));
}
