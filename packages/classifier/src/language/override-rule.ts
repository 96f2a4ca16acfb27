import { CLASSES, type WordClass } from './lexicon.ts';
import { DENSE_OVERRIDE, isNegated } from './override-phrases.ts';
import { PhraseReader } from './override-reader.ts';
import type { Segments } from './segments.ts';
import { applyShapes, type ShapeTag } from './shapes.ts';
import { asRead } from './unfold.ts';

/** Log odds that the phrase adds to the model's score, and the lowest score of a segment with it. */
const WORTH = 8;
const FLOOR = 9;

const [OVERRIDES, EARLIER, ORDERS] = (['override', 'earlier', 'order'] satisfies WordClass[]).map(
  (name) => 1 << CLASSES.indexOf(name),
) as [number, number, number];

/**
 * A quick check of word classes: two of the three must occur before the sentence is searched, since the verb may be in
 * the next line.
 */
function mayBegin(classes: number): boolean {
  const met =
    Number((classes & OVERRIDES) !== 0) + Number((classes & EARLIER) !== 0) + Number((classes & ORDERS) !== 0);
  return met > 1;
}

// Thai, Japanese, Chinese and Korean.
const DENSE = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]/;

/** The number of units that the phrase may extend into the next line. */
const REACH = 80;

// Emphasis, quotes, brackets, tags and line breaks between the words do not change the meaning.
const SIGNS = /(?:<\/?[a-z!][^<>]{0,80}>|[\s*_~`"\u201c\u201d\u00ab\u00bb()[\]{}>|,\u2013\u2014-])+/gi;

function clean(text: string): string {
  return asRead(text).normalize('NFC').replaceAll('\u2019', "'").replace(SIGNS, ' ');
}

/**
 * Looks for a phrase that begins among the first `own` units and is not negated. A negated one does not hide the next.
 */
function saysDensely(text: string, own: number): boolean {
  for (const { index, 0: found } of text.matchAll(DENSE_OVERRIDE)) {
    if (index >= own) return false;
    if (!isNegated(text.slice(0, index), found, text.slice(index + found.length))) return true;
  }
  return false;
}

const reader = new PhraseReader();

/** Raises the segments that explicitly set earlier instructions aside. `classes` are the word classes of each. */
export function applyRules(
  text: string,
  segments: Segments,
  classes: Int32Array,
  scores: Float32Array,
): ReadonlyMap<number, ShapeTag> {
  for (let i = 0; i < segments.count; i++) {
    const [start, end] = [segments.starts[i] as number, segments.ends[i] as number];
    const languages = reader.languagesIn(text, start, end);
    const isDense = mayBegin(classes[i] as number) && DENSE.test(text.slice(start, end));
    if (languages === 0 && !isDense) continue;
    const [cleaned, own] = [clean(text.slice(start, end + REACH)), clean(text.slice(start, end)).length];
    const strength = isDense && saysDensely(cleaned, own) ? 'says' : reader.read(cleaned, own, languages);
    const score = scores[i] as number;
    if (strength === 'says') scores[i] = Math.max(score + WORTH, FLOOR);
    else if (strength === 'perhaps') scores[i] = score + WORTH;
  }
  return applyShapes(text, segments, classes, scores);
}
