import { canonicalJson } from '../base/canonical-json.ts';
import { digestText } from '../base/digest.ts';
import { describeValue, refuse, SallyportError } from '../base/errors.ts';
import { isConfidentiality, isOrigin, joinLabels, type Label, LOWEST, lowerOrigin } from '../label/label.ts';
import { originOfPart, Source, type SourceOrigin } from '../label/source.ts';
import { isTrustClass, type TrustClass } from '../provenance/trust.ts';
import { type Content, type Part, readContent, readPart } from '../record/part.ts';
import { checkId } from '../record/record.ts';

const MEMORY_VERSION = 1;

/**
 * Who vouched for a memory, and when.
 *
 * @example
 * ```ts
 * const promotion: Promotion = { by: session.userId, at: Date.now(), reason: 'Reviewed' };
 * ```
 */
export interface Promotion {
  /** The person, by the name under which your application authenticated them. This library cannot check it. */
  readonly by: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Why, for people who read it later. @default none */
  readonly reason?: string;
}

/** What a memory is made of. */
export interface MemoryInput {
  readonly id: string;
  readonly content: Content;
  /** The joined label of everything the model had read when it wrote this. An invalid label counts as the lowest. */
  readonly context: Label;
  /** The ids of the records that the model was shown. */
  readonly derivedFrom: readonly string[];
  /** A label to join with `context`. It can only lower the result. @default none */
  readonly label?: Label;
  /** The worst trust class among its words when they were written. @default 'flagged' */
  readonly trust?: TrustClass;
}

type MemoryFields = Pick<SavedMemory, 'id' | 'parts' | 'derivation' | 'floor' | 'trust' | 'promotion'>;

/**
 * A memory as it is stored: plain JSON. The stored name of its trust class is `standing`.
 *
 * @example
 * ```ts
 * const stored: StoredMemory = storeMemory(memory);
 * await database.put(stored.id, JSON.stringify(stored));
 * ```
 */
export interface StoredMemory {
  readonly version: typeof MEMORY_VERSION;
  readonly id: string;
  readonly lifecycle: 'candidate' | 'canonical';
  readonly parts: readonly Part[];
  readonly derivation: readonly string[];
  readonly floor: Label;
  readonly standing: TrustClass;
  readonly promotion?: Promotion;
  readonly digest: string;
}

/**
 * Text that an agent wrote for later: a memory, a summary, a note for another agent. Immutable.
 *
 * @example
 * ```ts
 * const memory: SavedMemory = conversation.saveMemory({ id: 'preferences', content: 'Alice prefers tea.' });
 * ```
 */
export class SavedMemory {
  readonly #made = true;
  readonly type = 'memory';
  readonly id: string;
  readonly parts: readonly Part[];
  /** The ids of the records that the model had been shown when it wrote the memory. */
  readonly derivation: readonly string[];
  /** The label of its words: that of everything the model had read, or the user's after promotion. */
  readonly floor: Label;
  /** The worst trust class of its words: an instruction that was written down is still one when it is read again. */
  readonly trust: TrustClass;
  /** The joined label of its words and its other parts. */
  readonly label: Label;
  /** The source of the record that loadMemory() adds. */
  readonly source: Source;
  readonly promotion: Promotion | undefined;
  /** `canonical` if and only if the memory has a promotion. */
  readonly lifecycle: 'candidate' | 'canonical';
  /** SHA-256 over everything that is stored, so that no single field can be changed unnoticed. */
  readonly digest: string;

  constructor({ id, parts, derivation, floor, trust, promotion }: MemoryFields) {
    this.id = id;
    this.parts = parts;
    this.derivation = Object.freeze([...derivation]);
    this.floor = floor;
    this.trust = trust;
    this.promotion = promotion;
    this.lifecycle = promotion === undefined ? 'candidate' : 'canonical';
    const { confidentiality } = floor;
    const name = promotion === undefined ? { name: 'agent' } : {};
    const source = new Source(floor.integrity as SourceOrigin, { confidentiality, ...name });
    this.source = source;
    const ofParts = parts.map((part) => ({ integrity: originOfPart(source, part.type), confidentiality }));
    this.label = joinLabels([floor, ...ofParts]);
    this.digest = digestText(canonicalJson(bodyOf(this)));
    Object.freeze(this);
  }

  static is(value: unknown): value is SavedMemory {
    return typeof value === 'object' && value !== null && #made in value;
  }
}

function bodyOf(memory: Omit<SavedMemory, 'digest'>): Omit<StoredMemory, 'digest'> {
  const { id, lifecycle, parts, derivation, floor, trust, promotion } = memory;
  const body = { version: MEMORY_VERSION, id, lifecycle, parts, derivation, floor, standing: trust } as const;
  return promotion === undefined ? body : { ...body, promotion };
}

function checkMemory(memory: SavedMemory, caller: string): SavedMemory {
  if (SavedMemory.is(memory)) return memory;
  throw new SallyportError(
    'ERR_STAGE_SKIPPED',
    `${caller}() needs a SavedMemory; received ${describeValue(memory)}. Pass the result of saveMemory() or restoreMemory().`,
  );
}

function readLabel(value: unknown): Label | undefined {
  const { integrity, confidentiality } = (value ?? {}) as Record<string, unknown>;
  const isLabel = isOrigin(integrity) && isConfidentiality(confidentiality);
  return isLabel ? Object.freeze({ integrity, confidentiality }) : undefined;
}

// An agent's words are workspace content at best, even if it had read trusted content only: no trusted source wrote them.
// Otherwise a model that makes an error would later vouch for its own error.
const AGENT: Label = Object.freeze({ integrity: 'workspace', confidentiality: 'public' });

/** Makes a candidate memory. Its label is never better than that of everything the agent had read. */
export function saveMemory(input: MemoryInput): SavedMemory {
  const { id, content, context, derivedFrom, label, trust = 'flagged' } = input;
  if (!Array.isArray(derivedFrom))
    refuse(
      `\`derivedFrom\` must be an array of record ids, or [] if nothing was read; received ${describeValue(derivedFrom)}.`,
    );
  const labels = label === undefined ? [context] : [context, label];
  return new SavedMemory({
    id: checkId(id),
    parts: readContent(content),
    derivation: derivedFrom.map(checkId),
    floor: joinLabels([AGENT, ...labels.map((each) => readLabel(each) ?? LOWEST)]),
    trust: isTrustClass(trust) ? trust : 'flagged',
    promotion: undefined,
  });
}

const MAX_NAME_LENGTH = 256;

function readPromotion(value: unknown): Promotion | undefined {
  const { by, at, reason } = (value ?? {}) as Record<string, unknown>;
  if (typeof by !== 'string' || by.trim() === '' || by.length > MAX_NAME_LENGTH) return undefined;
  if (typeof at !== 'number' || !Number.isFinite(at) || at < 0) return undefined;
  if (reason === undefined) return Object.freeze({ by, at });
  return typeof reason === 'string' ? Object.freeze({ by, at, reason }) : undefined;
}

const PERSON = new Source('user');

/** Text that a person can read as a whole. They cannot vouch for what a link leads to or what a file holds. */
function isWords({ type }: Part): boolean {
  return originOfPart(PERSON, type) === PERSON.origin;
}

/**
 * Makes a canonical memory from a candidate: a person has read it and vouches for its words, which count as the user's from now
 * on. Links, images and files stay external, and nothing becomes less confidential. Promote the same object that the person
 * was shown: an agent may have saved other text under the same id since.
 *
 * @example
 * ```ts
 * const promoted = promoteMemory(memory, { by: session.userId, at: Date.now() });
 * await database.put(promoted.id, storeMemory(promoted));
 * ```
 */
export function promoteMemory(memory: SavedMemory, promotion: Promotion): SavedMemory {
  const { id, parts, derivation, floor, lifecycle } = checkMemory(memory, 'promoteMemory');
  if (lifecycle === 'canonical')
    refuse(`The memory ${id} is already canonical. To replace it, save a new one with saveMemory().`);
  const read = readPromotion(promotion);
  if (read === undefined)
    refuse('A promotion must be { by, at, reason? }: the name of a signed-in person, Date.now() and an optional text.');
  // All parts of a record share one floor: with the user's floor, a link of unknown origin would become external.
  if (floor.integrity === 'unknown' && !parts.every(isWords))
    refuse(
      `The memory ${id} has links, images or files of unknown origin. Save its text alone with saveMemory(), then promote that.`,
    );
  const raised: Label = Object.freeze({ integrity: PERSON.origin, confidentiality: floor.confidentiality });
  return new SavedMemory({ id, parts, derivation, floor: raised, trust: 'vouched', promotion: read });
}

/** A memory as content that a conversation can add. */
export interface MemoryContent {
  /** Made from the digest: the same text after its promotion is another record, not a replay of the candidate. */
  readonly id: string;
  readonly source: Source;
  readonly label: Label;
  readonly content: readonly Part[];
}

/** A memory as content for any conversation. The record has the memory's label. */
export function contentOfMemory(memory: SavedMemory): MemoryContent {
  const { digest, source, floor, parts } = checkMemory(memory, 'loadMemory');
  return { id: `${MEMORY_ID}${digest.slice(0, 32)}`, source, label: floor, content: parts };
}

/** What the ids of memories begin with. */
const MEMORY_ID = 'submission-';

/** A record is a memory, by its id. The judge is not told memories as messages of the user, even if a person has promoted them. */
export function isMemory({ id }: { readonly id: string }): boolean {
  return id.startsWith(MEMORY_ID);
}

/**
 * A memory as plain JSON, for your database. restoreMemory() reads it back.
 *
 * @example
 * ```ts
 * await database.put(memory.id, JSON.stringify(storeMemory(memory)));
 * ```
 */
export function storeMemory(memory: SavedMemory): StoredMemory {
  const checked = checkMemory(memory, 'storeMemory');
  return { ...bodyOf(checked), digest: checked.digest };
}

/** A floor that saveMemory() or promoteMemory() could have made. */
function readFloor(value: unknown, promotion: Promotion | undefined): Label | undefined {
  const floor = readLabel(value);
  if (floor === undefined) return undefined;
  const { integrity } = floor;
  const isPossible =
    promotion === undefined ? lowerOrigin(integrity, AGENT.integrity) === integrity : integrity === PERSON.origin;
  return isPossible ? floor : undefined;
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= 512;
}

function readIds(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every(isId) ? value : undefined;
}

function readParts(value: unknown): readonly Part[] | undefined {
  const isParts = Array.isArray(value) && value.every((part) => readPart(part) !== undefined);
  return isParts ? readContent(value) : undefined;
}

/**
 * Reads a stored memory back. A field that does not validate makes it a candidate of the lowest label, and `onDoubt` is called
 * with the field's name; the content is kept as data. The digest has no key: anyone who can write to the store can forge a
 * whole memory including its promotion, so restrict who can write to it.
 *
 * @example
 * ```ts
 * const stored = JSON.parse(await database.get('preferences'));
 * const memory = restoreMemory(stored, (field) => log.warn(`The field ${field} of the memory is invalid.`));
 * conversation.loadMemory(memory);
 * ```
 */
export function restoreMemory(stored: unknown, onDoubt: (field: string) => void): SavedMemory {
  if (stored === undefined || stored === null)
    throw new SallyportError(
      'ERR_INVALID_SNAPSHOT',
      `restoreMemory() needs the result of storeMemory(), after JSON.parse(); received ${describeValue(stored)}.`,
    );
  const doubts: string[] = [];
  const fieldOf = (name: string): unknown =>
    Object.hasOwn(stored, name) ? (stored as Record<string, unknown>)[name] : undefined;
  const valid = <T>(field: string, value: T | undefined, fallback: () => T): T => {
    if (value === undefined) doubts.push(field);
    return value ?? fallback();
  };
  const [id, standing, promotion] = [fieldOf('id'), fieldOf('standing'), readPromotion(fieldOf('promotion'))];
  const fields = {
    id: valid('id', isId(id) ? id : undefined, () => `restored-${digestText(canonicalJson(stored)).slice(0, 32)}`),
    parts: valid('parts', readParts(fieldOf('parts')), () => readContent({ json: fieldOf('parts') ?? stored })),
    derivation: valid('derivation', readIds(fieldOf('derivation')), () => []),
    floor: valid('floor', readFloor(fieldOf('floor'), promotion), () => LOWEST),
    trust: valid('standing', isTrustClass(standing) ? standing : undefined, () => 'flagged' as const),
    promotion,
  };
  const restored = new SavedMemory(fields);
  if (fieldOf('version') !== MEMORY_VERSION) doubts.push('version');
  if (fieldOf('promotion') !== undefined && promotion === undefined) doubts.push('promotion');
  if (fieldOf('lifecycle') !== restored.lifecycle) doubts.push('lifecycle');
  if (fieldOf('digest') !== restored.digest) doubts.push('digest');
  if (doubts.length === 0) return restored;
  for (const field of doubts) onDoubt(field);
  return new SavedMemory({ ...fields, floor: LOWEST, trust: 'flagged', promotion: undefined });
}
