import { quotationsIn, type Range } from './quotations.ts';
import { actWordsIn } from './requests.ts';
import { type Sentence, sentencesOf } from './sentences.ts';
import { type WordMatch, WordMatcher } from './word-matcher.ts';
import { ACTS, KINDS } from './words/act-words.ts';
import { LANGUAGES } from './words/languages.ts';

/**
 * A text in four parts of the same length as the text. What does not belong to a part is blank in it, so that offsets stay valid;
 * line breaks stay.
 */
export interface OwnWords {
  /** What the user says for themselves. */
  readonly own: string;
  /** What the user asks about. */
  readonly mentioned: string;
  /** What the user forbids. */
  readonly forbidden: string;
  /** What the user quotes: quoted lines, forwarded mails, long quotations. */
  readonly quoted: string;
}

type Role = 'prohibition' | 'late' | 'exception' | 'contrast' | 'request' | `negation ${string}` | `act ${string}`;

let roles: WordMatcher<Role> | undefined;

function roleMatcher(): WordMatcher<Role> {
  if (roles !== undefined) return roles;
  roles = new WordMatcher<Role>();
  for (const words of LANGUAGES) {
    const { matching, language, negations = [] } = words;
    roles.add(matching, words.prohibitions ?? [], 'prohibition');
    roles.add(matching, words.lateProhibitions ?? [], 'late');
    roles.add(matching, words.exceptions ?? [], 'exception');
    roles.add(matching, words.contrasts ?? [], 'contrast');
    roles.add(matching, words.requests, 'request');
    if (negations.length === 0) continue;
    roles.add(matching, negations, `negation ${language}`);
    for (const act of ACTS)
      for (const entries of [words[act], ...KINDS.map((kind) => words[`${act} ${kind}`] ?? [])])
        roles.add(matching, entries, `act ${language}`);
  }
  return roles;
}

/** Words that may be between a negation and its verb, with their spaces: "no se lo", "non gliela". */
const NEGATION_REACH = 24;

/** The clauses of a sentence begin after these marks. */
const CLAUSE = /[,;:](?=\s)|[\u3001\uff0c\uff1b\uff1a\u060c\u061b\u2013\u2014]/g;

type Found = readonly WordMatch<Role>[];

/** The matches that are not part of an exception. The matches are in order, exceptions first. */
function withoutExcepted(found: Found): Found {
  let exceptedTo = 0;
  return found.filter(({ end, value }) => {
    if (value === 'exception') exceptedTo = Math.max(exceptedTo, end);
    return end > exceptedTo;
  });
}

/** Where the clause of a late prohibition begins: at a contrast, else before its verb and what precedes the verb. */
function clauseStart(text: string, { start, end }: Range, late: Range, found: Found): number {
  const contrast = found.findLast((each) => each.value === 'contrast' && each.start <= late.start);
  const floor = contrast?.start ?? start;
  const sentence = text.slice(floor, late.start);
  const begins = [floor, ...Array.from(sentence.matchAll(CLAUSE), ({ index }) => floor + index + 1)];
  const acts = actWordsIn(text.slice(floor, end)).map((at) => floor + at);
  const hasAct = begins.map(() => false);
  let clause = 0;
  for (const at of acts) {
    while (clause + 1 < begins.length && (begins[clause + 1] as number) <= at) clause++;
    hasAct[clause] = true;
  }
  let first = begins.length - 1;
  while (first > 0 && hasAct[first] === false) first--;
  while (first > 0 && hasAct[first - 1] === false) first--;
  return begins[first] ?? floor;
}

/** Whether a verb of the negation's language follows it at once. */
function negates({ value, end }: WordMatch<Role>, index: number, found: Found): boolean {
  const language = value.slice('negation '.length);
  for (let next = index + 1; next < found.length; next++) {
    const match = found[next] as WordMatch<Role>;
    if (match.start > end + NEGATION_REACH) return false;
    if (match.value === `act ${language}`) return true;
  }
  return false;
}

/** Where a sentence begins to forbid; its end, if it does not. */
function prohibitionIn(text: string, sentence: Range, found: Found): number {
  const plain = withoutExcepted(found);
  const early = plain.find(
    (each, index) =>
      each.value === 'prohibition' || (each.value.startsWith('negation ') && negates(each, index, plain)),
  );
  const late = plain.find(({ value }) => value === 'late');
  const lateStart = late === undefined ? sentence.end : clauseStart(text, sentence, late, plain);
  return Math.min(early?.start ?? sentence.end, lateStart);
}

function byStart(left: WordMatch<Role>, right: WordMatch<Role>): number {
  return left.start - right.start || Number(right.value === 'exception') - Number(left.value === 'exception');
}

/** What a sentence asks about, or forbids. */
interface Mention extends Range {
  readonly isAsked: boolean;
}

/** What each sentence only mentions. */
function mentionsIn(text: string): Mention[] {
  const found = roleMatcher().find(text).sort(byStart);
  const ranges: Mention[] = [];
  let from = 0;
  let isForbiddenList = false;
  for (const sentence of sentencesOf(text)) {
    let to = from;
    while (to < found.length && (found[to] as Range).start < sentence.end) to++;
    const inside = found.slice(from, to);
    const isAsked = isQuestion(sentence, inside);
    const start = isAsked ? sentence.start : prohibitionIn(text, sentence, inside);
    from = to;
    isForbiddenList = sentence.isItem ? isForbiddenList : isForbiddenList && isBlank(text, sentence);
    ranges.push({
      start: isForbiddenList ? sentence.start : start,
      end: sentence.end,
      isAsked: isAsked && !isForbiddenList,
    });
    if (sentence.isLead && !sentence.isItem) isForbiddenList = start < sentence.end;
  }
  return ranges;
}

function isBlank(text: string, { start, end }: Range): boolean {
  return text.slice(start, end).trim() === '';
}

function isQuestion(sentence: Sentence, found: Found): boolean {
  return sentence.isQuestion && !found.some(({ value }) => value === 'request');
}

const OTHER = /[^\n\r\u2028\u2029]/g;

/** Blanks all of a text except for some ranges, or only these ranges. */
function blank(text: string, ranges: readonly Range[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of ranges) {
    if (end <= at) continue;
    const from = Math.max(start, at);
    pieces.push(text.slice(at, from), text.slice(from, end).replace(OTHER, ' '));
    at = end;
  }
  return pieces.join('') + text.slice(at);
}

/** The gaps between ranges that are in order. */
function gapsOf(length: number, ranges: readonly Range[]): Range[] {
  const gaps: Range[] = [];
  let at = 0;
  for (const { start, end } of ranges) {
    if (start > at) gaps.push({ start: at, end: start });
    at = Math.max(at, end);
  }
  return [...gaps, { start: at, end: length }];
}

function sortedQuotations(text: string): readonly Range[] {
  return quotationsIn(text).sort((left, right) => left.start - right.start);
}

/** A text in which what the user quotes is blank: others wrote it. */
function withoutQuotations(text: string): string {
  return blank(text, sortedQuotations(text));
}

/** What the user says for themselves in the parts of a message, asks about and forbids; what they quote was written by others. */
export function saidIn(parts: readonly string[]): string {
  return parts
    .map(withoutQuotations)
    .join('\n\n')
    .replace(/[^\S\n]{2,}/g, ' ')
    .trim();
}

/**
 * Separates what the user says for themselves from what they quote, ask about or forbid. Linear in the text.
 *
 * @example
 * ```ts
 * ownWordsOf("Send it to Bob, don't cc Eve.").own; // "Send it to Bob,              "
 * ```
 */
export function ownWordsOf(text: string): OwnWords {
  const quotations = sortedQuotations(text);
  const said = blank(text, quotations);
  const mentions = mentionsIn(said);
  const part = (ranges: readonly Range[]): string => blank(said, gapsOf(text.length, ranges));
  return {
    own: blank(said, mentions),
    mentioned: part(mentions.filter(({ isAsked }) => isAsked)),
    forbidden: part(mentions.filter(({ isAsked }) => !isAsked)),
    quoted: blank(text, gapsOf(text.length, quotations)),
  };
}
