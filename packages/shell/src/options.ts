import type { ShellWord } from './word.ts';

/** The options of a program. */
export interface OptionSpec {
  /** As for getopt: `ab:c::` are `-a`, `-b value` and `-c[value]`. */
  readonly short?: string;
  /** Those with two dashes, between blanks; those with a value end in `=`. */
  readonly long?: string;
  /** Takes options that are not listed for such without a value. @default they are unknown */
  readonly isLenient?: boolean;
}

export interface ReadOptions {
  /** The values of options by their names: `-u`, `--user`. */
  readonly values: readonly (readonly [name: string, value: ShellWord | undefined])[];
  /** What follows the options. */
  readonly rest: readonly ShellWord[];
  /** An option is not known, so that it is not known either which words are its value. */
  readonly isUnknown: boolean;
}

type Value = readonly [name: string, value: ShellWord | undefined];

function part(word: ShellWord, from: number): ShellWord {
  return { ...word, text: word.text.slice(from) };
}

/** What one word of options holds, and how many words it takes with the value after it. */
interface Taken {
  readonly values: readonly Value[];
  readonly count: number;
}

function readLong(word: ShellWord, next: ShellWord | undefined, spec: OptionSpec): Taken | undefined {
  const { long = '', isLenient = false } = spec;
  const end = word.text.indexOf('=');
  if (end >= 0) return { values: [[word.text.slice(0, end), part(word, end + 1)]], count: 1 };
  const name = word.text.slice(2);
  if (` ${long} `.includes(` ${name}= `)) return { values: [[word.text, next]], count: 2 };
  return isLenient || ` ${long} `.includes(` ${name} `) ? { values: [[word.text, undefined]], count: 1 } : undefined;
}

function readShort(word: ShellWord, next: ShellWord | undefined, spec: OptionSpec): Taken | undefined {
  const { short = '', isLenient = false } = spec;
  const values: Value[] = [];
  for (let at = 1; at < word.text.length; at++) {
    const letter = word.text.charAt(at);
    const found = short.indexOf(letter);
    if (found < 0 && !isLenient) return undefined;
    const colons = found < 0 ? '' : (/^:*/.exec(short.slice(found + 1))?.[0] ?? '');
    const isLast = at + 1 === word.text.length;
    if (colons !== '' && !isLast) return { values: [...values, [`-${letter}`, part(word, at + 1)]], count: 1 };
    if (colons === ':') return { values: [...values, [`-${letter}`, next]], count: 2 };
    values.push([`-${letter}`, undefined]);
  }
  return { values, count: 1 };
}

/** Reads the options before the first word that is none. */
export function readOptions(words: readonly ShellWord[], spec: OptionSpec): ReadOptions {
  const values: Value[] = [];
  let at = 0;
  while (at < words.length) {
    const [word, next] = words.slice(at, at + 2);
    if (word === undefined || !/^-./.test(word.text)) break;
    if (word.text === '--') return { values, rest: words.slice(at + 1), isUnknown: false };
    const one = (word.text.startsWith('--') ? readLong : readShort)(word, next, spec);
    if (one === undefined) return { values, rest: words.slice(at), isUnknown: true };
    values.push(...one.values);
    at += one.count;
  }
  return { values, rest: words.slice(at), isUnknown: false };
}
