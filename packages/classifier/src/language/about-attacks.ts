import { FLAG_FENCE, FLAG_MENTION, FLAG_QUOTE, type Segments } from './segments.ts';

// Words that are frequent in a text about attacks on models. An attacker can write them too: the discounts below limit
// the gain, and a finding in quotation marks is still marked.
const TOPICS: readonly string[] = [
  'prompt[\\s-]?inject',
  'jailbreak',
  'adversarial',
  'attackers?|\\battacks?\\b',
  'red[\\s-]?team',
  'guardrail',
  'language model|\\bllms?\\b',
  'phishing',
  'malicious',
  'exploit',
];
const ABOUT = new RegExp(TOPICS.map((topic) => `(${topic})`).join('|'), 'gi');
const ENOUGH = 3;
const ENOUGH_TOPICS = 2;
const SHORT = 1200;
/**
 * The maximum number of words that are examined, and the distance around each: a text of such names must not take long.
 */
const MAX_LOOKS = 200;
const MAX_WORD = 40;

const QUOTED = 3;
const TOLD = 1.5;

// Characters of a word, an address, a path or a name in code.
const PART = /[\p{L}\p{N}\p{M}_/\\.@:=&?%#~+$-]/u;
const WORD = /^\p{L}[\p{L}\p{M}]*(?:[\s-][\p{L}\p{M}]+)*$/u;
const CAMEL_CASE = /\p{Ll}\p{Lu}/u;

/**
 * Checks that the word at a range is not part of an address, a path or a name: these do not show the topic of a text.
 */
function isAlone(text: string, start: number, end: number): boolean {
  let [from, to] = [start, end];
  while (from > start - MAX_WORD && PART.test(text.charAt(from - 1))) from--;
  while (to < end + MAX_WORD && PART.test(text.charAt(to))) to++;
  const word = text.slice(from, to).replace(/[.:?]+$/, '');
  return WORD.test(word) && !CAMEL_CASE.test(word);
}

/** Recognises a text about attacks by three such words, or two different ones in a short note. */
export function isAboutAttacks(text: string): boolean {
  const isShort = text.length < SHORT;
  const topics = new Set<number>();
  let met = 0;
  let looks = 0;
  for (const match of text.matchAll(ABOUT)) {
    if (++looks > MAX_LOOKS) return false;
    if (!isAlone(text, match.index, match.index + match[0].length)) continue;
    met++;
    topics.add(match.findIndex((group, index) => index > 0 && group !== undefined));
    if (isShort ? topics.size >= ENOUGH_TOPICS : met >= ENOUGH) return true;
  }
  return false;
}

export function isQuoted(flags: number): boolean {
  return (flags & (FLAG_MENTION | FLAG_QUOTE | FLAG_FENCE)) !== 0;
}

/** Lowers the log odds of the segments of a text about attacks, quoted ones more, because it reports attacks. */
export function discount(scores: Float32Array, segments: Segments): void {
  for (let i = 0; i < segments.count; i++)
    scores[i] = (scores[i] as number) - (isQuoted(segments.flags[i] as number) ? QUOTED : TOLD);
}
