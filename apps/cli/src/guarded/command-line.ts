import { readShell, type ShellCommand } from '@sallyport/shell';
import { UNKNOWN_FOLDER } from './path.ts';

/** Finds where a path leads from a folder. */
export type Locate = (path: string, folder?: string) => string;

/** The files that a line of a shell works on. */
export interface LineUse {
  /** Every word that can be a path, as located from each folder in which its command may run. */
  readonly paths: readonly string[];
  /** The folders that are read with all their contents. */
  readonly walked: readonly string[];
}

/** A longer line is not taken for ordinary work, so that a person is asked about it anyway. */
const MAX_LENGTH = 4000;
const MAX_FOLDERS = 16;

const ALWAYS = /^/;
const RECURSIVE = /^-\w*[rRa]|^--(?:recursive|archive)/;
const SEARCHING = /^-\w*[rRd]|^--[dr]/;

/** The programs that read all that is in a folder, by the word that makes them do so. */
const WALKERS: ReadonlyMap<string, RegExp> = new Map([
  ...['grep', 'egrep', 'fgrep', 'zgrep'].map((name) => [name, SEARCHING] as const),
  ...['rg', 'ag', 'ack', 'ugrep', 'tar', 'bsdtar', 'zip', '7z', 'rsync'].map((name) => [name, ALWAYS] as const),
  ['git', /^(?:grep|diff|add)$/],
  ['diff', /^-\w*r|^--r/],
  ['cp', RECURSIVE],
  ['scp', RECURSIVE],
  ['find', /^-(?:exec|ok)/],
]);

const PATTERN_FIRST: ReadonlySet<string> = new Set(['grep', 'egrep', 'fgrep', 'zgrep', 'rg', 'ag', 'ack', 'ugrep']);
const PATTERN_OPTION = /^-\w*[ef]|^--(?:regexp|file)/;

function nameOf(word: string): string {
  return word.replace(/^.*[\\/]/, '').replace(/\.exe$/i, '');
}

/** The paths that a command reads with all that is in them; undefined if it does not read in that way. */
function walkedBy(words: readonly string[]): readonly string[] | undefined {
  const at = words.findIndex((word) => WALKERS.has(nameOf(word)));
  const name = nameOf(words[at] ?? '');
  const given = words.slice(at + 1);
  const isWalking = WALKERS.get(name);
  if (isWalking === undefined || !(isWalking === ALWAYS || given.some((word) => isWalking.test(word))))
    return undefined;
  const operands = given.filter((word) => !word.startsWith('-'));
  const hasPattern = PATTERN_FIRST.has(name) && operands.length > 1 && !given.some((word) => PATTERN_OPTION.test(word));
  return [...words.slice(0, at), ...given].filter((word) => !(hasPattern && word === operands[0]));
}

/** A word, and what is after its sign of equality: `--directory=/tmp`. */
function valuesIn(word: string): readonly string[] {
  const [, value] = /^[\w-]*=(.*)$/s.exec(word) ?? [];
  return value === undefined ? [word] : [word, value];
}

const ENTERING = /^(?:cd|chdir|pushd|Set-Location|sl)$/i;

/** The words of a command, its program first, and the files that it names in other places. */
function wordsOf({ program, path = program, words, assignments, reads, writes, input }: ShellCommand): {
  readonly words: readonly string[];
  readonly others: readonly string[];
} {
  const texts = [...Object.values(assignments), ...(input === undefined ? [] : [input])];
  return {
    words: path === '' ? words : [path, ...words],
    others: [...reads, ...writes, ...texts.flatMap(looseWords)],
  };
}

/** The words of a text that the parser cannot read. */
function looseWords(text: string): readonly string[] {
  return text.split(/[\s"'`;&|()<>=]+/).filter((word) => word !== '');
}

/** Reads a line of a shell: where its commands run, and what they name. */
export function readLine(line: string, locate: Locate, start: string = UNKNOWN_FOLDER): LineUse {
  if (line.length > MAX_LENGTH) return { paths: [], walked: [] };
  const { commands, isOpaque } = readShell(line);
  const [paths, walked] = [new Set<string>(), new Set<string>()];
  // A command may fail, and what follows it then runs where it did.
  let all: ReadonlySet<string> = new Set([start]);
  for (const command of commands) {
    const { words, others } = wordsOf(command);
    const { folder, isFolderSure } = command;
    const here = folder !== undefined && isFolderSure ? [locate(folder, start)] : [...all];
    const locateAll = (given: readonly string[]): string[] =>
      given.flatMap(valuesIn).flatMap((word) => here.map((each) => locate(word, each)));
    const isEntering = ENTERING.test(command.program);
    const named = locateAll(isEntering ? [command.words.find((word) => !word.startsWith('-')) ?? '~'] : words);
    addAll(paths, [...named, ...locateAll(others)]);
    if (isEntering) all = withAll(all, named);
    const read = walkedBy(words);
    if (read !== undefined) addAll(walked, [...locateAll(read), ...here]);
  }
  if (isOpaque)
    addAll(
      paths,
      looseWords(line).flatMap((word) => [...all].map((folder) => locate(word, folder))),
    );
  return { paths: [...paths], walked: [...walked] };
}

/** Too many folders to follow: it may be any. */
function withAll(all: ReadonlySet<string>, entered: readonly string[]): ReadonlySet<string> {
  const both = new Set([...all, ...entered]);
  return both.size > MAX_FOLDERS ? new Set(['/']) : both;
}

function addAll(set: Set<string>, all: readonly string[]): void {
  for (const each of all) set.add(each);
}
