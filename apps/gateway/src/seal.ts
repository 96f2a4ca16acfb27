import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** The three values that a sealed text is bound to. It opens only with the same ones. */
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
const SALT_BYTES = 16;
const KEY_BYTES = 32;

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

/** The values that a text is bound to when it leaves the gateway. */
export interface SaltedBinding {
  /** The use of the text, with a version. */
  readonly purpose: string;
  /** Authenticated and not contained: to whom the text belongs. @default the purpose */
  readonly context?: Uint8Array;
}

/** Derives a key for each text. Random nonces under one shared key would be unsafe after a few billion texts. */
function bindingOf(base: Uint8Array, salt: Uint8Array, { purpose, context }: SaltedBinding): SealBinding {
  const derived = Buffer.from(hkdfSync('sha256', base, salt, purpose, KEY_BYTES + NONCE_BYTES));
  const [key, nonce] = [derived.subarray(0, KEY_BYTES), derived.subarray(KEY_BYTES)];
  return { key, nonce, context: context ?? Buffer.from(purpose) };
}

/** Seals a text under the first key, with a salt of its own before it. */
export function sealSalted(text: string, [key]: readonly Uint8Array[], binding: SaltedBinding): Buffer {
  const salt = randomBytes(SALT_BYTES);
  return Buffer.concat([salt, sealText(text, bindingOf(key as Uint8Array, salt, binding))]);
}

/** Opens what `sealSalted` returned, under any of the keys. Undefined if none of them has sealed it for this binding. */
export function openSalted(bytes: Uint8Array, keys: readonly Uint8Array[], binding: SaltedBinding): string | undefined {
  if (bytes.length < SALT_BYTES + TAG_BYTES) return undefined;
  const [salt, sealed] = [bytes.subarray(0, SALT_BYTES), bytes.subarray(SALT_BYTES)];
  for (const key of keys) {
    const text = openText(sealed, bindingOf(key, salt, binding));
    if (text !== undefined) return text;
  }
  return undefined;
}
