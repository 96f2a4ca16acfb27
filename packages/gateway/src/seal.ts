import { createCipheriv, createDecipheriv } from 'node:crypto';

/** What a sealed text is bound to. It opens only with the same three values. */
export interface SealBinding {
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** 12 bytes, never used twice with one key. */
  readonly nonce: Uint8Array;
  /** Authenticated and not stored: where the text belongs, or to whom. */
  readonly context: Uint8Array;
}

const CIPHER = 'aes-256-gcm';

export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;

/** Encrypts a text with AES-256-GCM. Returns the ciphertext followed by the tag. */
export function sealText(text: string, { key, nonce, context }: SealBinding): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(context);
  return Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts what `sealText` returned. Undefined if the bytes were changed or the binding is another one. */
export function openText(sealed: Uint8Array, { key, nonce, context }: SealBinding): string | undefined {
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(context);
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    // Node gives no reason beyond "unable to authenticate data".
    return undefined;
  }
}
