import { type WordMatch, WordMatcher, wordRanges } from './word-matcher.ts';
import { ACTS, type Act, type ActWords, type Entries, KINDS, type Kind } from './words/act-words.ts';
import { LANGUAGES } from './words/languages.ts';

type Sign = 'leads' | 'links' | 'determiners' | 'nounSigns' | 'bounds' | 'harmless';
const SIGNS: readonly Sign[] = ['leads', 'links', 'determiners', 'nounSigns', 'bounds', 'harmless'];

/** What an entry means: a word of an act, or a word that shows how the words next to it are meant. */
interface Meaning {
  readonly list: 'verbs' | Kind | Sign;
  readonly language: string;
  readonly act?: Act;
}

type Match = WordMatch<Meaning>;

// "Deleted mails" and "replies" ask for nothing, so an English verb counts as it is and with "ing".
function withParticiple(entry: string): string[] {
  if (entry.includes(' ') || entry.startsWith('=')) return [entry];
  const bare = entry.replace(/e$/, '');
  return [entry, `${entry}ing`, `${bare}ing`, `${entry}${entry.slice(-1)}ing`].map((form) => `=${form}`);
}

function asWhole(entry: string): string[] {
  return entry.includes(' ') || entry.startsWith('=') ? [entry] : [`=${entry}`];
}

/** The entries as they occur in a request. Nouns have a plural; the other words of English are compared as they are. */
function formsOf({ matching }: ActWords, list: Meaning['list'], entries: Entries): readonly string[] {
  if (matching !== 'english' || list === 'nouns') return entries;
  return entries.flatMap((each) => each.split(',')).flatMap(list === 'verbs' ? withParticiple : asWhole);
}

function makeMatcher(): WordMatcher<Meaning> {
  const matcher = new WordMatcher<Meaning>();
  for (const words of LANGUAGES) {
    const { language, matching } = words;
    const add = (entries: Entries | undefined, meaning: Meaning): void => {
      if (entries !== undefined) matcher.add(matching, formsOf(words, meaning.list, entries), meaning);
    };
    for (const sign of SIGNS) add(words[sign], { list: sign, language });
    for (const act of ACTS) {
      add(words[act], { list: 'verbs', language, act });
      for (const kind of KINDS) add(words[`${act} ${kind}`], { list: kind, language, act });
    }
  }
  return matcher;
}

function byStart(left: Match, right: Match): number {
  return left.start - right.start || Number(right.value.list === 'harmless') - Number(left.value.list === 'harmless');
}

let matcher: WordMatcher<Meaning> | undefined;

// The tables are compiled on first use, so that loading the module is cheap.
function meaningsIn(text: string): Match[] {
  matcher ??= makeMatcher();
  return matcher.find(text).sort(byStart);
}

/** Where the words of a text are that can ask for an act. */
export function actWordsIn(text: string): number[] {
  return meaningsIn(text).flatMap(({ start, value }) =>
    value.act === undefined || value.list === 'making' ? [] : [start],
  );
}

/** The matches that are not part of an expression that asks for nothing. */
function withoutHarmless(found: readonly Match[]): Match[] {
  let harmlessTo = 0;
  return found.filter(({ end, value }) => {
    if (value.list === 'harmless') harmlessTo = Math.max(harmlessTo, end);
    return value.act === undefined || end > harmlessTo;
  });
}

/** A verb of making reaches this many words. */
const REACH = 4;

/** Between two words: the end of a sentence, a colon, a dash, a bullet, a bracket, or what was blanked. */
const BREAK =
  /[.!?:;\u2026)\]"\u201d\u00bb]\s|[\n\r("\u201c\u201e\u00ab\u00a1\u00bf]|(?:^|\s)[-*+\u2022\u2013\u2014]\s|\s{3}/;
const COMMA = /[,&\u060c]/;
/** What follows a verb such as "write": an address, or a name that is not part of a longer expression ("Python code"). */
const NAME =
  /^\s+(?:[^\s@]{1,40}@|\p{Lu}[\p{Ll}\p{M}'\u2019]+(?:\s+\p{Lu}[\p{Ll}\p{M}]+)?(?:\s*$|\s*[^\p{L}\s]|\s+(?:\p{L}{1,3}|that)(?!\p{L})|\s+\P{L}))/u;
const NAME_WINDOW = 80;

// "Mail" is Dutch too, and "from" shows that it is a noun, so such words count for every language.
function keyOf(list: Meaning['list'], { language, act }: Meaning, word: number): string {
  return `${list} ${list === 'making' ? act : ''} ${list === 'nounSigns' ? '' : language} ${word}`;
}

/** The words of a text and what is next to each of them. */
class Surroundings {
  readonly #text: string;
  readonly #words: readonly { readonly start: number; readonly end: number }[];
  readonly #byStart = new Map<number, number>();
  readonly #byEnd = new Map<number, number>();
  readonly #signs = new Set<string>();

  constructor(text: string, found: readonly Match[]) {
    this.#text = text;
    this.#words = wordRanges(text);
    for (const [index, { start, end }] of this.#words.entries()) {
      this.#byStart.set(start, index);
      this.#byEnd.set(end, index);
    }
    for (const { end, value } of found) {
      const last = this.#byEnd.get(end);
      if (last !== undefined) this.#signs.add(keyOf(value.list, value, last));
    }
  }

  #has(word: number, list: Sign | 'making', meaning: Meaning): boolean {
    return this.#signs.has(keyOf(list, meaning, word));
  }

  /** What is between a word and the one before it. */
  #gapBefore(word: number): string {
    const { start = this.#text.length } = this.#words[word] ?? {};
    return this.#text.slice(this.#words[word - 1]?.end ?? 0, start);
  }

  /** Whether a word follows "the" or "I", so that it asks for nothing. */
  isDetermined({ start, value }: Match): boolean {
    const word = this.#byStart.get(start);
    if (word === undefined || !/^(?:\s+|['\u2019])$/.test(this.#gapBefore(word))) return false;
    return this.#has(word - 1, 'determiners', value) && !this.#has(word - 1, 'leads', value);
  }

  /** Whether a word that can be a noun begins a clause or follows a word such as "to". */
  isInVerbPosition({ start, end, value }: Match): boolean {
    const word = this.#byStart.get(start);
    const last = this.#byEnd.get(end);
    if (word === undefined || last === undefined || this.#has(last + 1, 'nounSigns', value)) return false;
    const gap = this.#gapBefore(word);
    if (word === 0 || BREAK.test(gap)) return true;
    const isBlank = gap.trim() === '';
    if (isBlank && this.#has(word - 1, 'leads', value)) return true;
    const isJoined = COMMA.test(gap) || (isBlank && this.#has(word - 1, 'links', value));
    return isJoined && this.#goesOn(last, value);
  }

  /** Whether an object may follow: "and order lamps", but not "the mail and order". */
  #goesOn(last: number, value: Meaning): boolean {
    if (last + 1 >= this.#words.length) return false;
    const gap = this.#gapBefore(last + 1);
    return !COMMA.test(gap) && !BREAK.test(gap) && !this.#has(last + 1, 'links', value);
  }

  isBeforeName({ end }: Match): boolean {
    return NAME.test(this.#text.slice(end, end + NAME_WINDOW));
  }

  isMade({ start, value }: Match): boolean {
    const noun = this.#byStart.get(start);
    if (noun === undefined) return false;
    for (let word = noun - 1; word >= Math.max(0, noun - REACH); word--) {
      const gap = this.#gapBefore(word + 1);
      if (COMMA.test(gap) || BREAK.test(gap)) return false;
      if (this.#has(word, 'making', value)) return !this.isDetermined({ ...this.#words[word], value } as Match);
      if (this.#has(word, 'bounds', value)) return false;
    }
    return false;
  }
}

function asks(match: Match, surroundings: Surroundings): boolean {
  switch (match.value.list) {
    case 'verbs':
      return !surroundings.isDetermined(match);
    case 'verbs or nouns':
      return surroundings.isInVerbPosition(match);
    case 'before names':
      return surroundings.isBeforeName(match);
    case 'nouns':
      return surroundings.isMade(match);
    default:
      return false;
  }
}

/**
 * The acts that the words of a text ask for, in every language of packages/core/words. A noun asks for nothing by itself: "my
 * mail" does not ask to send one. Linear in the text.
 *
 * @example
 * ```ts
 * actsIn('Bitte \u00fcberweise Bob 5 Euro.'); // Set { 'pay' }
 * actsIn('Sum up my mail.'); // Set {}
 * ```
 */
export function actsIn(text: string): Set<Act> {
  const found = withoutHarmless(meaningsIn(text));
  const surroundings = new Surroundings(text, found);
  const acts = new Set<Act>();
  for (const match of found) {
    const { act } = match.value;
    if (act !== undefined && !acts.has(act) && asks(match, surroundings)) acts.add(act);
  }
  return acts;
}
