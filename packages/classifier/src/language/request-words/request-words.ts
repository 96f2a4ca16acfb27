/**
 * How people ask for something in one language. The lists are kept in `packages/classifier/words`; the files next to this one
 * are generated from them. All words are in lower case and composed (NFC), without Arabic vowel signs and joiners.
 *
 * A word list is an array of lines, each of words between blanks. An expression list is one regular expression in pieces, to be
 * joined without a separator; its repetitions are bounded.
 */
export interface RequestWords {
  /** ISO 639-1. */
  readonly language: string;
  /** The languages of one script are matched together. */
  readonly script: 'latin' | 'cyrillic' | 'arabic' | 'indic' | 'thai' | 'han' | 'kana' | 'hangul';
  /** Words that begin an order. A word that is also a noun, a past tense or a word of another language is not in this list. */
  readonly imperatives?: readonly string[];
  /** Words that begin an order if an object follows. */
  readonly ambiguous?: readonly string[];
  /** Words that begin an order if the first word of an object follows. A value is not enough: it may be the noun's number. */
  readonly nouns?: readonly string[];
  /** Infinitives, or verbs that have no other form. Buttons and headings begin with them too; an order also names a value. */
  readonly infinitives?: readonly string[];
  /** Verbs that become an order when a pronoun follows. */
  readonly politeForms?: readonly string[];
  /** Words that end an order, in languages with the verb at the end. */
  readonly finalVerbs?: readonly string[];
  /** Words that make a sentence with an infinitive at its end a statement. */
  readonly auxiliaries?: readonly string[];
  /** Words that may precede the verb of an order. */
  readonly leads?: readonly string[];
  /** Words that can begin the object of a verb. */
  readonly objects?: readonly string[];
  /** Expressions of whole words that make any sentence with them a request. `POLITE` matches any of the polite forms. */
  readonly phrases?: readonly string[];
  /** Expressions that make a sentence a request if an infinitive follows. */
  readonly obligations?: readonly string[];
  /** Expressions that make a sentence a request if it begins with them. */
  readonly starts?: readonly string[];
  /** Expressions that make a sentence a request even within a word: endings, and scripts without blanks. */
  readonly fragments?: readonly string[];
  /** Expressions that begin an order in a script without blanks. As with infinitives, the order also names a value. */
  readonly openings?: readonly string[];
}
