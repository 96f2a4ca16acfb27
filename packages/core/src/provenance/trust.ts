/**
 * Whose words a value is. `vouched`: they stand in what the developer, the user or the operator wrote. `own`: they stand
 * nowhere, the model found them itself. `pointed`: others wrote them, in what the user had pointed at. `open`: others wrote
 * them, in a place where nothing was flagged. `requested`: others wrote them where they ask for something to be done.
 * `suspect`: they stand in something that reads a little like an instruction to the model, or in what nobody checked.
 * `flagged`: they stand where somebody tries to instruct the model.
 */
export const TRUST_CLASSES = ['vouched', 'own', 'pointed', 'open', 'requested', 'suspect', 'flagged'] as const;

export type TrustClass = (typeof TRUST_CLASSES)[number];

/**
 * Who stands for a value: the words of the developer, the user or the operator; a field that a service itself writes; or a
 * person who has looked at it.
 */
export const VOUCHED_BY = ['words', 'field', 'person'] as const;

export type VouchedBy = (typeof VOUCHED_BY)[number];

export function isVouchedBy(value: unknown): value is VouchedBy {
  return (VOUCHED_BY as readonly unknown[]).includes(value);
}

export function isTrustClass(value: unknown): value is TrustClass {
  return (TRUST_CLASSES as readonly unknown[]).includes(value);
}

/** The worst of some standings; undefined when there is none. */
export function worstTrust(trustClasses: readonly (TrustClass | undefined)[]): TrustClass | undefined {
  let worst = -1;
  for (const trust of trustClasses) if (trust !== undefined) worst = Math.max(worst, TRUST_CLASSES.indexOf(trust));
  return TRUST_CLASSES[worst];
}

/** What stands behind words that are in a model's context. Bits, so that several places of the same words join. */
export const VOUCHED = 1;
/** In content of others in which nothing was flagged here. */
export const OPEN = 2;
/** Within a span that reads like an instruction to the model, or brought by a call that such a span chose. */
export const FLAGGED = 4;
/** Within a span that reads like it a little, or in content that nobody checked. */
export const SUSPECT = 8;

/** In a sentence of others that asks for something to be done. */
export const REQUESTED = 32;
/** In what the user had pointed at: a document he named, a mail of somebody he named. */
export const POINTED = 64;
/** In a field that a service writes by itself, brought by a call that trusted parties chose. */
export const FIELD = 16;

/** Words that stand partly in a flagged span were chosen by it, and so on down. */
export function worstBit(bits: number): number {
  return [FLAGGED, SUSPECT, REQUESTED, OPEN, POINTED].find((bit) => (bits & bit) !== 0) ?? bits;
}

const NAMES: ReadonlyMap<number, TrustClass> = new Map([
  [FLAGGED, 'flagged'],
  [SUSPECT, 'suspect'],
  [REQUESTED, 'requested'],
  [OPEN, 'open'],
  [POINTED, 'pointed'],
]);

/** The standing that a bit means; of words that stand nowhere it is 'own'. */
export function nameOf(bit: number): TrustClass {
  return NAMES.get(bit) ?? (bit === 0 ? 'own' : 'vouched');
}
