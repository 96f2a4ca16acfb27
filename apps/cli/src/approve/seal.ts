import { createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalJson, fieldsOf } from '@sallyport/core/adapter';
import { userKey } from '../user-key.ts';

/** An entry with its seal: an HMAC over everything else in it, with the user's key. */
export type Sealed<Entry extends object> = Entry & { readonly mac: string };

/** What a seal is for: an entry of one file does not count in another. */
type Purpose = 'answer' | 'override' | 'always' | 'rule' | 'session';

/** Tells entries that sallyport wrote from those that another program put into the state folder. */
export class Seal {
  readonly #folder: string;
  readonly #purpose: Purpose;
  #key: Uint8Array | undefined;

  constructor(stateFolder: string, purpose: Purpose) {
    this.#folder = stateFolder;
    this.#purpose = purpose;
  }

  #macOf(entry: object): Buffer {
    this.#key ??= userKey(this.#folder);
    return createHmac('sha256', this.#key)
      .update(`sallyport ${this.#purpose}\n${canonicalJson(entry)}`)
      .digest();
  }

  put<Entry extends object>(entry: Entry): Sealed<Entry> {
    // As it is read again: without what JSON leaves out.
    return { ...entry, mac: this.#macOf(JSON.parse(JSON.stringify(entry)) as object).toString('hex') };
  }

  /** The entry without its seal. Undefined if the seal is missing or wrong. */
  open(value: unknown): Readonly<Record<string, unknown>> | undefined {
    const { mac, ...entry } = fieldsOf(value);
    const given = typeof mac === 'string' && /^[0-9a-f]{64}$/.test(mac) ? Buffer.from(mac, 'hex') : undefined;
    return given !== undefined && timingSafeEqual(given, this.#macOf(entry)) ? entry : undefined;
  }
}
