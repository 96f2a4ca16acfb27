/**
 * Where the words of a value come from, best first:
 *
 * - `vouched`: the user, the operator or a service itself wrote them, or the developer listed them.
 * - `own`: they occur nowhere; the model chose them itself.
 * - `open`: untrusted content in which nothing was flagged.
 * - `requested`: a request in untrusted content.
 * - `suspect`: content that may be an instruction to the model, or that was not checked.
 * - `flagged`: an instruction to the model in untrusted content, or a search that ended at its limit.
 *
 * @example
 * ```ts
 * const isWorse = TRUST_CLASSES.indexOf(one) > TRUST_CLASSES.indexOf(other);
 * ```
 */
export const TRUST_CLASSES = ['vouched', 'own', 'open', 'requested', 'suspect', 'flagged'] as const;

/**
 * The trust class of a value; see `TRUST_CLASSES`.
 *
 * @example
 * ```ts
 * const worst: TrustClass = decision.evidence[0]?.trust ?? 'own';
 * ```
 */
export type TrustClass = (typeof TRUST_CLASSES)[number];

/**
 * Who vouches for a value: the words of the developer, the user or the operator (`words`); a field that a service itself writes
 * (`field`); or a person who approved it (`person`).
 *
 * @example
 * ```ts
 * const counts = VOUCHED_BY.map((by) => decision.arguments.filter((each) => each.provenance.vouchedBy === by).length);
 * ```
 */
export const VOUCHED_BY = ['words', 'field', 'person'] as const;

export type VouchedBy = (typeof VOUCHED_BY)[number];

export function isVouchedBy(value: unknown): value is VouchedBy {
  return (VOUCHED_BY as readonly unknown[]).includes(value);
}

export function isTrustClass(value: unknown): value is TrustClass {
  return (TRUST_CLASSES as readonly unknown[]).includes(value);
}

/** The worst of some trust classes; undefined if there is none. */
export function worstTrust(trustClasses: readonly (TrustClass | undefined)[]): TrustClass | undefined {
  let worst = -1;
  for (const trust of trustClasses) if (trust !== undefined) worst = Math.max(worst, TRUST_CLASSES.indexOf(trust));
  return TRUST_CLASSES[worst];
}

/** The trust of words that a model has read, as bits, so that several occurrences of the same words can be combined. */
export const VOUCHED = 1;
/** In untrusted content, where nothing was flagged. */
export const OPEN = 2;
/** In a span that is an instruction to the model, or in the result of a call that such a span chose. */
export const FLAGGED = 4;
/** In a span that may be an instruction to the model, or in content that was not checked. */
export const SUSPECT = 8;

/** In a request in untrusted content. */
export const REQUESTED = 32;
/** In a field that a service writes itself, in the result of a call that trusted sources chose. */
export const FIELD = 16;

/** The worst of some bits: words that are partly in a flagged span count as flagged, and so on down. */
export function worstBit(bits: number): number {
  return [FLAGGED, SUSPECT, REQUESTED, OPEN].find((bit) => (bits & bit) !== 0) ?? bits;
}

const NAMES: ReadonlyMap<number, TrustClass> = new Map([
  [FLAGGED, 'flagged'],
  [SUSPECT, 'suspect'],
  [REQUESTED, 'requested'],
  [OPEN, 'open'],
]);

/** The trust class of a bit; `own` for words that occur nowhere. */
export function nameOf(bit: number): TrustClass {
  return NAMES.get(bit) ?? (bit === 0 ? 'own' : 'vouched');
}
