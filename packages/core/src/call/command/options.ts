import type { Word } from './line.ts';

/** How an option takes a value: never, as the next word or after an equals sign, or only as a part of its own word. */
type Takes = 'nothing' | 'value' | 'attached';

/** The options that a command may have. */
export type Options = ReadonlyMap<string, Takes>;

/** Every option of the program only changes what it prints. */
const ANY = '*';
/** No option of the program does more than that, if the name of a file is one. */
const HARMLESS = '-*';
/** `-20`. */
const NUMBER = '-#';
const IS_NUMBER = /^-\d{1,9}$/;

/**
 * Reads a list of options: `-[la]` are two letters, `-m=` takes a value, `--color=?` may have one after an equals sign, and
 * `--color=never` is allowed with this value alone.
 */
export function optionsIn(list: readonly string[]): Options {
  return new Map(
    list.flatMap((entry): [string, Takes][] => {
      const letters = /^-\[(\w+)\]$/.exec(entry)?.[1];
      if (letters !== undefined) return Array.from(letters, (letter) => [`-${letter}`, 'nothing']);
      if (entry.endsWith('=?')) return [[entry.slice(0, -2), 'attached']];
      return [entry.endsWith('=') ? [entry.slice(0, -1), 'value'] : [entry, 'nothing']];
    }),
  );
}

/** What a command is given in addition to its options. */
export interface Given {
  readonly operands: readonly Word[];
  /** The values of options. */
  readonly values: readonly Word[];
}

/** What an option leaves open: nothing, or a value in this word or in the next one. Undefined if it is not allowed. */
type Read = { readonly value?: string; readonly takesNext?: true } | undefined;

function readLetters(text: string, options: Options): Read {
  for (let at = 1; at < text.length; at++) {
    const takes = options.get(`-${text[at]}`);
    const rest = text.slice(at + 1);
    if (takes === undefined) return undefined;
    if (takes === 'value') return rest === '' ? { takesNext: true } : { value: rest };
    if (takes === 'attached') return { value: rest };
  }
  return {};
}

function readOption(text: string, options: Options): Read {
  if (options.get(text) === 'nothing') return {};
  if (IS_NUMBER.test(text) && options.has(NUMBER)) return {};
  const [, name = '', value] = /^([^=]+)(?:=(.*))?$/s.exec(text) ?? [];
  const takes = options.has(ANY) ? 'attached' : options.get(name);
  if (takes === 'value') return value === undefined ? { takesNext: true } : { value };
  if (takes === 'attached') return value === undefined ? {} : { value };
  return /^-[A-Za-z]/.test(text) ? readLetters(text, options) : undefined;
}

/** Whether no file that a pattern finds can be read as another option. */
function hasFixedStart(text: string): boolean {
  return text.startsWith('-') ? /^--?[\w-]+=/.test(text) : !/^[*?[\]^]/.test(text);
}

/** Whether a word can only be a value: if the program takes none here, it would read the word as an option. */
function isValue({ text, isPattern }: Word): boolean {
  return !isPattern && (!text.startsWith('-') || IS_NUMBER.test(text));
}

/** One word that is not a value: an operand, the end of the options, or an option and where its value is. */
function readWord(word: Word, options: Options): Read {
  const isOpen = word.isPattern && !hasFixedStart(word.text);
  if (isOpen && !options.has(ANY) && !options.has(HARMLESS)) return undefined;
  return isOption(word) ? readOption(word.text, options) : {};
}

function isOption({ text }: Word): boolean {
  return text.startsWith('-') && text !== '-';
}

/** Divides what a command is given; undefined if there is an option that it may not have. Names are not abbreviated. */
export function readGiven(words: readonly Word[], options: Options): Given | undefined {
  const end = words.findIndex(({ text }) => text === '--');
  const before = end < 0 ? words : words.slice(0, end);
  const after = end < 0 ? [] : words.slice(end + 1);
  // Not every program knows that two dashes end the options.
  if (after.some((word) => isOption(word) || readWord(word, options) === undefined)) return undefined;
  const operands: Word[] = [];
  const values: Word[] = [];
  for (let at = 0; at < before.length; at++) {
    const word = before[at] as Word;
    const read = readWord(word, options);
    if (read === undefined) return undefined;
    if (!isOption(word)) operands.push(word);
    if (read.value !== undefined) values.push({ ...word, text: read.value });
    if (read.takesNext !== true) continue;
    const next = before[++at];
    if (next === undefined || !isValue(next)) return undefined;
    values.push(next);
  }
  return { operands: [...operands, ...after], values };
}
