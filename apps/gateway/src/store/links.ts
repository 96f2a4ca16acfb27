import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  sign,
  timingSafeEqual,
  verify,
} from 'node:crypto';

/** The end of a chain. */
export interface Head {
  readonly seq: number;
  /** Hex. */
  readonly hash: string;
}

/** A row of a chain, without its proofs. */
export interface Link {
  readonly seq: number;
  /** When it was written, in milliseconds since 1970 by the clock of the database. */
  readonly at: number;
  readonly payload: string;
}

/** `head`: the chain had this hash at the time of signing. `start`: the rows up to here were removed on purpose. */
export type CheckpointKind = 'head' | 'start';

/** A position of the chain, signed with a key that is not in the database. */
export interface Checkpoint extends Head {
  readonly kind: CheckpointKind;
  /** Ed25519, hex. */
  readonly signature: string;
}

/** The hash before the first row of a workspace's chain, so that no row can be moved to another workspace. */
export function genesisOf(workspace: string): Head {
  return { seq: 0, hash: createHash('sha256').update(workspace.replaceAll('-', ''), 'hex').digest('hex') };
}

/** The hash of a row: of all its columns, and of the row before it. */
export function hashOf(before: string, { seq, at, payload }: Link): string {
  const numbers = Buffer.alloc(16);
  numbers.writeBigInt64BE(BigInt(seq));
  numbers.writeBigInt64BE(BigInt(at), 8);
  return createHash('sha256').update(before, 'hex').update(numbers).update(payload, 'utf8').digest('hex');
}

/** PKCS #8 of an Ed25519 key, without the 32 bytes of the key itself (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
/** SubjectPublicKeyInfo of an Ed25519 key, without its 32 bytes. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

function derive(key: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `sallyport/audit/${purpose}`, 32));
}

function bytesOf(workspace: string, kind: CheckpointKind, { seq, hash }: Head): Buffer {
  return Buffer.from(`sallyport audit 2\n${kind}\n${workspace}\n${seq}\n${hash}`);
}

function feedBytes(at: number, body: string): Buffer {
  return Buffer.from(`sallyport feed 1\n${at}\n${createHash('sha256').update(body, 'utf8').digest('hex')}`);
}

function anchorBytes(text: string): Buffer {
  return Buffer.from(`sallyport anchors 1\n${createHash('sha256').update(text, 'utf8').digest('hex')}`);
}

/**
 * The public half of an audit key: verifies signatures and cannot make one.
 *
 * @example
 * ```ts
 * const key = PublicAuditKey.read('3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29');
 * const report = await verifyExport(lines, { publicKeys: key === undefined ? [] : [key] });
 * ```
 */
export class PublicAuditKey {
  readonly #key: KeyObject;

  constructor(key: KeyObject) {
    this.#key = key;
  }

  /** Reads 64 hexadecimal digits. Undefined if it is not a key. */
  static read(text: string): PublicAuditKey | undefined {
    if (!/^[0-9a-f]{64}$/.test(text)) return undefined;
    return new PublicAuditKey(
      createPublicKey({ key: Buffer.concat([SPKI, Buffer.from(text, 'hex')]), format: 'der', type: 'spki' }),
    );
  }

  get text(): string {
    return this.#key.export({ format: 'der', type: 'spki' }).subarray(SPKI.length).toString('hex');
  }

  /** Checks the signature of a feed's request at this time. Refuse a time that is long ago: it may be a repetition. */
  hasSignedFeed(at: number, body: string, signature: string): boolean {
    return verify(null, feedBytes(at, body), this.#key, Buffer.from(signature, 'hex'));
  }

  /** Checks the signature of a line of an anchor file. */
  hasSignedAnchors(text: string, signature: string): boolean {
    return verify(null, anchorBytes(text), this.#key, Buffer.from(signature, 'hex'));
  }

  hasSigned(workspace: string, checkpoint: Checkpoint): boolean {
    const { kind, signature } = checkpoint;
    return verify(null, bytesOf(workspace, kind, checkpoint), this.#key, Buffer.from(signature, 'hex'));
  }
}

/** Proves rows, and signs positions and what is sent to a feed. All are derived from one key of 32 bytes. */
export class AuditKey {
  readonly public: PublicAuditKey;
  readonly #mac: Buffer;
  readonly #private: KeyObject;

  constructor(key: Uint8Array) {
    this.#mac = derive(key, 'mac');
    this.#private = createPrivateKey({
      key: Buffer.concat([PKCS8, derive(key, 'sign')]),
      format: 'der',
      type: 'pkcs8',
    });
    this.public = new PublicAuditKey(createPublicKey(this.#private));
  }

  macOf(workspace: string, hash: string): string {
    return createHmac('sha256', this.#mac).update(`${workspace}\n${hash}`).digest('hex');
  }

  isMac(workspace: string, hash: string, mac: string): boolean {
    const [given, expected] = [Buffer.from(mac, 'hex'), Buffer.from(this.macOf(workspace, hash), 'hex')];
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  sign(workspace: string, kind: CheckpointKind, head: Head): Checkpoint {
    const { seq, hash } = head;
    return { seq, hash, kind, signature: sign(null, bytesOf(workspace, kind, head), this.#private).toString('hex') };
  }

  signAnchors(text: string): string {
    return sign(null, anchorBytes(text), this.#private).toString('hex');
  }

  signFeed(at: number, body: string): string {
    return sign(null, feedBytes(at, body), this.#private).toString('hex');
  }
}

/**
 * Audit keys from the bytes of a setting. The first one signs, and all of them verify.
 *
 * @example
 * ```ts
 * const keys = auditKeysOf(readKeys(process.env).keysFor('audit'));
 * ```
 */
export function auditKeysOf(keys: Uint8Array | readonly Uint8Array[]): readonly AuditKey[] {
  return [keys].flat().map((key) => new AuditKey(key));
}
