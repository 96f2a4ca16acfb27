import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Whose a session is. */
export interface SessionOwner {
  readonly workspace: string;
  readonly principal: string;
  readonly server: string;
}

/** What the gateway has to remember of a session. No replica keeps it: it is in the id itself. */
export interface SessionContent {
  /** The session id that the server gave, where it gave one. */
  readonly upstream?: string;
  /** Whether the client said that it can show a form. */
  readonly canElicit: boolean;
}

const PREFIX = 'sp1.';
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const MAX_CONTENT_LENGTH = 2048;
const MAX_ID_LENGTH = 4096;
const MIN_KEY = 32;

/** Every part by its length, so that no two owners are written alike. It is in no id: it must be known to open one. */
function ownerBytes({ workspace, principal, server }: SessionOwner): Buffer {
  return Buffer.from(JSON.stringify(['sallyport/session', 1, workspace, principal, server]));
}

/** A key of its own for each session: with random nonces under one key, a few billion sessions would be too many. */
function keyAndNonce(key: Uint8Array, salt: Uint8Array): { readonly key: Buffer; readonly nonce: Buffer } {
  const derived = Buffer.from(hkdfSync('sha256', key, salt, 'sallyport/session/1', 32 + NONCE_BYTES));
  return { key: derived.subarray(0, 32), nonce: derived.subarray(32) };
}

function contentIn(text: string): SessionContent | undefined {
  const content = JSON.parse(text) as { readonly upstream?: unknown; readonly canElicit?: unknown };
  const { upstream, canElicit } = content;
  if (typeof canElicit !== 'boolean') return undefined;
  return { canElicit, ...(typeof upstream === 'string' ? { upstream } : {}) };
}

/** Seals and opens the gateway's `Mcp-Session-Id`. */
export class Sessions {
  readonly #keys: readonly Uint8Array[];

  /** The first key seals, all of them open. */
  constructor(keys: readonly Uint8Array[]) {
    if (keys.length === 0 || keys.some(({ length }) => length < MIN_KEY))
      throw new TypeError('A key for sessions has 32 bytes or more: make one with openssl rand -hex 32.');
    this.#keys = keys;
  }

  seal(owner: SessionOwner, content: SessionContent): string {
    const text = JSON.stringify({ upstream: content.upstream, canElicit: content.canElicit });
    if (Buffer.byteLength(text) > MAX_CONTENT_LENGTH)
      throw new TypeError('The session id of the server is too long to be kept.');
    const salt = randomBytes(SALT_BYTES);
    const { key, nonce } = keyAndNonce(this.#keys[0] as Uint8Array, salt);
    const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(ownerBytes(owner));
    const sealed = Buffer.concat([salt, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return PREFIX + sealed.toString('base64url');
  }

  /** What a session id holds; undefined where it is none of ours, or somebody else's. */
  open(id: string, owner: SessionOwner): SessionContent | undefined {
    if (!id.startsWith(PREFIX) || id.length > MAX_ID_LENGTH) return undefined;
    const bytes = Buffer.from(id.slice(PREFIX.length), 'base64url');
    // One session, one id: the decoder skips what is no base64url, and the last character has bits to spare.
    if (PREFIX + bytes.toString('base64url') !== id || bytes.length < SALT_BYTES + TAG_BYTES) return undefined;
    for (const key of this.#keys) {
      const content = openWith(key, bytes, owner);
      if (content !== undefined) return content;
    }
    return undefined;
  }
}

function openWith(base: Uint8Array, bytes: Buffer, owner: SessionOwner): SessionContent | undefined {
  const { key, nonce } = keyAndNonce(base, bytes.subarray(0, SALT_BYTES));
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(ownerBytes(owner));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(SALT_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    return contentIn(text);
  } catch {
    return undefined;
  }
}
