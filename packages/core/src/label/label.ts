import { describeType, SallyportError } from '../base/errors.ts';

/**
 * The origins of content, most trusted first. The order is the integrity lattice: joining two origins gives the later.
 *
 * @example
 * ```ts
 * const isOrigin = (value: string) => (ORIGINS as readonly string[]).includes(value);
 * ```
 */
export const ORIGINS = ['policy', 'user', 'system', 'workspace', 'retrieved', 'external', 'unknown'] as const;
/**
 * The levels of confidentiality, least sensitive first. Joining two gives the later.
 *
 * @example
 * ```ts
 * const isSecret = (label: Label) => CONFIDENTIALITIES.indexOf(label.confidentiality) >= 2;
 * ```
 */
export const CONFIDENTIALITIES = ['public', 'private', 'secret'] as const;

/**
 * The origin of content: one of `ORIGINS`.
 *
 * @example
 * ```ts
 * const origin: Origin = 'external';
 * ```
 */
export type Origin = (typeof ORIGINS)[number];

/**
 * The confidentiality of content: one of `CONFIDENTIALITIES`.
 *
 * @example
 * ```ts
 * const inbox = source('external', { name: 'inbox', confidentiality: 'private' });
 * ```
 */
export type Confidentiality = (typeof CONFIDENTIALITIES)[number];

/**
 * The trust label of content: its origin (`integrity`) and its confidentiality. Every record and every source has one.
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

/** The top of the lattice: joining with it changes nothing. Content that was derived from no record has this label. */
export const HIGHEST: Label = Object.freeze({ integrity: 'policy', confidentiality: 'public' });
/** The bottom of the lattice: used if a label is missing or unreadable. */
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
 * Joins labels: the lowest integrity and the highest confidentiality of all. No function raises a label. Only a
 * person's logged decision does, and it makes a new record.
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
 * True if `lower` is at most as trusted and at least as confidential as `upper`.
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
 * True for the origins whose text vouches for an argument of a call that repeats it: the developer, the user and the
 * operator's own systems.
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
