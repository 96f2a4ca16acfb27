import { digestText } from '../base/digest.ts';
import { SallyportError } from '../base/errors.ts';
import { joinLabels, type Label, lowerOrigin } from '../label/label.ts';
import { labelOf, originOfPart, Source, type SourceOrigin } from '../label/source.ts';
import { type Content, type Part, readContent, surfaceOf } from './part.ts';

export interface RecordInput {
  readonly id: string;
  readonly source: Source;
  readonly content: Content;
  /** The records this one was made from: a summary's, a memory's, a sub-agent's. @default none */
  readonly derivedFrom?: readonly Recorded[];
  /** A label to join in, such as the one a memory was written under. It can only lower. @default none */
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

/** Content with where it came from: immutable, raw, and all that is ever stored. */
export class Recorded {
  readonly #made = true;
  readonly type = 'recorded';
  readonly id: string;
  readonly source: Source;
  readonly parts: readonly Part[];
  /** SHA-256 of each part, in order; of a text or JSON part it is the digest of the text the model is shown. */
  readonly partDigests: readonly string[];
  readonly digest: string;
  readonly derivation: readonly string[];
  /** What the record inherits: the join of everything it was derived from. */
  readonly floor: Label;
  /** The record's own label: its source, its parts and its floor, joined. */
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

  /** The origin a part is framed under: its source's, never above what the record was derived from. */
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
    throw new SallyportError('ERR_INVALID_NAME', `A record id is a string of 1 to ${MAX_ID} characters.`);
  return id;
}

/** Takes content in. Nothing about its trust is read from the content itself. */
export function record(input: RecordInput): Recorded {
  if (!Source.is(input.source))
    throw new SallyportError('ERR_STAGE_SKIPPED', 'record() needs a Source: make one with source() or defineTool().');
  const ancestors = input.derivedFrom ?? [];
  if (!ancestors.every(Recorded.is))
    throw new SallyportError('ERR_STAGE_SKIPPED', 'derivedFrom takes records: results of record() or admit().');
  return new Recorded({
    id: checkId(input.id),
    source: input.source,
    parts: readContent(input.content),
    derivation: ancestors.map((ancestor) => ancestor.id),
    floor: joinLabels([...ancestors.map((ancestor) => ancestor.label), ...(input.label ? [input.label] : [])]),
  });
}
