import { createHash, randomBytes } from 'node:crypto';
import { NONCE_BYTES, openText, sealText, TAG_BYTES } from '../../seal.ts';
import { StoreError } from '../errors.ts';

const VERSION = 'v1';

function idOf(key: Buffer): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8);
}

function contextOf(binding: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify([VERSION, ...binding]));
}

/** Seals secrets for the database. The first key seals; all of them open, so that keys can be rotated. */
export class Vault {
  readonly #keys: ReadonlyMap<string, Buffer>;
  readonly #first: string;

  /** Keys of 64 hexadecimal digits each, separated by commas. */
  constructor(ring: string) {
    const keys = ring.split(',').map((each) => each.trim());
    if (!keys.every((each) => /^[0-9a-f]{64}$/i.test(each)))
      throw new StoreError(
        'invalid',
        'A secrets key must be 64 hexadecimal digits (create one with `openssl rand -hex 32`); separate several keys with commas.',
      );
    const buffers = keys.map((each) => Buffer.from(each, 'hex'));
    this.#keys = new Map(buffers.map((key) => [idOf(key), key]));
    this.#first = idOf(buffers[0] as Buffer);
  }

  /** Seals a text for one row: it does not open under another binding. */
  seal(text: string, binding: readonly string[]): string {
    const nonce = randomBytes(NONCE_BYTES);
    const key = this.#keys.get(this.#first) as Buffer;
    const sealed = Buffer.concat([nonce, sealText(text, { key, nonce, context: contextOf(binding) })]);
    return `${VERSION}.${this.#first}.${sealed.toString('base64url')}`;
  }

  open(sealed: string, binding: readonly string[]): string {
    const [version, id = '', body = ''] = sealed.split('.');
    const key = this.#keys.get(id);
    const bytes = Buffer.from(body, 'base64url');
    if (version !== VERSION || key === undefined || bytes.length < NONCE_BYTES + TAG_BYTES)
      throw new StoreError(
        'invalid',
        'A stored secret was sealed with a key that is not in SALLYPORT_SECRETS_KEY: add that key after the first one.',
      );
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const text = openText(bytes.subarray(NONCE_BYTES), { key, nonce, context: contextOf(binding) });
    if (text !== undefined) return text;
    throw new StoreError('invalid', 'A stored secret was changed, or copied from another row: set it again.');
  }

  /** Recognizes a secret that was sealed with an older key of the ring. */
  isOutdated(sealed: string): boolean {
    return sealed.split('.')[1] !== this.#first;
  }
}
