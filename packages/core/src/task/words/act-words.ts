/** What a person can ask for. One act has one list of words in each language. */
export const ACTS = [
  'send',
  'post',
  'schedule',
  'invite',
  'handover',
  'star',
  'sync',
  'form',
  'download',
  'save',
  'change',
  'visit',
  'pay',
  'book',
  'remove',
  'run',
] as const;

/** What a person can ask for; see `ACTS`. */
export type Act = (typeof ACTS)[number];

/**
 * How the words of a language are compared with a text. `english` removes endings from both. `stems` ignores accents, and an
 * entry of four letters or more is the beginning of a word. `words` compares whole words with their accents. `dense` finds an
 * entry anywhere, because the script has no spaces or inflects within a word.
 */
export type Matching = 'english' | 'stems' | 'words' | 'dense';

/** A list: each string has several entries, separated by commas. packages/core/words/README.md describes an entry. */
export type Entries = readonly string[];

/**
 * Lists of an act in addition to its verbs: words that are nouns too and count only in the position of a verb (`order`), verbs that
 * count only before a name or an address (`write`), nouns that count only soon after a verb of making (`payment`), and these
 * verbs (`make`).
 */
export const KINDS = ['verbs or nouns', 'before names', 'nouns', 'making'] as const;

/** A list of an act in addition to its verbs; see `KINDS`. */
export type Kind = (typeof KINDS)[number];

/** The words of one language. The list of an act has its verbs. */
export interface ActWords extends Readonly<Record<Act, Entries>>, Readonly<Partial<Record<`${Act} ${Kind}`, Entries>>> {
  readonly language: string;
  readonly matching: Matching;
  /** Words after which a word that is a noun too is a verb: `to`, `please`. */
  readonly leads?: Entries;
  /** Words that join verbs as well as nouns: `and`. */
  readonly links?: Entries;
  /** Words after which even a verb asks for nothing: `the`, `I`. */
  readonly determiners?: Entries;
  /** Words before which a word that is a verb too is a noun: `of`. */
  readonly nounSigns?: Entries;
  /** Words over which a verb of making does not reach: `make a summary of the mail`. */
  readonly bounds?: Entries;
  /** Expressions in which no word asks for an act: `tell me`. */
  readonly harmless?: Entries;
  /** Words that forbid what follows them in the sentence. */
  readonly prohibitions?: Entries;
  /** Words that forbid the whole clause, because the verb comes first: German `nicht`, Korean endings. */
  readonly lateProhibitions?: Entries;
  /** Words that forbid only if an act of this language follows at once: Spanish `no`, which English has too. */
  readonly negations?: Entries;
  /** Expressions in which a prohibition forbids nothing: `don't forget`. */
  readonly exceptions?: Entries;
  /** Words that begin a clause that a late prohibition of the sentence does not reach back over: `aber`. */
  readonly contrasts?: Entries;
  /** Words that make a question a request: `can you`. */
  readonly requests: Entries;
}
