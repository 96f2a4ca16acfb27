import { canonicalJson } from '../base/canonical-json.ts';
import { digestText } from '../base/digest.ts';
import { SallyportError } from '../base/errors.ts';
import type { Report } from '../event.ts';
import { isConfidentiality, isOrigin, joinLabels, type Label, LOWEST } from '../label/label.ts';
import { Source, UNKNOWN_SOURCE } from '../label/source.ts';
import type { StoredOrigin } from '../provenance/call-origin.ts';
import { isTrustClass, isVouchedBy } from '../provenance/trust.ts';
import { type Part, readPart } from '../record/part.ts';
import { Recorded } from '../record/record.ts';

export const SNAPSHOT_VERSION = 1;

/** A record as it is stored: plain JSON, raw, without frame, nonce, mark or key. */
export interface StoredRecord {
  readonly id: string;
  readonly source: { readonly origin: string; readonly confidentiality: string; readonly name?: string };
  readonly parts: readonly Part[];
  readonly digest: string;
  readonly derivation: readonly string[];
  readonly floor: Label;
}

/**
 * A conversation as it is stored: plain JSON.
 *
 * @example
 * ```ts
 * const snapshot: Snapshot = conversation.snapshot();
 * await database.put(snapshot.conversation, JSON.stringify(snapshot));
 * ```
 */
export interface Snapshot {
  readonly version: typeof SNAPSHOT_VERSION;
  readonly conversation: string;
  readonly records: readonly StoredRecord[];
  /** The origins of the calls and of the records that hold their results. */
  readonly choices: readonly StoredOrigin[];
}

export function storeRecord(recorded: Recorded): StoredRecord {
  const { origin, confidentiality, name } = recorded.source;
  return {
    id: recorded.id,
    source: name === undefined ? { origin, confidentiality } : { origin, confidentiality, name },
    parts: recorded.parts,
    digest: recorded.digest,
    derivation: recorded.derivation,
    floor: recorded.floor,
  };
}

/** Reads one stored record. `doubt` is called for every field that does not validate. */
class StoredReader {
  readonly #stored: Record<string, unknown>;
  readonly #doubt: (field: string) => void;

  constructor(stored: unknown, doubt: (field: string) => void) {
    this.#doubt = doubt;
    const isObject = typeof stored === 'object' && stored !== null && !Array.isArray(stored);
    if (!isObject) doubt('record');
    this.#stored = isObject ? (stored as Record<string, unknown>) : {};
  }

  #field(name: string): unknown {
    return Object.hasOwn(this.#stored, name) ? this.#stored[name] : undefined;
  }

  id(fallback: string): string {
    const id = this.#field('id');
    if (typeof id === 'string' && id.length > 0 && id.length <= 512) return id;
    this.#doubt('id');
    return fallback;
  }

  source(): Source {
    const { origin, confidentiality, name } = (this.#field('source') ?? {}) as Record<string, unknown>;
    const isKnown = isOrigin(origin) && origin !== 'policy' && isConfidentiality(confidentiality);
    if (isKnown && (name === undefined || (typeof name === 'string' && name.length > 0 && name.length <= 256)))
      return new Source(origin, name === undefined ? { confidentiality } : { confidentiality, name });
    this.#doubt('source');
    return UNKNOWN_SOURCE;
  }

  parts(): readonly Part[] {
    const stored = this.#field('parts');
    const parts = Array.isArray(stored) ? stored.map(readStoredPart) : undefined;
    if (parts !== undefined && !parts.includes(undefined)) return Object.freeze(parts as Part[]);
    this.#doubt('parts');
    // The stored value is kept and shown as JSON of unknown source.
    return Object.freeze([Object.freeze({ type: 'json', text: canonicalJson(stored) } as const)]);
  }

  floor(earlier: ReadonlyMap<string, Recorded>): Label {
    const floor = this.#field('floor') as Label | undefined;
    const stored = this.#field('derivation');
    // A value that is not a list counts as an unknown record.
    const derivation: readonly unknown[] = Array.isArray(stored) ? stored : [undefined];
    const ancestors = derivation.map((id) => earlier.get(id as string)?.label ?? LOWEST);
    if (derivation.some((id) => !earlier.has(id as string))) this.#doubt('derivation');
    if (isOrigin(floor?.integrity) && isConfidentiality(floor?.confidentiality))
      return joinLabels([floor, ...ancestors]);
    this.#doubt('floor');
    return LOWEST;
  }

  derivation(): readonly string[] {
    const stored = this.#field('derivation');
    return Array.isArray(stored) ? stored.filter((id): id is string => typeof id === 'string') : [];
  }

  checkDigest(recorded: Recorded): void {
    if (this.#field('digest') !== recorded.digest) this.#doubt('digest');
  }
}

function readStoredPart(stored: unknown): Part | undefined {
  const part = readPart(stored);
  // A part that was stored as JSON and no longer parses is invalid.
  return part?.type === (stored as Part | null)?.type ? part : undefined;
}

function restoreRecord(
  stored: unknown,
  index: number,
  earlier: Map<string, Recorded>,
  context: RestoreContext,
): Recorded {
  const doubts: string[] = context.isCurrent ? [] : ['version'];
  const reader = new StoredReader(stored, (field) => doubts.push(field));
  const givenId = reader.id(`restored-${index}`);
  const source = reader.source();
  const parts = reader.parts();
  const fields = { source, parts, derivation: reader.derivation(), floor: reader.floor(earlier) };
  const candidate = new Recorded({ ...fields, id: givenId });
  reader.checkDigest(candidate);
  if (earlier.has(givenId)) doubts.push('id');
  if (doubts.length === 0) return candidate;
  const id = earlier.has(givenId) ? `${givenId}.${digestText(`${index} ${candidate.digest}`).slice(0, 16)}` : givenId;
  for (const field of doubts) context.onEvent({ type: 'restored-unknown', recordId: id, field });
  return new Recorded({ ...fields, id, source: UNKNOWN_SOURCE, floor: joinLabels([fields.floor, LOWEST]) });
}

interface RestoreContext {
  readonly isCurrent: boolean;
  readonly onEvent: Report;
}

/**
 * Reads a snapshot back. Storage is not trusted: a missing or unknown source, and any field that does not validate, makes its
 * record `unknown`. A snapshot of an old version is never read as trusted.
 */
export function restoreRecords(snapshot: unknown, onEvent: Report): Map<string, Recorded> {
  const { version, records } = (snapshot ?? {}) as Record<string, unknown>;
  if (!Array.isArray(records))
    throw new SallyportError(
      'ERR_INVALID_SNAPSHOT',
      'restore() needs the result of snapshot(), an object with `records`. Pass JSON.parse(text), not the text.',
    );
  // A later version may store a warning that this version would not read.
  if (typeof version === 'number' && version > SNAPSHOT_VERSION)
    throw new SallyportError(
      'ERR_INVALID_SNAPSHOT',
      `The snapshot has version ${version}; this package reads version ${SNAPSHOT_VERSION}. Use the package version that wrote it, or a later one.`,
    );
  const earlier = new Map<string, Recorded>();
  const context = { isCurrent: version === SNAPSHOT_VERSION, onEvent };
  for (const [index, stored] of records.entries()) {
    const restored = restoreRecord(stored, index, earlier, context);
    earlier.set(restored.id, restored);
  }
  return earlier;
}

/** A clean copy of one stored origin; undefined if it does not validate. */
function readChoice(entry: unknown): StoredOrigin | undefined {
  const { id, standing: stored, voucher } = (entry ?? {}) as Record<string, unknown>;
  // Earlier versions knew content that the user had pointed at.
  const standing = stored === 'pointed' ? 'open' : stored;
  if (typeof id !== 'string' || !isTrustClass(standing)) return undefined;
  if (voucher !== undefined && !isVouchedBy(voucher)) return undefined;
  return { id, standing, ...(voucher === undefined ? {} : { voucher }) };
}

/** Reads the origins of the calls. A list that does not validate makes all records flagged. */
export function restoreChoices(snapshot: unknown, records: Iterable<string>, onEvent: Report): readonly StoredOrigin[] {
  const { choices } = snapshot as { choices?: unknown };
  const read = Array.isArray(choices) ? choices.map(readChoice) : [undefined];
  if (!read.includes(undefined)) return read as StoredOrigin[];
  const all = [...records];
  for (const recordId of all) onEvent({ type: 'restored-unknown', recordId, field: 'choices' });
  return all.map((id) => ({ id, standing: 'flagged' }));
}
