import type { Assignment, Command, CommandArgument, Word, WordPart } from 'unbash';

/** A word of a command. */
export interface ShellWord {
  /** Without quotes; an expansion stays as written. */
  readonly text: string;
  /** It has an expansion or a pattern, so that the shell makes another word of it, or several. */
  readonly isComputed: boolean;
  /** It has the output of a command in it. */
  readonly hasOutput: boolean;
  /** The end of it that is known: `/bin/x` in `$HOME/bin/x`. */
  readonly knownEnd: string;
}

export function literal(text: string): ShellWord {
  return { text, isComputed: false, hasOutput: false, knownEnd: text };
}

/** A file with line ends of Windows ends its words with this, and shells take it for a part of them. */
function withoutReturn(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}

const KNOWN: ReadonlySet<string> = new Set(['Literal', 'SingleQuoted', 'AnsiCQuoted']);
const OUTPUT: ReadonlySet<string> = new Set(['CommandExpansion', 'ProcessSubstitution', 'ArithmeticExpansion']);

export function isKnownPart({ type }: WordPart): boolean {
  return KNOWN.has(type);
}

/** The parts of a word, those in double quotes too. */
function partsIn(parts: readonly WordPart[]): readonly WordPart[] {
  return parts.flatMap((part): readonly WordPart[] =>
    part.type === 'DoubleQuoted' || part.type === 'LocaleString' ? part.parts : [part],
  );
}

/** Looks for the output of a command, also deep in `${A:-$(b)}`. */
export function hasOutput(part: WordPart): boolean {
  return OUTPUT.has(part.type) || (!isKnownPart(part) && /[`]|\$\(|[<>]\(/.test(part.text));
}

export function readWord(word: Word): ShellWord {
  const text = withoutReturn(word.value);
  if (word.parts === undefined) return literal(text);
  const parts = partsIn(word.parts);
  const last = parts.findLastIndex((part) => !isKnownPart(part));
  const knownEnd = parts
    .slice(last + 1)
    .map((part) => ('value' in part ? part.value : ''))
    .join('');
  return { text, isComputed: last >= 0, hasOutput: parts.some(hasOutput), knownEnd: withoutReturn(knownEnd) };
}

/** A variable that is set, and the words of its value. */
function readSetting({ name, value }: Assignment): readonly [name: string, words: readonly ShellWord[]] {
  return [name, value.type === 'Word' ? [readWord(value)] : value.elements.map(readWord)];
}

function textOf(words: readonly ShellWord[]): string {
  return words.map(({ text }) => text).join(' ');
}

/** A word, or a setting after a command such as `export`. */
export function readArgument(argument: CommandArgument): ShellWord {
  if (argument.type === 'Word') return readWord(argument);
  const [name, words] = readSetting(argument);
  return {
    text: `${name}=${textOf(words)}`,
    isComputed: words.some(({ isComputed }) => isComputed),
    hasOutput: words.some((word) => word.hasOutput),
    knownEnd: '',
  };
}

/** The variables that are set for a command, or by it. */
export function settingsOf({ prefix, suffix }: Command): readonly (readonly [name: string, value: string])[] {
  return [...prefix, ...suffix].flatMap((each) => {
    if (each.type !== 'Assignment') return [];
    const [name, words] = readSetting(each);
    return [[name, textOf(words)] as const];
  });
}

/** The name of a program without its folder; empty if it is computed. */
export function programOf({ isComputed, knownEnd }: ShellWord): string {
  const slash = knownEnd.lastIndexOf('/');
  return isComputed && slash < 0 ? '' : knownEnd.slice(slash + 1).replace(/\.exe$/i, '');
}
