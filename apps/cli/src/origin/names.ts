/** A word of any writing system, with the signs that hold a name together: `user@host`, `a/b-c`, `x.y:1`. */
const WORD = /@[\p{L}\p{N}](?:[_.@/:+=-]*[\p{L}\p{N}\p{M}])*|[\p{L}\p{N}](?:[_.@/:+=-]*[\p{L}\p{N}\p{M}])+/gu;
const MAX_LENGTH = 300;

/** Where the parts of a name are: a host in an address, a package with its version, an option with its value. */
const JOINT = /[/:@=]+/;

/** Groups of digits and letters as people write accounts and keys: `NL00 FAKE 0908 2211`. */
const GROUPED = /\b[A-Z0-9]{4}(?: [A-Z0-9]{4}){2,}(?: [A-Z0-9]{1,4})?\b/g;

/**
 * The words of a text in lower case, and the parts of those that are put together from several.
 *
 * @example
 * ```ts
 * [...wordsIn('run npm i left-pad@1.3.0')]; // ['run', 'npm', 'left-pad@1.3.0', 'left-pad', '1.3.0']
 * ```
 */
export function* wordsIn(text: string): Generator<string> {
  for (const [word] of text.matchAll(WORD)) {
    const whole = word.toLowerCase();
    const parts = whole.split(JOINT);
    // A long word, such as an address, has parts all the same.
    for (const each of parts.length > 1 ? [whole, ...parts] : parts)
      if (each !== '' && each.length <= MAX_LENGTH) yield each;
  }
  for (const [groups] of text.matchAll(GROUPED)) yield groups.replaceAll(' ', '').toLowerCase();
}

const MIN_NAME = 4;
/** A digit, or a sign that no sentence has inside a word. */
const OF_A_NAME = /[\d./@:_=-]/;

/** Recognizes a word that stands for a thing, such as a host, a package, a file or a number, and is no word of a language. */
export function isName(word: string): boolean {
  return word.length >= MIN_NAME && OF_A_NAME.test(word);
}

const NUMBER = /^\d{9,}$/;
const REACHING = [/^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/, /^\d{1,3}(?:\.\d{1,3}){3}(?:\/\d+)?$/, /^0x[\da-f]{16,}$/];
const TOKEN = /^[a-z\d]{16,}$/;
const MIN_DIGITS = 8;

/** A key or an account: letters and digits without a word in them. */
function isToken(name: string): boolean {
  const turns = name.match(/[a-z]\d|\d[a-z]/g)?.length ?? 0;
  return TOKEN.test(name) && turns > 0 && (turns > 3 || (name.match(/\d/g)?.length ?? 0) >= MIN_DIGITS);
}

/** The digest of a content, such as a commit: it leads nowhere. */
const DIGEST = /^(?:[\da-f]{4})+$/;

/** Recognizes a name that says where data, money or rights go: an address, an account, a key. */
export function isReaching(name: string): boolean {
  return !DIGEST.test(name) && (isToken(name) || REACHING.some((each) => each.test(name)));
}

/** The number of a release: it says how much of a thing is taken, and not which. */
const VERSION = /^[v^~]?\d+(?:\.\w+)*(?:[-+.][\w.]+)?$/;

export function isVersion(name: string): boolean {
  return VERSION.test(name);
}

/** Recognizes the number of an account. Commands hold the numbers of many other things. */
export function isAccount(name: string): boolean {
  return NUMBER.test(name);
}

/** Names that lead nowhere: this machine, and those that are reserved for examples and tests. */
const NOWHERE =
  /(?:^|\.)(?:localhost|localdomain|local|internal|test|invalid|example\.(?:com|net|org))$|^127(?:\.\d{1,3}){3}$|^0\.0\.0\.0$|^\[?::1\]?$/;

export function leadsNowhere(host: string): boolean {
  return NOWHERE.test(host) || /^\p{L}[\p{L}\p{N}\p{M}_-]*$/u.test(host);
}
