/** Type declarations have no words for a reader but those in comments, strings and names. */
const DECLARATIONS = /\.d\.(?:[\w-]+\.)?[cm]?ts$/i;

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** Keywords that are not English in a sentence of a few words, and those that can be. */
const BREAKING = words('extends implements infer keyof typeof');
const KEYWORDS = words(
  'abstract any as async bigint boolean class const declare default enum export false from function get import in interface is let module namespace never new null number object of private protected public readonly set static string symbol this true type undefined unknown var void',
);

/** This number of words in a row is a sentence, and of parts in a name. */
const SENTENCE = 3;
const LONG_NAME = 8;

// A comment continues on the next line.
const LINE_BREAK = /\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/g;
const WORD = /^[\p{L}][\p{L}'\u2019-]*$/u;
const NAME_PART = /\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII, with its controls.
const ASCII = /^[\u0000-\u007f]*$/;

function isSentence(piece: string): boolean {
  let count = 0;
  for (const word of piece.split(/[ \t]+/)) {
    if (!WORD.test(word) || BREAKING.has(word)) count = 0;
    else if (!KEYWORDS.has(word)) count++;
    if (count >= SENTENCE) return true;
  }
  return false;
}

/** Recognizes a file of type declarations by its name. */
export function hasDeclarationsOnly(file: string): boolean {
  return DECLARATIONS.test(file);
}

/** Looks for words in a passage of code that a reader could take for a sentence. */
export function hasProse(code: string): boolean {
  if (!ASCII.test(code)) return true;
  if (code.split(/\W+/).some((name) => (name.match(NAME_PART)?.length ?? 0) >= LONG_NAME)) return true;
  return code
    .replace(LINE_BREAK, ' ')
    .split(/[^\w' \t-]+|\d+/)
    .some(isSentence);
}
