import { digestText } from '../base/digest.ts';
import { describeType, SallyportError } from '../base/errors.ts';
import { Limited, type LimitedPart } from '../record/limit.ts';
import {
  Classified,
  type ClassifierRunner,
  checkVerdict,
  EXEMPT,
  inOrder,
  isClassified,
  type Span,
  UNCHECKED,
  type Verdict,
} from './classifier.ts';
import { divideSpans, joinShort } from './joined-parts.ts';
import { viewOfPart } from './part-view.ts';

function checkLimited(limited: Limited, stage: string): void {
  if (!Limited.is(limited))
    throw new SallyportError(
      'ERR_STAGE_SKIPPED',
      `${stage}() takes the result of limit(); received ${describeType(limited)}.`,
    );
}

async function verdictFor(part: LimitedPart, recordId: string, runClassifier: ClassifierRunner): Promise<Verdict> {
  const { text, digest } = part;
  return checkVerdict(await runClassifier(text, digest, recordId, () => viewOfPart(part)), text.length);
}

function withSpans(verdict: Verdict, more: readonly Span[] | undefined): Verdict {
  if (verdict.type !== 'checked' || more === undefined) return verdict;
  return Object.freeze({ type: 'checked', spans: Object.freeze(inOrder([...verdict.spans, ...more])) });
}

/** Adds to the verdicts the spans of sentences that are divided over several short parts. */
async function withPieces(
  parts: readonly LimitedPart[],
  alone: readonly Verdict[],
  recordId: string,
  runClassifier: ClassifierRunner,
): Promise<readonly Verdict[]> {
  const verdicts = [...alone];
  const texts = parts.map(({ text }, index) => (alone[index]?.type === 'checked' ? text : undefined));
  for (const joined of joinShort(texts)) {
    const { text, pieces } = joined;
    const verdict = checkVerdict(await runClassifier(text, digestText(text), recordId), text.length);
    const divided = verdict.type === 'checked' ? divideSpans(joined, verdict.spans) : undefined;
    for (const { index } of pieces)
      verdicts[index] = divided === undefined ? verdict : withSpans(verdicts[index] as Verdict, divided.get(index));
  }
  return verdicts;
}

/**
 * Classifies every part of a record whose origin requires it.
 *
 * @example
 * ```ts
 * const classified = await classify(limit(recorded), runClassifier);
 * ```
 */
export async function classify(limited: Limited, runClassifier: ClassifierRunner): Promise<Classified> {
  checkLimited(limited, 'classify');
  const { recorded, parts } = limited;
  const needed = parts.map(({ part }) => isClassified(recorded.originOf(part)));
  const alone = await Promise.all(
    parts.map((part, index) => (needed[index] ? verdictFor(part, recorded.id, runClassifier) : EXEMPT)),
  );
  const verdicts = await withPieces(parts, alone, recorded.id, runClassifier);
  return new Classified(
    limited,
    parts.map((part, index) => Object.freeze({ limited: part, verdict: verdicts[index] as Verdict })),
  );
}

/**
 * Like `classify()`, with verdicts that you already have, one per part in order. A missing verdict is `unchecked`.
 *
 * @example
 * ```ts
 * const classified = classifyWith(limit(recorded), [{ type: 'checked', spans: [] }]);
 * ```
 */
export function classifyWith(limited: Limited, verdicts: readonly (Verdict | undefined)[]): Classified {
  checkLimited(limited, 'classifyWith');
  const parts = limited.parts.map((part, index) => {
    if (!isClassified(limited.recorded.originOf(part.part))) return Object.freeze({ limited: part, verdict: EXEMPT });
    const given = verdicts[index] ?? UNCHECKED.missing;
    return Object.freeze({ limited: part, verdict: checkVerdict(given, part.text.length) });
  });
  return new Classified(limited, parts);
}
