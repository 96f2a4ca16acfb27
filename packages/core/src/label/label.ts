import { describeType, SallyportError } from '../base/errors.ts';

/**
 * Where content can come from, most trusted first. The order is the integrity lattice: joining two origins gives the later.
 *
 * @example
 * ```ts
 * const isOrigin = (value: string) => (ORIGINS as readonly string[]).includes(value);
 * ```
 */
export const ORIGINS = ['policy', 'user', 'system', 'workspace', 'retrieved', 'external', 'unknown'] as const;
/**
 * Who may see content, least sensitive first. Joining two gives the later.
 *
 * @example
 * ```ts
 * const isSecret = (label: Label) => CONFIDENTIALITIES.indexOf(label.confidentiality) >= 2;
 * ```
 */
export const CONFIDENTIALITIES = ['public', 'private', 'secret'] as const;

/**
 * Where content came from: one of `ORIGINS`.
 *
 * @example
 * ```ts
 * const origin: Origin = 'external';
 * ```
 */
export type Origin = (typeof ORIGINS)[number];

/**
 * Who may see content: one of `CONFIDENTIALITIES`.
 *
 * @example
 * ```ts
 * const inbox = source('external', { name: 'inbox', confidentiality: 'private' });
 * ```
 */
export type Confidentiality = (typeof CONFIDENTIALITIES)[number];

/**
 * What is known about content: where it came from (`integrity`) and who may see it (`confidentiality`).
 *
 * @example
 * ```ts
 * const label: Label = { integrity: 'external', confidentiality: 'private' };
 * ```
 */
export interface Label {
  readonly integrity: Origin;
  readonly confidentiality: Confidentiality;
}

/** The top of the lattice: joining with it changes nothing. The label of content that was derived from nothing. */
export const HIGHEST: Label = Object.freeze({ integrity: 'policy', confidentiality: 'public' });
/** The bottom of the lattice: used in place of a missing or unreadable label. */
export const LOWEST: Label = Object.freeze({ integrity: 'unknown', confidentiality: 'secret' });

export function isOrigin(value: unknown): value is Origin {
  return (ORIGINS as readonly unknown[]).includes(value);
}

export function isConfidentiality(value: unknown): value is Confidentiality {
  return (CONFIDENTIALITIES as readonly unknown[]).includes(value);
}

/** The less trusted of two origins. */
export function lowerOrigin(one: Origin, other: Origin): Origin {
  return ORIGINS.indexOf(one) >= ORIGINS.indexOf(other) ? one : other;
}

function moreConfidential(one: Confidentiality, other: Confidentiality): Confidentiality {
  return CONFIDENTIALITIES.indexOf(one) >= CONFIDENTIALITIES.indexOf(other) ? one : other;
}

/**
 * Joins labels: the lowest integrity and the highest confidentiality of all. No function raises a label: only a person's
 * logged decision does that, and it makes a new record.
 *
 * @example
 * ```ts
 * const label = joinLabels(records.map((record) => record.label));
 * ```
 */
export function joinLabels(labels: Iterable<Label>): Label {
  let lowest: Origin = HIGHEST.integrity;
  let highest: Confidentiality = HIGHEST.confidentiality;
  for (const label of labels) {
    const { integrity, confidentiality } = label ?? {};
    if (!isOrigin(integrity) || !isConfidentiality(confidentiality))
      throw new SallyportError(
        'ERR_INVALID_LABEL',
        `A label must be { integrity, confidentiality }, one of ${ORIGINS.join(', ')} and one of ${CONFIDENTIALITIES.join(', ')}; received ${describeType(label)}.`,
      );
    lowest = lowerOrigin(lowest, integrity);
    highest = moreConfidential(highest, confidentiality);
  }
  const isTop = lowest === HIGHEST.integrity && highest === HIGHEST.confidentiality;
  return isTop ? HIGHEST : Object.freeze({ integrity: lowest, confidentiality: highest });
}

/**
 * Whether `lower` is at most as trusted and at least as confidential as `upper`.
 *
 * @example
 * ```ts
 * const external: Label = { integrity: 'external', confidentiality: 'private' };
 * isAtMost(external, { integrity: 'user', confidentiality: 'public' }); // true
 * ```
 */
export function isAtMost(lower: Label, upper: Label): boolean {
  const joined = joinLabels([lower, upper]);
  return joined.integrity === lower.integrity && joined.confidentiality === lower.confidentiality;
}

/**
 * Whether text of this origin vouches for the argument of a call that repeats it. Only the developer, the user and the
 * operator's own systems do.
 *
 * @example
 * ```ts
 * vouches('user'); // true
 * vouches('external'); // false
 * ```
 */
export function vouches(origin: Origin): boolean {
  switch (origin) {
    case 'policy':
    case 'user':
    case 'system':
      return true;
    case 'workspace':
    case 'retrieved':
    case 'external':
    case 'unknown':
      return false;
  }
}
