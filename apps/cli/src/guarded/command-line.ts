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

const TOKEN = /(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s;&|()<>`'"\\])+|&?[<>]+&?|&&|[;&|()`\n]/gs;
const SILENT = /^&?[<>]/;
const SEPARATOR = /^(?:&&|[;&|()`\n])$/;

interface LineCommand {
  readonly words: readonly string[];
  /** Set if it runs only after all commands before it have succeeded. */
  readonly isSure: boolean;
}

function unquoted(word: string): string {
  return word.replace(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs, (_, one?: string, two?: string, three?: string) =>
    (one ?? two ?? three ?? '').replace(/\\(["\\$`])/g, '$1'),
  );
}

function commandsIn(line: string): readonly LineCommand[] {
  const commands: { words: string[]; isSure: boolean }[] = [{ words: [], isSure: true }];
  for (const [token] of line.matchAll(TOKEN)) {
    if (SEPARATOR.test(token)) {
      const isSure = token === '&&' && (commands.at(-1)?.isSure ?? false);
      commands.push({ words: [], isSure });
    } else if (!SILENT.test(token)) commands.at(-1)?.words.push(unquoted(token));
  }
  return commands;
}

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

/** The folders in which the next command of a line may run. */
class Folders {
  /** Where it runs if every command until now has succeeded. */
  #last: readonly string[];
  /** A command may fail, and what follows it then runs where it did. */
  #all: ReadonlySet<string>;

  constructor(start: string) {
    this.#last = [start];
    this.#all = new Set(this.#last);
  }

  at({ isSure }: LineCommand): readonly string[] {
    return isSure ? this.#last : [...this.#all];
  }

  enter(entered: readonly string[]): void {
    this.#last = entered;
    const all = new Set([...this.#all, ...entered]);
    // Too many to follow: it may be any.
    this.#all = all.size > MAX_FOLDERS ? new Set(['/']) : all;
  }
}

/** Reads a line of a shell: where its commands run, and what they name. */
export function readLine(line: string, locate: Locate, start: string = UNKNOWN_FOLDER): LineUse {
  const [paths, walked] = [new Set<string>(), new Set<string>()];
  const folders = new Folders(start);
  for (const command of line.length > MAX_LENGTH ? [] : commandsIn(line)) {
    const [program = '', ...given] = command.words;
    const here = folders.at(command);
    const locateAll = (words: readonly string[]): string[] =>
      words.flatMap(valuesIn).flatMap((word) => here.map((folder) => locate(word, folder)));
    const isEntering = ENTERING.test(program);
    const named = locateAll(isEntering ? [given.find((word) => !word.startsWith('-')) ?? '~'] : command.words);
    addAll(paths, named);
    if (isEntering) folders.enter(named);
    const read = walkedBy(command.words);
    if (read !== undefined) addAll(walked, [...locateAll(read), ...here]);
  }
  return { paths: [...paths], walked: [...walked] };
}

function addAll(set: Set<string>, all: readonly string[]): void {
  for (const each of all) set.add(each);
}
