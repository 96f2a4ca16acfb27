import { describeValue, SallyportError } from '../base/errors.ts';
import { type Confidentiality, isConfidentiality, isOrigin, type Label, lowerOrigin, type Origin } from './label.ts';

/**
 * The origins that a source can have: all but `policy`. The developer's own words are a `Prompt`, not a source.
 *
 * @example
 * ```ts
 * const origin: SourceOrigin = 'workspace';
 * ```
 */
export type SourceOrigin = Exclude<Origin, 'policy'>;

/**
 * Options of `source()`.
 *
 * @example
 * ```ts
 * const options: SourceOptions = { name: 'newsletter', confidentiality: 'public' };
 * ```
 */
export interface SourceOptions {
  /** The system that delivered the content. Shown to people and in the `from` attribute of the frame. @default none */
  readonly name?: string;
  /** The confidentiality of the content. The gate keeps private and secret content from leaving. @default 'private' */
  readonly confidentiality?: Confidentiality;
}

const MAX_NAME = 256;

export function checkedName(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  if (typeof name !== 'string' || name.length === 0 || name.length > MAX_NAME)
    throw new SallyportError(
      'ERR_INVALID_NAME',
      `The name of a source or tool must be a string of 1 to ${MAX_NAME} characters; received ${describeValue(name)}.`,
    );
  return name;
}

/**
 * The origin, the name and the confidentiality of content. Made only by `source()` and `defineTool()`: a JSON object
 * with the same fields is not a source, so content cannot claim one.
 *
 * @example
 * ```ts
 * const page: Source = source('external', { name: 'example.org' });
 * ```
 */
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
        `\`origin\` must be user, system, workspace, retrieved, external or unknown; received ${describeValue(origin)}. The model's own turns have no source.`,
      );
    const confidentiality = options.confidentiality ?? 'private';
    if (!isConfidentiality(confidentiality))
      throw new SallyportError(
        'ERR_INVALID_LABEL',
        `\`confidentiality\` must be 'public', 'private' or 'secret'; received ${describeValue(confidentiality)}.`,
      );
    this.origin = origin;
    this.confidentiality = confidentiality;
    this.name = checkedName(options.name);
    Object.freeze(this);
  }

  static is(value: unknown): value is Source {
    return typeof value === 'object' && value !== null && #made in value;
  }
}

/**
 * Makes a source for content that does not come from a declared tool.
 *
 * @example
 * ```ts
 * conversation.addContent({ content: page, source: source('external', { name: 'example.org' }) });
 * ```
 */
export function source(origin: SourceOrigin, options: SourceOptions = {}): Source {
  return new Source(origin, options);
}

/** The source of content whose origin the caller did not state. Framed and checked as external. */
export const UNKNOWN_SOURCE: Source = new Source('unknown');

export function labelOf(of: Source): Label {
  return Object.freeze({ integrity: of.origin, confidentiality: of.confidentiality });
}

/**
 * The origin of one part of a source's content. Media, files and links that a tool delivers were made by others, so
 * they are external even if the source itself is trusted.
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
