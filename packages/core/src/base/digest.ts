import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

// UTF-8 turns every lone surrogate into U+FFFD, so two different texts would share a digest. Such texts are hashed as
// UTF-16 under a prefix that no UTF-8 text can begin with.
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

/** SHA-256 of a text, as lower-case hex. Injective input: no two strings are hashed as the same bytes. */
export function digestText(text: string): string {
  if (text.isWellFormed()) return bytesToHex(sha256(utf8ToBytes(text)));
  return bytesToHex(sha256.create().update(ILL_FORMED).update(utf16Bytes(text)).digest());
}
