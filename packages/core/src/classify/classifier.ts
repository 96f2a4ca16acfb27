import type { TextView } from '@sallyport/decode';
import type { AbortSignalLike } from '../base/time-limit.ts';
import type { SourceOrigin } from '../label/source.ts';
import type { Limited, LimitedPart } from '../record/limit.ts';

/**
 * The likelihoods that a span is an instruction to the model, lowest first.
 *
 * @example
 * ```ts
 * const isAtLeast = (one: Likelihood, other: Likelihood) => LIKELIHOODS.indexOf(one) >= LIKELIHOODS.indexOf(other);
 * ```
 */
export const LIKELIHOODS = ['none', 'low', 'medium', 'high'] as const;

/**
 * One of `LIKELIHOODS`.
 *
 * @example
 * ```ts
 * const likelihood: Likelihood = 'high';
 * ```
 */
export type Likelihood = (typeof LIKELIHOODS)[number];

/**
 * A range of the classified text, in UTF-16 offsets; `end` is exclusive.
 *
 * @example
 * ```ts
 * const span: Span = { start: 0, end: 32, likelihood: 'high', tag: 'role-override' };
 * ```
 */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly likelihood: Likelihood;
  /** A short name of lower-case letters, digits and hyphens: `role-override`, `exfiltration`, `obfuscated`. */
  readonly tag: string;
  /**
   * Set when the span requests an action. `likelihood` is about instructions to the model: a request between people has
   * `asks: true` and the likelihood `none`. @default false
   */
  readonly asks?: boolean;
}

/** The spans that request an action. */
export function requestsAmong(spans: readonly Span[]): readonly Span[] {
  return spans.filter(({ asks }) => asks === true);
}

/**
 * The interface of a classifier, for your own implementations. The version is a literal, so that later versions can be
 * told apart.
 *
 * @example
 * ```ts
 * const classifier: ClassifierV1 = {
 *   specificationVersion: 'v1',
 *   id: 'keyword-1',
 *   doClassify({ text }) {
 *     const start = text.indexOf('ignore previous instructions');
 *     return { spans: start < 0 ? [] : [{ start, end: start + 28, likelihood: 'high', tag: 'role-override' }] };
 *   },
 * };
 * const boundary = createBoundary({ classifier });
 * ```
 */
export interface ClassifierV1 {
  readonly specificationVersion: 'v1';
  /** The name and version of the model. Verdicts are cached under it. */
  readonly id: string;
  /**
   * Loads what the classifier needs. It is awaited once, before the first text, and does not count towards the time
   * limit of a text. If it fails, the text is unchecked, and the next text calls it again. @default no preparation
   */
  prepare?(): Promise<void>;
  doClassify(input: {
    readonly text: string;
    readonly signal: AbortSignalLike;
    /** The decoded readings of the text, computed once. @default use `readView(text)` of `@sallyport/core/text` */
    readonly view?: () => TextView;
  }): ClassifierResult | PromiseLike<ClassifierResult>;
}

/**
 * The result of a classifier: the spans that may be instructions to the model. No spans means that the text is clean.
 *
 * @example
 * ```ts
 * const clean: ClassifierResult = { spans: [] };
 * ```
 */
export interface ClassifierResult {
  readonly spans: readonly Span[];
}

/**
 * The reason for a missing verdict: no classifier, too slow, an exception, or a malformed result. Unchecked is never
 * clean.
 *
 * @example
 * ```ts
 * const reason: UncheckedReason = 'timeout';
 * ```
 */
export type UncheckedReason = 'missing' | 'timeout' | 'error' | 'invalid';

/**
 * The verdict on one text.
 *
 * @example
 * ```ts
 * const isClean = (verdict: Verdict) => verdict.type === 'checked' && verdict.spans.length === 0;
 * ```
 */
export type Verdict =
  | { readonly type: 'checked'; readonly spans: readonly Span[] }
  | { readonly type: 'unchecked'; readonly reason: UncheckedReason }
  /** Text of the operator or the user, which is not classified. */
  | { readonly type: 'exempt' };

/**
 * A part and the verdict on it.
 *
 * @example
 * ```ts
 * const isUnchecked = ({ verdict }: ClassifiedPart) => verdict.type === 'unchecked';
 * ```
 */
export interface ClassifiedPart {
  readonly limited: LimitedPart;
  readonly verdict: Verdict;
}

/**
 * The result of `classify()`: a record with a verdict on each part.
 *
 * @example
 * ```ts
 * const classified: Classified = await classify(limited, runClassifier);
 * ```
 */
export class Classified {
  readonly #made = true;
  readonly type = 'classified';
  readonly limited: Limited;
  readonly parts: readonly ClassifiedPart[];

  constructor(limited: Limited, parts: readonly ClassifiedPart[]) {
    this.limited = limited;
    this.parts = Object.freeze(parts);
    Object.freeze(this);
  }

  static is(value: unknown): value is Classified {
    return typeof value === 'object' && value !== null && #made in value;
  }
}

const TAG = /^[a-z0-9-]{1,40}$/;

/** A checked copy of one span. Each field is read once: a getter could return something else after the check. */
function readSpan(input: unknown, length: number): Span | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const { start, end, likelihood, tag, asks } = input as Span;
  if (!Number.isInteger(start) || !Number.isInteger(end) || start < 0 || end <= start || end > length) return undefined;
  if (!LIKELIHOODS.includes(likelihood) || typeof tag !== 'string' || !TAG.test(tag)) return undefined;
  if (asks !== undefined && typeof asks !== 'boolean') return undefined;
  return Object.freeze({ start, end, likelihood, tag, ...(asks === true && { asks }) });
}

/** Spans in the order of the text. */
export function inOrder(spans: readonly Span[]): Span[] {
  return spans.toSorted((one, other) => one.start - other.start || one.end - other.end);
}

/**
 * Copies the result of a classifier. One malformed span makes the whole result invalid: it may be the important one.
 */
export function readVerdict(result: unknown, length: number): Verdict {
  const spans = (result as ClassifierResult | undefined | null)?.spans;
  if (!Array.isArray(spans)) return UNCHECKED.invalid;
  const copies = spans.map((span) => readSpan(span, length));
  if (copies.includes(undefined)) return UNCHECKED.invalid;
  return Object.freeze({ type: 'checked', spans: Object.freeze(inOrder(copies as Span[])) });
}

/** Checks the result of a runner. Everything except a well-formed `checked` verdict becomes `unchecked`. */
export function checkVerdict(given: unknown, length: number): Verdict {
  const { type, reason } = (given ?? {}) as { type?: unknown; reason?: unknown };
  if (type === 'checked') return readVerdict(given, length);
  const isReason = type === 'unchecked' && typeof reason === 'string' && Object.hasOwn(UNCHECKED, reason);
  return UNCHECKED[isReason ? (reason as UncheckedReason) : 'invalid'];
}

export const UNCHECKED: Readonly<Record<UncheckedReason, Verdict>> = Object.freeze({
  missing: Object.freeze({ type: 'unchecked', reason: 'missing' }),
  timeout: Object.freeze({ type: 'unchecked', reason: 'timeout' }),
  error: Object.freeze({ type: 'unchecked', reason: 'error' }),
  invalid: Object.freeze({ type: 'unchecked', reason: 'invalid' }),
});

/** The verdict on text of the operator or the user. */
export const EXEMPT: Verdict = Object.freeze({ type: 'exempt' });

/** True for content that is classified: any that is not of the operator or the user. */
export function isClassified(origin: SourceOrigin): boolean {
  switch (origin) {
    case 'user':
    case 'system':
      return false;
    case 'workspace':
    case 'retrieved':
    case 'external':
    case 'unknown':
      return true;
  }
}

/**
 * Returns the verdict on one text. It never throws, and returns `checked` only if a classifier checked the text.
 *
 * @example
 * ```ts
 * const runClassifier: ClassifierRunner = () => ({ type: 'unchecked', reason: 'missing' });
 * ```
 */
export type ClassifierRunner = (
  text: string,
  digest: string,
  recordId?: string,
  view?: () => TextView,
) => Verdict | Promise<Verdict>;
