import { words } from '../base/words.ts';
import { actWordsIn } from './requests.ts';
import { sentencesOf } from './sentences.ts';
import { foldAccents } from './word-matcher.ts';

/** Between the clauses of a sentence, and between the nouns of a list. */
export const JOINS: ReadonlySet<string> = words(', ; and & then und dann et puis y');
/** Joins after which a new clause begins, and not another noun. */
export const CLAUSE_JOINS: ReadonlySet<string> = words('; then dann puis');
export const ARTICLES: ReadonlySet<string> = words('the our my this der die das den le la les el los');
/** Programs whose commands people type as they are: "git push", "npm install zod please". */
export const PROGRAMS: ReadonlySet<string> = words('git npm pnpm yarn bun pip pip3 uv poetry cargo');
/** A name that no plain word is. */
export const MARKED: RegExp = /[./_\d]|^@/;

/** Verbs that begin another clause, in addition to those of acts. */
const OTHER_VERBS = words(
  'fix refactor rewrite bump stop use commit push format lint review read look check go implement rename migrate upgrade downgrade rebuild rerun retry continue proceed try test build verify reset restart replace make keep describe summarise summarize explain update ensure run generate regenerate convert extract split merge move apply drop port set configure enable disable improve optimize optimise simplify resolve finish edit adjust correct debug address',
);
/** After these, a clause says what something is or does, and not what is to be done. */
const SUBORDINATE = words(
  'to that which who where when if before because until how whether while should must will can has have had we they said says say told asks like as',
);
const NEGATIONS = words("not never don't dont nicht ne no");

const LEAD =
  "(?:please|pls|now|then|next|first|finally|afterwards|also|ok|okay|just|kindly|bitte|can you|could you|would you|will you|you can|you may|you should|i want you to|i need you to|i would like you to|i'd like you to|let's|lets|go ahead and|make sure to|be sure to|remember to|don't forget to|do not forget to),?\\s+";
const LEADS = new RegExp(`^\\s*(?:[-*+\\u2022]\\s+|\\d{1,3}[.)]\\s+)?(?:${LEAD})*`, 'i');
/** A clause before the main one, which its comma ends: "when you are done, push". */
const FRONTED = /^\s*(?:(?:before|after|when|once|if|as soon as|for|to)\s[^,;\n]{1,100},\s*)/i;
/** Where a command runs: "in the folder infra, run terraform plan". */
const PLACED = /^\s*(?:in|from|inside)\s[^,;\n]{1,60},\s*/i;
/** What precedes a clause of a sentence that has others before it. */
const JOINED = new RegExp(
  `^(.*)(?:[,;\\n]|\\s(?:and|then|&|but|und|dann|danach|et|puis|y|luego))\\s+(?:${LEAD})*$`,
  'is',
);

/** A word in lower case and without accents. */
export function plain(token: string | undefined): string {
  return foldAccents(token ?? '');
}

export function isVerb(token: string): boolean {
  return !MARKED.test(token) && (PROGRAMS.has(token) || OTHER_VERBS.has(plain(token)) || actWordsIn(token).length > 0);
}

/** A sentence without what is only polite, or only says when something is to be done. */
export function withoutLead(sentence: string): string {
  return sentence.replace(LEADS, '').replace(FRONTED, '').replace(LEADS, '');
}

export function tokensOf(sentence: string): string[] {
  return sentence.match(/[^\s,;]+|[,;]/g) ?? [];
}

/** Where the subordinate clause of a sentence begins; its end, if it has none. "To src/a.ts" is a place, and "to build" is a purpose. */
export function subordinateAt(tokens: readonly string[]): number {
  const at = tokens.findIndex((token, index) => {
    const next = tokens[index + 1] ?? '';
    const isPlace = plain(token) === 'to' && (MARKED.test(next) || ARTICLES.has(plain(next)));
    return SUBORDINATE.has(plain(token)) && !isPlace;
  });
  return at < 0 ? tokens.length : at;
}

/** Whether the clauses of a sentence that begins like this are all imperative. */
function isImperative(start: string): boolean {
  const tokens = tokensOf(withoutLead(start));
  const isNegated = tokens.some((token) => NEGATIONS.has(plain(token)));
  return isVerb(tokens[0] ?? '') && !isNegated && subordinateAt(tokens) === tokens.length;
}

/** At most this much of the text before a verb is read. A sentence that begins before that is not. */
const MAX_BEFORE = 600;

/**
 * Whether a verb after this text begins an imperative clause: "fix the tests and", but not "fix the page that says".
 *
 * @example
 * ```ts
 * beginsImperative('Fix the tests, then please '); // true
 * beginsImperative('Before a release, Bob has to '); // false
 * ```
 */
export function beginsImperative(before: string): boolean {
  const near = before.slice(-MAX_BEFORE);
  const sentences = sentencesOf(near);
  const { start, end } = sentences.at(-1) ?? { start: 0, end: 0 };
  const last = near.slice(start, end);
  // The start of the sentence is too far away.
  if (start === 0 && near.length < before.length) return false;
  const sentence = withoutLead(withoutLead(last).replace(PLACED, ''));
  if (/^\s*$/.test(sentence) || /[.!?]\s*$/.test(sentence)) return true;
  const joined = JOINED.exec(sentence)?.[1];
  return joined !== undefined && isImperative(joined);
}
