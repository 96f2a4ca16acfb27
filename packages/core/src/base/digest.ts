import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

// UTF-8 replaces every lone surrogate with U+FFFD, so two different texts would have the same digest. Such texts are
// hashed as UTF-16, after a prefix byte that no UTF-8 text can begin with.
const ILL_FORMED = Uint8Array.of(0xff);

function utf16Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    bytes[index * 2] = unit & 0xff;
    bytes[index * 2 + 1] = unit >> 8;
  }
  return bytes;
}

type NativeHash = (algorithm: 'sha256', text: string) => string;
type Environment = {
  readonly process?: { getBuiltinModule?(name: string): { readonly hash?: NativeHash } | undefined };
};

/** The hash of Node.js, if the platform has it: four times as fast. */
const nativeHash = (globalThis as Environment).process?.getBuiltinModule?.('node:crypto')?.hash;

/**
 * SHA-256 of a text, in lower-case hex. Different strings are always hashed as different bytes, even with lone
 * surrogates.
 *
 * @example
 * ```ts
 * digestText(''); // 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
 * ```
 */
export function digestText(text: string): string {
  if (text.isWellFormed()) return nativeHash?.('sha256', text) ?? bytesToHex(sha256(utf8ToBytes(text)));
  return bytesToHex(sha256.create().update(ILL_FORMED).update(utf16Bytes(text)).digest());
}
