import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { StoreError } from '../errors.ts';

const CIPHER = 'aes-256-gcm';
const IV_LENGTH = 12;
const TAG_LENGTH = 16;
const VERSION = 'v1';

function idOf(key: Buffer): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8);
}

/** Seals secrets for the database. The first key seals; all of them open, so that keys can be changed. */
export class Vault {
  readonly #keys: ReadonlyMap<string, Buffer>;
  readonly #first: string;

  /** Keys of 64 hex digits each, separated by commas. */
  constructor(ring: string) {
    const keys = ring.split(',').map((each) => each.trim());
    if (!keys.every((each) => /^[0-9a-f]{64}$/i.test(each)))
      throw new StoreError(
        'invalid',
        'A secrets key is 64 hex digits (openssl rand -hex 32); separate several by commas.',
      );
    const buffers = keys.map((each) => Buffer.from(each, 'hex'));
    this.#keys = new Map(buffers.map((key) => [idOf(key), key]));
    this.#first = idOf(buffers[0] as Buffer);
  }

  /** Seals a text for one place: it opens nowhere else. */
  seal(text: string, place: readonly string[]): string {
    const iv = randomBytes(IV_LENGTH);
    const cipher = createCipheriv(CIPHER, this.#keys.get(this.#first) as Buffer, iv);
    cipher.setAAD(Buffer.from(JSON.stringify([VERSION, ...place])));
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${VERSION}.${this.#first}.${sealed.toString('base64url')}`;
  }

  open(sealed: string, place: readonly string[]): string {
    const [version, id = '', body = ''] = sealed.split('.');
    const key = this.#keys.get(id);
    const bytes = Buffer.from(body, 'base64url');
    if (version !== VERSION || key === undefined || bytes.length < IV_LENGTH + TAG_LENGTH)
      throw new StoreError(
        'invalid',
        'A secret was sealed by a key that is not in the ring: add that key behind the first.',
      );
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_LENGTH), { authTagLength: TAG_LENGTH });
    decipher.setAAD(Buffer.from(JSON.stringify([VERSION, ...place])));
    decipher.setAuthTag(bytes.subarray(-TAG_LENGTH));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(IV_LENGTH, -TAG_LENGTH)), decipher.final()]).toString(
        'utf8',
      );
    } catch {
      throw new StoreError('invalid', 'A secret was changed, or moved from another place: set it again.');
    }
  }

  /** Whether it was sealed by an older key of the ring. */
  isOutdated(sealed: string): boolean {
    return sealed.split('.')[1] !== this.#first;
  }
}
