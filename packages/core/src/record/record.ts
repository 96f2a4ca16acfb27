import { digestText } from '../base/digest.ts';
import { describeType, SallyportError } from '../base/errors.ts';
import { joinLabels, type Label, lowerOrigin } from '../label/label.ts';
import { labelOf, originOfPart, Source, type SourceOrigin } from '../label/source.ts';
import { type Content, type Part, readContent, surfaceOf } from './part.ts';

/**
 * The input of `record()`.
 *
 * @example
 * ```ts
 * const input: RecordInput = { id: 'page-1', source: source('external'), content: page };
 * ```
 */
export interface RecordInput {
  /** Unique in the conversation, 1 to 512 characters. The frame's nonce depends on it. */
  readonly id: string;
  readonly source: Source;
  readonly content: Content;
  /**
   * The records that this one was made from, such as those a summary covers. Their labels are joined in.
   * @default none
   */
  readonly derivedFrom?: readonly Recorded[];
  /** A label to join in, such as the label that a memory was stored with. It can only lower trust. @default none */
  readonly label?: Label;
}

const MAX_ID = 512;

interface RecordFields {
  readonly id: string;
  readonly source: Source;
  readonly parts: readonly Part[];
  readonly derivation: readonly string[];
  readonly floor: Label;
}

/**
 * Content together with its source: immutable and unframed. Only records are stored, never frames.
 *
 * @example
 * ```ts
 * const recorded: Recorded = conversation.addUserMessage('Summarise example.org/news.');
 * console.log(recorded.label.integrity); // 'user'
 * ```
 */
export class Recorded {
  readonly #made = true;
  readonly type = 'recorded';
  readonly id: string;
  readonly source: Source;
  readonly parts: readonly Part[];
  /** SHA-256 of each part, in order. For a text or JSON part it is the digest of its text. */
  readonly partDigests: readonly string[];
  readonly digest: string;
  readonly derivation: readonly string[];
  /** The join of the labels of everything that the record was derived from. */
  readonly floor: Label;
  /** The label of the record: the join of its source, its parts and its floor. */
  readonly label: Label;

  constructor(fields: RecordFields) {
    const { id, source, parts, derivation, floor } = fields;
    this.id = id;
    this.source = source;
    this.parts = parts;
    this.partDigests = Object.freeze(parts.map(digestPart));
    this.digest = digestText(parts.map((part, index) => `${part.type} ${this.partDigests[index]}`).join('\n'));
    this.derivation = Object.freeze([...derivation]);
    this.floor = floor;
    const { confidentiality } = source;
    const ofParts = parts.map((part) => ({ integrity: originOfPart(source, part.type), confidentiality }));
    this.label = joinLabels([labelOf(source), floor, ...ofParts]);
    Object.freeze(this);
  }

  /**
   * The origin that a part is framed with: the origin of its source, but never above that of the records it was derived
   * from.
   */
  originOf(part: Part): SourceOrigin {
    return lowerOrigin(originOfPart(this.source, part.type), this.floor.integrity) as SourceOrigin;
  }

  static is(value: unknown): value is Recorded {
    return typeof value === 'object' && value !== null && #made in value;
  }
}

function digestPart(part: Part): string {
  const { data } = part as { data?: string };
  return digestText(data === undefined ? surfaceOf(part) : `${surfaceOf(part)}\n${data}`);
}

export function checkId(id: unknown): string {
  if (typeof id !== 'string' || id.length === 0 || id.length > MAX_ID)
    throw new SallyportError(
      'ERR_INVALID_NAME',
      `The id of a record must be a string of 1 to ${MAX_ID} characters; received ${describeType(id)}.`,
    );
  return id;
}

/**
 * Makes a record of content and its source. Its trust comes from the source, never from the content itself.
 *
 * @example
 * ```ts
 * const recorded = record({ id: 'page-1', source: source('external', { name: 'example.org' }), content: page });
 * ```
 */
export function record(input: RecordInput): Recorded {
  if (!Source.is(input.source))
    throw new SallyportError(
      'ERR_STAGE_SKIPPED',
      `\`source\` must be a Source, made with source() or defineTool(); received ${describeType(input.source)}.`,
    );
  const ancestors = input.derivedFrom ?? [];
  if (!ancestors.every(Recorded.is))
    throw new SallyportError(
      'ERR_STAGE_SKIPPED',
      '`derivedFrom` must be an array of records: results of record() or of the add methods of a conversation.',
    );
  return new Recorded({
    id: checkId(input.id),
    source: input.source,
    parts: readContent(input.content),
    derivation: ancestors.map((ancestor) => ancestor.id),
    floor: joinLabels([...ancestors.map((ancestor) => ancestor.label), ...(input.label ? [input.label] : [])]),
  });
}
