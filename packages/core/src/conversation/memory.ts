import { canonicalJson } from '../base/canonical-json.ts';
import { digestText } from '../base/digest.ts';
import { SallyportError } from '../base/errors.ts';
import { isConfidentiality, isOrigin, joinLabels, type Label, LOWEST, lowerOrigin } from '../label/label.ts';
import { originOfPart, Source, type SourceOrigin } from '../label/source.ts';
import { isTrustClass, type TrustClass } from '../provenance/trust.ts';
import { type Content, type Part, readContent, readPart } from '../record/part.ts';
import { checkId } from '../record/record.ts';

const MEMORY_VERSION = 1;

/** Who stood for a submission, and when. */
export interface Promotion {
  /** The person, by the name under which your application authenticated them: this library cannot. */
  readonly by: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** @default none */
  readonly reason?: string;
}

export interface MemoryInput {
  readonly id: string;
  readonly content: Content;
  /** The join of everything the model had read when it wrote this. What is missing or no label reads as the lowest. */
  readonly context: Label;
  /** Ids of the records that were in view. */
  readonly derivedFrom: readonly string[];
  /** A label to join in. It can only lower. @default none */
  readonly label?: Label;
  /** The worst trust class among its words when they were written. @default 'flagged' */
  readonly trust?: TrustClass;
}

type MemoryFields = Pick<SavedMemory, 'id' | 'parts' | 'derivation' | 'floor' | 'trust' | 'promotion'>;

/** A memory as it is stored: plain JSON. The stored name of its trust class is `standing`. */
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

/** What an agent wrote to be read again: a memory, a summary, a note for another agent. Immutable. */
export class SavedMemory {
  readonly #made = true;
  readonly type = 'memory';
  readonly id: string;
  readonly parts: readonly Part[];
  /** Ids of the records that were in view when it was written. */
  readonly derivation: readonly string[];
  /** The label of its words: what the model had read, or a person's after promotion. */
  readonly floor: Label;
  /** Whose words they were at worst: an instruction that was written down is one when it is read again. */
  readonly trust: TrustClass;
  /** The label of the whole: its words and its other parts, joined. */
  readonly label: Label;
  /** What it is read back as. */
  readonly source: Source;
  readonly promotion: Promotion | undefined;
  /** Only a promotion makes a submission canonical: the two cannot disagree. */
  readonly lifecycle: 'candidate' | 'canonical';
  /** SHA-256 over all that is stored of it, so that no field can be changed alone. */
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

function bodyOf(submission: Omit<SavedMemory, 'digest'>): Omit<StoredMemory, 'digest'> {
  const { id, lifecycle, parts, derivation, floor, trust, promotion } = submission;
  const body = { version: MEMORY_VERSION, id, lifecycle, parts, derivation, floor, standing: trust } as const;
  return promotion === undefined ? body : { ...body, promotion };
}

function checkMemory(submission: SavedMemory, taker: string): SavedMemory {
  if (SavedMemory.is(submission)) return submission;
  throw new SallyportError(
    'ERR_STAGE_SKIPPED',
    `${taker}() takes a Submission: what submit() or restoreSubmission() gave, not its id and not its JSON.`,
  );
}

function readLabel(value: unknown): Label | undefined {
  const { integrity, confidentiality } = (value ?? {}) as Record<string, unknown>;
  const isLabel = isOrigin(integrity) && isConfidentiality(confidentiality);
  return isLabel ? Object.freeze({ integrity, confidentiality }) : undefined;
}

// Nobody of the vouching origins wrote an agent's words, whatever it had read: they are workspace content at best.
// Were they the user's because only the user had spoken, a model that errs would vouch for its own errors later.
const AGENT: Label = Object.freeze({ integrity: 'workspace', confidentiality: 'public' });

/** What an agent writes is a candidate: never better than all that the agent had read. */
export function saveMemory(input: MemoryInput): SavedMemory {
  const { id, content, context, derivedFrom, label, trust = 'flagged' } = input;
  if (!Array.isArray(derivedFrom))
    throw new SallyportError('ERR_INVALID_OPTION', 'derivedFrom is an array of record ids: [] when nothing was read.');
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

const MAX_NAME = 256;

function readPromotion(value: unknown): Promotion | undefined {
  const { by, at, reason } = (value ?? {}) as Record<string, unknown>;
  if (typeof by !== 'string' || by.trim() === '' || by.length > MAX_NAME) return undefined;
  if (typeof at !== 'number' || !Number.isFinite(at) || at < 0) return undefined;
  if (reason === undefined) return Object.freeze({ by, at });
  return typeof reason === 'string' ? Object.freeze({ by, at, reason }) : undefined;
}

const PERSON = new Source('user');

/** Whether a part says all there is to it. What a link leads to or a picture shows is nothing a reader can stand for. */
function isWords({ type }: Part): boolean {
  return originOfPart(PERSON, type) === PERSON.origin;
}

/**
 * A new, canonical submission: a person has read it and stands for its words, which are the user's from now on. Links,
 * images and files stay external, and nothing becomes less confidential. Promote the very object that was shown: an
 * agent may have written something else under the same id since.
 */
export function promoteMemory(submission: SavedMemory, promotion: Promotion): SavedMemory {
  const { id, parts, derivation, floor, lifecycle } = checkMemory(submission, 'promote');
  if (lifecycle === 'canonical')
    throw new SallyportError('ERR_INVALID_OPTION', `${id} is canonical already: submit() what is to replace it.`);
  const read = readPromotion(promotion);
  if (read === undefined)
    throw new SallyportError(
      'ERR_INVALID_OPTION',
      'A promotion is { by, at, reason? }: the name of a person who is signed in, Date.now(), and a text.',
    );
  // All parts of a record share one floor: were it the user's, a link that nobody knows would become external.
  if (floor.integrity === 'unknown' && !parts.every(isWords))
    throw new SallyportError(
      'ERR_INVALID_OPTION',
      `Nobody knows where the links, images or files of ${id} are from: submit() its text alone and promote that.`,
    );
  const raised: Label = Object.freeze({ integrity: PERSON.origin, confidentiality: floor.confidentiality });
  return new SavedMemory({ id, parts, derivation, floor: raised, trust: 'vouched', promotion: read });
}

/** What conversation.admit() takes. */
export interface MemoryContent {
  /** Of the submission's digest: the same text after its promotion is another record, not a replay of the candidate. */
  readonly id: string;
  readonly source: Source;
  readonly label: Label;
  readonly content: readonly Part[];
}

/** A submission to be read, in any conversation: the record's label is the submission's. */
export function contentOfMemory(submission: SavedMemory): MemoryContent {
  const { digest, source, floor, parts } = checkMemory(submission, 'admittedAs');
  return { id: `submission-${digest.slice(0, 32)}`, source, label: floor, content: parts };
}

/** A submission as plain JSON. */
export function storeMemory(submission: SavedMemory): StoredMemory {
  const checked = checkMemory(submission, 'storeSubmission');
  return { ...bodyOf(checked), digest: checked.digest };
}

/** A floor that submit() or promote() could have made. */
function readFloor(value: unknown, promotion: Promotion | undefined): Label | undefined {
  const floor = readLabel(value);
  if (floor === undefined) return undefined;
  const { integrity } = floor;
  const isMade =
    promotion === undefined ? lowerOrigin(integrity, AGENT.integrity) === integrity : integrity === PERSON.origin;
  return isMade ? floor : undefined;
}

function readTrust(value: unknown): TrustClass | undefined {
  return isTrustClass(value) ? value : undefined;
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
 * Reads a stored submission back with suspicion. Any field that does not validate makes it a candidate of the lowest
 * label, and `onDoubt` is told which. Whatever it holds is kept as data. The digest has no key: whoever may write the
 * store can forge a whole submission, promotion included, and only the rights to the store prevent that.
 */
export function restoreMemory(stored: unknown, onDoubt: (field: string) => void): SavedMemory {
  if (stored === undefined || stored === null)
    throw new SallyportError(
      'ERR_INVALID_SNAPSHOT',
      'There is no submission: pass what storeSubmission() gave, after JSON.parse.',
    );
  const doubts: string[] = [];
  const given = (name: string): unknown =>
    Object.hasOwn(stored, name) ? (stored as Record<string, unknown>)[name] : undefined;
  const believe = <T>(field: string, value: T | undefined, fallback: () => T): T => {
    if (value === undefined) doubts.push(field);
    return value ?? fallback();
  };
  const [id, promotion] = [given('id'), readPromotion(given('promotion'))];
  const fields = {
    id: believe('id', isId(id) ? id : undefined, () => `restored-${digestText(canonicalJson(stored)).slice(0, 32)}`),
    parts: believe('parts', readParts(given('parts')), () => readContent({ json: given('parts') ?? stored })),
    derivation: believe('derivation', readIds(given('derivation')), () => []),
    floor: believe('floor', readFloor(given('floor'), promotion), () => LOWEST),
    trust: believe('standing', readTrust(given('standing')), () => 'flagged' as const),
    promotion,
  };
  const believed = new SavedMemory(fields);
  if (given('version') !== MEMORY_VERSION) doubts.push('version');
  if (given('promotion') !== undefined && promotion === undefined) doubts.push('promotion');
  if (given('lifecycle') !== believed.lifecycle) doubts.push('lifecycle');
  if (given('digest') !== believed.digest) doubts.push('digest');
  if (doubts.length === 0) return believed;
  for (const field of doubts) onDoubt(field);
  return new SavedMemory({ ...fields, floor: LOWEST, trust: 'flagged', promotion: undefined });
}
