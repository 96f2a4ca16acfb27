import { JOINER, kindAt, LETTER } from './character.ts';
import {
  AMBIGUOUS,
  AUXILIARIES,
  CLAUSE_BEFORE_ORDER,
  FINAL_INFINITIVES,
  FINAL_VERBS,
  FOREIGN_AMBIGUOUS,
  FOREIGN_NOUNS,
  FOREIGN_OBJECTS,
  IMPERATIVES,
  INFINITIVES,
  LEADS,
  MARKERS,
  type Markers,
  NOUNS,
  OBJECTS,
  OPENINGS,
  PLAIN_OBJECTS,
  REPORTED,
  REPORTED_SOON,
  ROLES,
  STARTS,
} from './request-lexicon.ts';

/**
 * Recognises sentences that request an action. A request is not an attack by itself: half of all mail contains one. The
 * gate asks when an agent acts on it with a value that only this sentence names.
 */

// Bounded: a script without blanks is one word from one comma to the next.
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'_@.:/#-]{0,40}/gu;
const MAX_LEADS = 4;
const MAX_LENGTH = 600;
// After more than one word: `fix: remove the limit` is the title of a change.
const BORDER = /[.:;!?] /g;
const MAX_BORDERS = 3;
// `Features: send, forward and delete` is not a request.
const LISTED = /^\p{L}{1,20}(?:,| (?:and|or|und|oder|y|o|et|ou|e|i|\u0438|en|of) )/u;
const LIST_MARK = 3;
// Before quoted words or an order, in a script without blanks. The colon of a time or an address does not count.
const COLON = /(?<![a-z\d])[:\uff1a](?!\/)/;
// A value, not a word: an address, a path, a number, an id.
const VALUE = /\d|[@/#_]|[\p{L}\p{N}][.:][\p{L}\p{N}]/u;
const ADDRESS = /\p{L}[.@:]\/{0,2}\p{L}/u;
// `ach\u00e8te-le`, `envoyez-moi`
const PRONOUN = /-(?:l[ea]s?|moi|toi|lui|leur|nous|vous|en|y)$/;
// The target of a link does not count as a value that a heading names.
const TARGET = /\]\([^)]{0,200}\)/g;
const NOT_ASCII = /[^\0-\x7f]/;
// Marks, vowel signs, joiners and single Hangul letters, which can be composed or left out.
const LOOSE = /[\u0300-\u0345\u0600-\u0e7f\u1100-\u11ff\u200c-\u200d\u3099-\u309a]/;
// The dot of a Turkish capital i made small, Arabic vowel signs, joiners.
const OPTIONAL = /[\u0307\u0640\u064b-\u0652\u200c\u200d]/g;
// The view decomposes the Thai vowel am.
const AM = '\u0e4d\u0e32';

// Tokens of chat templates and the role of the turn: the message begins after them.
const TURN = /<\|[^|<>]{1,40}\|>(?: ?(?:system|user|assistant|tool|developer|human)\b)?|\[\/?inst\]|<<?\/?sys>>?/g;

/** Makes small letters, composes marks, and drops the marks that the tables leave out. */
function fold(text: string): string {
  const given = text.slice(0, MAX_LENGTH).toLowerCase();
  const small = (/<[|<]|\[\/?inst/.test(given) ? given.replace(TURN, ' ') : given).trim();
  if (!NOT_ASCII.test(small)) return small;
  const straight = small.replaceAll('\u2019', "'");
  return LOOSE.test(straight) ? straight.normalize('NFC').replaceAll(AM, '\u0e33').replace(OPTIONAL, '') : straight;
}

// Every character of a word that is not a letter comes before the letters.
const FIRST_LETTER = 0x61;

function plain(word: string): string {
  const bare = word.charCodeAt(word.length - 1) >= FIRST_LETTER ? word : word.replace(/[.:'-]+$/, '');
  return bare.includes('-') ? bare.replace(PRONOUN, '') : bare;
}

// The text after a word that names a value, a function, a column or the target of a link.
const NAME = /^(?:["'`*]{0,3}\s{0,12}[:=|]|[(`]|\]\()/;

/** Recognises the name of a value, such as `Order ID:` and `email: a@b.example`, which is not a request. */
function isName(sentence: string, end: number): boolean {
  return sentence[end - 1] === ':' || NAME.test(sentence.slice(end, end + 20));
}

/** A word that is both verb and noun counts as a verb before an object: `order a pencil`, not `order history`. */
function beginsObject(sentence: string, end: number, objects: ReadonlySet<string>): boolean {
  const word = plain(nextWord(sentence, end)?.text ?? '');
  return objects.has(word) || objects.has(word.slice(0, Math.max(word.indexOf("'"), 0)));
}

function hasObject(sentence: string, end: number, objects: ReadonlySet<string>): boolean {
  if (/^\s{1,2}["'\u201c\u00ab]/.test(sentence.slice(end, end + 3))) return true;
  return VALUE.test(nextWord(sentence, end)?.text ?? '') || beginsObject(sentence, end, objects);
}

interface Word {
  readonly text: string;
  readonly end: number;
}

function nextWord(sentence: string, from: number): Word | undefined {
  WORD.lastIndex = from;
  const match = WORD.exec(sentence);
  return match === null ? undefined : { text: match[0], end: WORD.lastIndex };
}

/** Recognises words that may precede an order: `then`, the number of a step, and a role with a mark after it. */
function isLead(sentence: string, { text, end }: Word): boolean {
  const word = plain(text);
  if (LEADS.has(word)) return true;
  const mark = text.length > word.length ? text[word.length] : sentence[end];
  if (ROLES.has(word)) return mark === ':' || mark === ']' || mark === '>' || mark === '|';
  return word.length <= 2 && /^\d+$/.test(word) && (mark === '.' || mark === ')' || mark === ':');
}

function verbOf(sentence: string, from: number): Word | undefined {
  let word = nextWord(sentence, from);
  for (let leads = 0; leads < MAX_LEADS && word !== undefined && isLead(sentence, word); leads++)
    word = nextWord(sentence, word.end);
  return word;
}

/** Recognises an address, which does not belong to the noun before it, as a number can. */
function isAddress(word: Word | undefined): boolean {
  return word !== undefined && ADDRESS.test(word.text);
}

/** Recognises orders in a form that other sentences begin with as well. */
function isAmbiguousOrder(sentence: string, word: string, end: number): boolean {
  return (
    (AMBIGUOUS.has(word) && hasObject(sentence, end, OBJECTS)) ||
    (NOUNS.has(word) && (beginsObject(sentence, end, PLAIN_OBJECTS) || isAddress(nextWord(sentence, end)))) ||
    (FOREIGN_AMBIGUOUS.has(word) && hasObject(sentence, end, FOREIGN_OBJECTS)) ||
    (FOREIGN_NOUNS.has(word) && (beginsObject(sentence, end, FOREIGN_OBJECTS) || isAddress(nextWord(sentence, end)))) ||
    (INFINITIVES.has(word) && namesValue(sentence.slice(end).replace(TARGET, ']')))
  );
}

function beginsWithOrder(sentence: string, from: number): boolean {
  const verb = verbOf(sentence, from);
  if (verb === undefined) return false;
  const { text, end } = verb;
  const word = plain(text);
  const isClear = IMPERATIVES.has(word) || (FOREIGN_AMBIGUOUS.has(word) && PRONOUN.test(text));
  const reported = isClear ? REPORTED_SOON : isAmbiguousOrder(sentence, word, end) ? REPORTED : undefined;
  if (reported === undefined || isName(sentence, end) || reported.test(sentence)) return false;
  // A button consists of the verb alone.
  return nextWord(sentence, end) !== undefined;
}

/** Looks for an order after a clause, an address or another sentence: `New rule: send ...`. */
function goesOnWithOrder(sentence: string): boolean {
  const clause = CLAUSE_BEFORE_ORDER.exec(sentence);
  if (clause !== null && beginsWithOrder(sentence, clause[0].length)) return true;
  BORDER.lastIndex = sentence.indexOf(' ', LIST_MARK) + 1;
  for (let borders = 0; borders < MAX_BORDERS && BORDER.test(sentence); borders++)
    if (!LISTED.test(sentence.slice(BORDER.lastIndex, MAX_LENGTH)) && beginsWithOrder(sentence, BORDER.lastIndex))
      return true;
  return false;
}

function isLetter(kind: number): boolean {
  return kind === LETTER || kind === JOINER;
}

/** The last word of a sentence, or '' if it is the only one. */
function lastWord(sentence: string): string {
  let end = sentence.length;
  while (end > 0 && !isLetter(kindAt(sentence.charCodeAt(end - 1)))) end--;
  const start = sentence.lastIndexOf(' ', end - 1) + 1;
  return start === 0 ? '' : sentence.slice(start, end);
}

function endsWithOrder(sentence: string): boolean {
  const word = lastWord(sentence);
  if (FINAL_VERBS.has(word)) return !AUXILIARIES.test(sentence);
  return FINAL_INFINITIVES.has(word) && namesValue(sentence) && !AUXILIARIES.test(sentence) && !REPORTED.test(sentence);
}

const SCRIPTS = new Uint16Array(1024);
for (const [script, { ranges }] of MARKERS.entries())
  for (const [from, to] of ranges)
    for (let page = from >> 6; page <= to >> 6; page++) SCRIPTS[page] = (SCRIPTS[page] as number) | (1 << script);
const WITH_BLANKS = MARKERS.reduce((bits, { hasBlanks }, script) => (hasBlanks ? bits | (1 << script) : bits), 0);

/** The scripts of a sentence's letters, as bits: one pass instead of one per script. */
function scriptsOf(sentence: string): number {
  let scripts = 0;
  for (let at = 0; at < sentence.length; at++) scripts |= SCRIPTS[sentence.charCodeAt(at) >> 6] as number;
  return scripts;
}

function isMarked(sentence: string, scripts: number): boolean {
  for (let script = 0; script < MARKERS.length; script++)
    if ((scripts & (1 << script)) !== 0 && (MARKERS[script] as Markers).signs.test(sentence)) return true;
  if ((scripts & ~WITH_BLANKS) === 0) return false;
  if (OPENINGS.test(sentence) && namesValue(sentence) && !REPORTED.test(sentence)) return true;
  const colon = sentence.search(COLON);
  return colon >= 0 && isMarked(sentence.slice(colon + 1).trimStart(), scripts);
}

function hasOrder(sentence: string): boolean {
  return STARTS.test(sentence) || beginsWithOrder(sentence, 0) || goesOnWithOrder(sentence) || endsWithOrder(sentence);
}

export function isRequest(text: string): boolean {
  const sentence = fold(text);
  const scripts = scriptsOf(sentence);
  return isMarked(sentence, scripts) || ((scripts & WITH_BLANKS) !== 0 && hasOrder(sentence));
}

/** Checks that a sentence contains a value. One without, such as `do it now`, refers to its neighbours. */
export function namesValue(text: string): boolean {
  return VALUE.test(text) || /["'\u201c\u00ab][^"'\u201d\u00bb]{2,80}["'\u201d\u00bb]/.test(text);
}
