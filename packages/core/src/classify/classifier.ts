import { SallyportError } from '../base/errors.ts';
import type { SourceOrigin } from '../label/source.ts';
import { Limited, type LimitedPart } from '../record/limit.ts';
import type { TextView } from '../text/view/view.ts';
import { viewOfPart } from './part-view.ts';

/** How likely a span is an instruction aimed at the model, least first. */
export const LIKELIHOODS = ['none', 'low', 'medium', 'high'] as const;
export type Likelihood = (typeof LIKELIHOODS)[number];

/** A stretch of the classified text, in UTF-16 offsets of that text: `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly likelihood: Likelihood;
  /** A short name of lower-case letters, digits and hyphens: `role-override`, `exfiltration`, `obfuscated`. */
  readonly tag: string;
}

/** What others implement. The version is literal, so that a later one can stand beside it. */
export interface ClassifierV1 {
  readonly specificationVersion: 'v1';
  /** Names model and version: verdicts are cached under it. */
  readonly id: string;
  /**
   * Loads what the classifier needs. It is awaited once, before the first text, and does not count towards the time limit of a
   * text. When it fails, the text is unchecked, and the next text calls it again. @default nothing to load
   */
  prepare?(): Promise<void>;
  doClassify(input: {
    readonly text: string;
    readonly signal: AbortSignalLike;
    /** The text without its disguises, read once for everyone who asks. @default not read yet: `readView(text)` of `@sallyport/core/text` */
    readonly view?: () => TextView;
  }): ClassifierResult | PromiseLike<ClassifierResult>;
}

export interface ClassifierResult {
  readonly spans: readonly Span[];
}

/** The part of the platform's AbortSignal that a classifier needs; core itself has no platform. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
}

/** Why there is no verdict. None of these is ever read as clean. */
export type UncheckedReason = 'missing' | 'timeout' | 'error' | 'invalid';

export type Verdict =
  | { readonly type: 'checked'; readonly spans: readonly Span[] }
  | { readonly type: 'unchecked'; readonly reason: UncheckedReason }
  /** The operator's and the user's own words: there is nothing to find in them. */
  | { readonly type: 'exempt' };

export interface ClassifiedPart {
  readonly limited: LimitedPart;
  readonly verdict: Verdict;
}

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

/** A clean copy of one span, read once: a getter could change its answer after the check. */
function readSpan(input: unknown, length: number): Span | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const { start, end, likelihood, tag } = input as Span;
  if (!Number.isInteger(start) || !Number.isInteger(end) || start < 0 || end <= start || end > length) return undefined;
  if (!LIKELIHOODS.includes(likelihood) || typeof tag !== 'string' || !TAG.test(tag)) return undefined;
  return Object.freeze({ start, end, likelihood, tag });
}

/** Copies a result from an untrusted place. One bad span and the whole of it is invalid: it may be the one that counts. */
export function readVerdict(result: unknown, length: number): Verdict {
  const spans = (result as ClassifierResult | undefined | null)?.spans;
  if (!Array.isArray(spans)) return UNCHECKED.invalid;
  const copies = spans.map((span) => readSpan(span, length));
  if (copies.includes(undefined)) return UNCHECKED.invalid;
  const sorted = (copies as Span[]).sort((one, other) => one.start - other.start || one.end - other.end);
  return Object.freeze({ type: 'checked', spans: Object.freeze(sorted) });
}

/** What a judge says of outside content. Anything but a well-formed `checked` is one of the ways of not having looked. */
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

/** The verdict on the operator's and the user's own words. */
export const EXEMPT: Verdict = Object.freeze({ type: 'exempt' });

/** Whose content is classified: everything that was not said by the operator or the user. */
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

/** Gives a verdict on one text, never throws, and never answers `checked` unless a classifier did. */
export type ClassifierRunner = (
  text: string,
  digest: string,
  recordId?: string,
  view?: () => TextView,
) => Verdict | Promise<Verdict>;

async function verdictOn(part: LimitedPart, recordId: string, judge: ClassifierRunner): Promise<Verdict> {
  const { text, digest } = part;
  return checkVerdict(await judge(text, digest, recordId, () => viewOfPart(part)), text.length);
}

/** Runs the judge over every part that needs it. */
export async function classify(limited: Limited, judge: ClassifierRunner): Promise<Classified> {
  if (!Limited.is(limited)) throw new SallyportError('ERR_STAGE_SKIPPED', 'classify() takes what limit() gives.');
  const parts = await Promise.all(
    limited.parts.map(async (part) => {
      const needed = isClassified(limited.recorded.originOf(part.part));
      return Object.freeze({
        limited: part,
        verdict: needed ? await verdictOn(part, limited.recorded.id, judge) : EXEMPT,
      });
    }),
  );
  return new Classified(limited, parts);
}

/** Takes verdicts that are already there, one per part. A missing one is `unchecked`. */
export function classifyWith(limited: Limited, verdicts: readonly (Verdict | undefined)[]): Classified {
  if (!Limited.is(limited)) throw new SallyportError('ERR_STAGE_SKIPPED', 'classifyWith() takes what limit() gives.');
  const parts = limited.parts.map((part, index) => {
    if (!isClassified(limited.recorded.originOf(part.part))) return Object.freeze({ limited: part, verdict: EXEMPT });
    const given = verdicts[index] ?? UNCHECKED.missing;
    return Object.freeze({ limited: part, verdict: checkVerdict(given, part.text.length) });
  });
  return new Classified(limited, parts);
}
