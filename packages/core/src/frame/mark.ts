import { pointAt, subtractSpans } from '@sallyport/decode';
import { describeType, SallyportError } from '../base/errors.ts';
import { Classified, type ClassifiedPart, type Likelihood, type Span, type Verdict } from '../classify/classifier.ts';
import { findMarkers } from '../text/find-markers.ts';
import type { Vocabulary } from '../text/reserved-names.ts';

/**
 * A range of a text that the frame marks as a possible instruction; `quoted` is the stronger form. UTF-16 offsets,
 * `end` is exclusive.
 *
 * @example
 * ```ts
 * const mark: Mark = { start: 0, end: 32, kind: 'quoted', tag: 'role-override' };
 * ```
 */
export interface Mark {
  readonly start: number;
  readonly end: number;
  readonly kind: 'quoted' | 'marked';
  readonly tag: string;
}

/**
 * A part with its marks and escapes.
 *
 * @example
 * ```ts
 * const hasMarks = ({ marks }: QuotedPart) => marks.length > 0;
 * ```
 */
export interface QuotedPart {
  readonly classified: ClassifiedPart;
  readonly marks: readonly Mark[];
  /** Offsets of the code points to escape. */
  readonly markers: readonly number[];
}

/**
 * The result of `quote()`: the marks and escapes of each part of a record.
 *
 * @example
 * ```ts
 * const quoted: Quoted = quote(classified, vocabularyFor(['mr_body']));
 * ```
 */
export class Quoted {
  readonly #made = true;
  readonly type = 'quoted';
  readonly classified: Classified;
  readonly parts: readonly QuotedPart[];
  /** The section names of the application that were reserved. */
  readonly sections: readonly string[];

  constructor(classified: Classified, parts: readonly QuotedPart[], sections: readonly string[]) {
    this.classified = classified;
    this.parts = Object.freeze(parts);
    this.sections = sections;
    Object.freeze(this);
  }

  static is(value: unknown): value is Quoted {
    return typeof value === 'object' && value !== null && #made in value;
  }
}

function kindOf(likelihood: Likelihood): Mark['kind'] | undefined {
  switch (likelihood) {
    case 'high':
      return 'quoted';
    case 'medium':
      return 'marked';
    case 'low':
    case 'none':
      return undefined;
  }
}

function isInsidePair(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xdc00 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800;
}

/** Marks of one kind, sorted and without overlaps. A merged mark keeps the tag of its first span. */
function merge(text: string, spans: readonly Span[], kind: Mark['kind']): Mark[] {
  const merged: Mark[] = [];
  for (const span of spans) {
    if (kindOf(span.likelihood) !== kind) continue;
    const start = isInsidePair(text, span.start) ? span.start - 1 : span.start;
    const end = isInsidePair(text, span.end) ? span.end + 1 : span.end;
    const last = merged.at(-1);
    if (last !== undefined && start < last.end) merged[merged.length - 1] = { ...last, end: Math.max(last.end, end) };
    else merged.push({ start, end, kind, tag: span.tag });
  }
  return merged;
}

const QUOTE = 34;
const BACKSLASH = 92;

function tokenLength(text: string, at: number): number {
  if (text.charCodeAt(at) === BACKSLASH) return text[at + 1] === 'u' ? 6 : 2;
  return pointAt(text, at) > 0xffff ? 2 : 1;
}

/** The ranges of a JSON text that are inside string literals. An escape is never split. */
function* literalTokens(text: string): Generator<{ start: number; end: number }> {
  let inside = false;
  for (let at = 0; at < text.length; ) {
    const isQuote = text.charCodeAt(at) === QUOTE;
    if (isQuote) inside = !inside;
    const end = inside && !isQuote ? Math.min(at + tokenLength(text, at), text.length) : at + 1;
    if (inside && !isQuote) yield { start: at, end };
    at = end;
  }
}

function extend(clipped: Mark[], mark: Mark, start: number, end: number): void {
  const last = clipped.at(-1);
  if (last?.end === start && last.tag === mark.tag && last.kind === mark.kind)
    clipped[clipped.length - 1] = { ...last, end };
  else clipped.push({ ...mark, start, end });
}

/**
 * Restricts the marks of a JSON text to its string literals and to the borders of escapes. A tag outside a string would
 * make the text invalid as JSON, and a tag inside an escape would change the value.
 */
function clipToStrings(text: string, marks: readonly Mark[]): Mark[] {
  const clipped: Mark[] = [];
  let next = 0;
  if (marks.length === 0) return clipped;
  for (const { start, end } of literalTokens(text)) {
    while (next < marks.length && (marks[next] as Mark).end <= start) next++;
    const mark = marks[next];
    if (mark === undefined) break;
    if (mark.start < end) extend(clipped, mark, start, end);
  }
  return clipped;
}

/** The marks of a verdict. Unchecked content has none: its frame says that it was not checked. */
export function marksOf(text: string, verdict: Verdict, isJson: boolean): readonly Mark[] {
  if (verdict.type !== 'checked' || verdict.spans.length === 0) return [];
  const strong = merge(text, verdict.spans, 'quoted');
  const weak = subtractSpans(merge(text, verdict.spans, 'marked'), strong);
  const marks = [...strong, ...weak].sort((one, other) => one.start - other.start);
  return isJson ? clipToStrings(text, marks) : marks;
}

/**
 * Decides where marks and escapes go in each part. The content itself is not changed.
 *
 * @example
 * ```ts
 * const quoted = quote(await classify(limited, runClassifier), vocabularyFor());
 * ```
 */
export function quote(classified: Classified, vocabulary: Vocabulary): Quoted {
  if (!Classified.is(classified))
    throw new SallyportError(
      'ERR_STAGE_SKIPPED',
      `quote() takes the result of classify() or classifyWith(); received ${describeType(classified)}.`,
    );
  const parts = classified.parts.map((part) => quotePart(part, vocabulary));
  return new Quoted(classified, parts, vocabulary.sections);
}

export function quotePart(classified: ClassifiedPart, vocabulary: Vocabulary): QuotedPart {
  const { text, part, cut } = classified.limited;
  // After a gap it is unknown whether a quote opens or closes a string, so the marks stay where they are.
  const isJson = part.type === 'json' && (cut === undefined || cut.at === text.length);
  const marks = marksOf(text, classified.verdict, isJson);
  const positions = [...marks.flatMap(({ start, end }) => [start, end]), ...(cut === undefined ? [] : [cut.at])];
  const breaks = positions.length === 0 ? undefined : new Set(positions);
  return Object.freeze({ classified, marks, markers: findMarkers(text, vocabulary, { breaks }) });
}
