import { SallyportError } from '../base/errors.ts';
import { type Confidentiality, isConfidentiality, isOrigin, type Label, lowerOrigin, type Origin } from './label.ts';

/** An origin that bytes can have. Policy has none: the developer's own words are a `Prompt`, not a source. */
export type SourceOrigin = Exclude<Origin, 'policy'>;

export interface SourceOptions {
  /** Who carried the bytes, for people and for the frame's `from`. @default none */
  readonly name?: string;
  /** @default 'private' */
  readonly confidentiality?: Confidentiality;
}

const MAX_NAME = 256;

export function checkedName(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  if (typeof name !== 'string' || name.length === 0 || name.length > MAX_NAME)
    throw new SallyportError('ERR_INVALID_NAME', `A source or tool name is a string of 1 to ${MAX_NAME} characters.`);
  return name;
}

/** Where bytes came from. Made here and nowhere else: a JSON object that looks like one is not one. */
export class Source {
  readonly #made = true;
  readonly type = 'source';
  readonly origin: SourceOrigin;
  readonly confidentiality: Confidentiality;
  readonly name: string | undefined;

  constructor(origin: SourceOrigin, options: SourceOptions = {}) {
    if (!isOrigin(origin) || (origin as Origin) === 'policy')
      throw new SallyportError(
        'ERR_INVALID_LABEL',
        "A source is user, system, workspace, retrieved, external or unknown. The model's own turns are not admitted.",
      );
    const confidentiality = options.confidentiality ?? 'private';
    if (!isConfidentiality(confidentiality))
      throw new SallyportError('ERR_INVALID_LABEL', 'Confidentiality is public, private or secret.');
    this.origin = origin;
    this.confidentiality = confidentiality;
    this.name = checkedName(options.name);
    Object.freeze(this);
  }

  static is(value: unknown): value is Source {
    return typeof value === 'object' && value !== null && #made in value;
  }
}

/** Content of a stated origin that did not come from a declared tool. */
export function source(origin: SourceOrigin, options: SourceOptions = {}): Source {
  return new Source(origin, options);
}

/** What is read when nobody said where the bytes came from. Framed and gated as external. */
export const UNKNOWN_SOURCE: Source = new Source('unknown');

export function labelOf(of: Source): Label {
  return Object.freeze({ integrity: of.origin, confidentiality: of.confidentiality });
}

/**
 * The origin of one part of what a source delivered. A tool is the courier, not the author: media, files and links it
 * hands over were made elsewhere, so a trusted or workspace source does not reach them.
 */
export function originOfPart(of: Source, partType: string): SourceOrigin {
  switch (partType) {
    case 'text':
    case 'json':
      return of.origin;
    default:
      return lowerOrigin(of.origin, 'external') as SourceOrigin;
  }
}
