import { SallyportError } from '../base/errors.ts';

/** Where bytes came from, most trusted first. The order is the integrity lattice: a chain, joined towards its end. */
export const ORIGINS = ['policy', 'user', 'system', 'workspace', 'retrieved', 'external', 'unknown'] as const;
/** Who may learn the bytes, least sensitive first; joined towards its end. */
export const CONFIDENTIALITIES = ['public', 'private', 'secret'] as const;

export type Origin = (typeof ORIGINS)[number];
export type Confidentiality = (typeof CONFIDENTIALITIES)[number];

/** What is known about a value: whose words it holds, and who may see them. */
export interface Label {
  readonly integrity: Origin;
  readonly confidentiality: Confidentiality;
}

/** The top of the lattice: joining with it changes nothing. Only an empty derivation has this label. */
export const HIGHEST: Label = Object.freeze({ integrity: 'policy', confidentiality: 'public' });
/** The bottom of the lattice: what an absent or unreadable label is read as. */
export const LOWEST: Label = Object.freeze({ integrity: 'unknown', confidentiality: 'secret' });

export function isOrigin(value: unknown): value is Origin {
  return (ORIGINS as readonly unknown[]).includes(value);
}

export function isConfidentiality(value: unknown): value is Confidentiality {
  return (CONFIDENTIALITIES as readonly unknown[]).includes(value);
}

/** The least trusted of two origins. */
export function lowerOrigin(one: Origin, other: Origin): Origin {
  return ORIGINS.indexOf(one) >= ORIGINS.indexOf(other) ? one : other;
}

function moreConfidential(one: Confidentiality, other: Confidentiality): Confidentiality {
  return CONFIDENTIALITIES.indexOf(one) >= CONFIDENTIALITIES.indexOf(other) ? one : other;
}

/**
 * Joins labels: lowest integrity, highest confidentiality. There is no function that goes the other way: a label rises
 * only by a person's logged endorsement, which makes a new record.
 */
export function joinLabels(labels: Iterable<Label>): Label {
  let lowest: Origin = HIGHEST.integrity;
  let highest: Confidentiality = HIGHEST.confidentiality;
  for (const label of labels) {
    const { integrity, confidentiality } = label ?? {};
    if (!isOrigin(integrity) || !isConfidentiality(confidentiality))
      throw new SallyportError('ERR_INVALID_LABEL', 'A label needs an integrity and a confidentiality of the lattice.');
    lowest = lowerOrigin(lowest, integrity);
    highest = moreConfidential(highest, confidentiality);
  }
  const isTop = lowest === HIGHEST.integrity && highest === HIGHEST.confidentiality;
  return isTop ? HIGHEST : Object.freeze({ integrity: lowest, confidentiality: highest });
}

/** Whether `lower` is at most as trusted and at least as confidential as `upper`. */
export function isAtMost(lower: Label, upper: Label): boolean {
  const joined = joinLabels([lower, upper]);
  return joined.integrity === lower.integrity && joined.confidentiality === lower.confidentiality;
}

/** Whether an origin's words count as vouching for a call's argument. Total over the lattice: no default arm. */
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
