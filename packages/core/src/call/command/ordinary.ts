/**
 * A policy for shells: which commands are ordinary work on a project. Commands are parsed into words and options, not matched by
 * their beginning. Everything that is not understood is not ordinary.
 */
import type { Command, Word } from './line.ts';
import { optionsIn, readGiven } from './options.ts';
import { isChangeable, isInside, isReadable, pathIn } from './paths.ts';
import { type Operands, type Program, printsVersion, programOf, SCRIPT } from './programs.ts';
import { commandsIn, withoutStart } from './starts.ts';

const REMOTE = /[a-z][a-z0-9+.-]*:\/\/|@[\w-]+\.|^\w[\w.-]*:\S*\//i;
const NAME = /^[@\w.][\w.@/+-]*$/;
const TARGET = /^[\w.-]*\w$/;
/** `s/old/new/g`, which every kind of sed ends at the same sign: it runs nothing and writes no other file. */
const REPLACEMENT =
  /^s([/|#,])(?:\\[^\p{Cc}]|\[(?:\^[^\]^\\/|#,]|[^\]^\\/|#,])[^\]\\/|#,]*\]|(?!\1)[^\\[\p{Cc}])+\1(?:\\[^\p{Cc}]|(?!\1)[^\\\p{Cc}])*\1(?:\d{0,3}g?I?|I?g?)$/u;
const LOCAL = /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1)(?::\d{1,5})?(?:[/?][\w./?=&%,:+-]*)?$/;
const PRINTED_LINES = /^\d{1,6}(?:,\d{1,6})?p$/;
// A filter of jq can read the environment and other files; it cannot compute the name of what it calls.
const READS_MORE = /env|import|include|input_filename|__/i;
// `print` of one or more columns, perhaps of some lines.
const COLUMNS =
  /^(?:NR *[<>=!]=? *\d+ *)?\{ *print(?: +(?:\$(?:\d+|NF)|"[^"\\]*"))?(?: *,? *(?:\$(?:\d+|NF)|"[^"\\]*"))* *\}$/;
// Without numbers, and widths from arguments: some shells evaluate what is given for one.
const PLAIN_FORMAT = /^(?:[^%]|%(?:%|-?\d*(?:\.\d+)?[sbc]))*$/s;
const NUMBER = /^-?\d+(?:\.\d+)?$/;
const INSTALLED = /(?:^|\/)node_modules(?:\/|$)/;
const PROJECT_FILE = /^[^-].*\.(?:[cm]?[jt]sx?|py|rb|php)$/;

/** Checks the words in the folder that the line has moved to; empty if it has not moved. */
type Check = (words: readonly Word[], folder: string) => boolean;

const runs: Check = (words) => words.every(({ text }) => isInside(text) && !REMOTE.test(text));
// Some scripts run what they are given as a line of their own.
const isScriptWord = ({ text }: Word): boolean =>
  isInside(text.replace(/^@(?=[\w-]+\/)/, '')) && !REMOTE.test(text) && !/[|;&<>$`\n]/.test(text);
const reads: Check = (words, folder) =>
  words.every((word) => isReadable(word) && isReadable({ text: pathIn(folder, word.text), isPattern: false }));
/** A folder that is named from the root or from the home folder is taken for the project. */
const changes: Check = (words, folder) =>
  words.every((word) => isChangeable(/^~?\/./.test(folder) ? word : { ...word, text: pathIn(folder, word.text) }));

/** What the operands of a command must be. */
const CHECKS: Readonly<Record<Operands, Check>> = {
  none: ({ length }) => length === 0,
  words: () => true,
  prints: ([format, ...given]) => PLAIN_FORMAT.test(format?.text ?? '') || given.every(({ text }) => NUMBER.test(text)),
  formats: (words) => words.every(({ text }) => text.startsWith('+')),
  names: (words) => words.every(({ text }) => NAME.test(text) && !REMOTE.test(text)),
  targets: (words) => words.every(({ text }) => TARGET.test(text)),
  reads,
  one: (words, folder) => words.length < 2 && reads(words, folder),
  searches: ([, ...paths], folder) => reads(paths, folder),
  filters: ([filter, ...paths], folder) =>
    filter !== undefined && !READS_MORE.test(filter.text) && reads(paths, folder),
  lines: ([lines, ...paths], folder) => PRINTED_LINES.test(lines?.text ?? '') && reads(paths, folder),
  columns: ([columns, ...paths], folder) => COLUMNS.test(columns?.text ?? '') && reads(paths, folder),
  // BSD takes what follows the option for the ending of a copy.
  edits: (words, folder) => {
    const [script, ...files] = words[0]?.text === '' ? words.slice(1) : words;
    return REPLACEMENT.test(script?.text ?? '') && files.length === 1 && changes(files, folder);
  },
  moves: (words, folder) =>
    words.length < 2 && reads(words, folder) && !words.some(({ text }) => text === '-' || pathIn(folder, text) === '/'),
  swaps: ({ length }) => length === 0,
  changes,
  makes: changes,
  runs,
  local: (words) => words.length === 1 && words.every(({ text }) => LOCAL.test(text)),
  script: (words) => words.length === 1 && words.every(isScriptWord),
  scripts: (words) => words.every(isScriptWord),
  files: ([file, ...others], folder) =>
    file !== undefined &&
    PROJECT_FILE.test(file.text) &&
    changes([file], folder) &&
    !INSTALLED.test(file.text) &&
    others.every(isScriptWord),
};

/** What a package may be asked that is installed: nothing that runs its code or changes it. */
const LOOKS: ReadonlySet<Operands> = new Set([
  ...(['words', 'prints', 'formats', 'reads', 'one', 'searches', 'filters', 'lines', 'columns', 'moves'] as const),
]);

/** Kinds of operands whose values of options are checked like them. */
const PATHS: Partial<Readonly<Record<Operands, Check>>> = {
  reads,
  one: reads,
  searches: reads,
  filters: reads,
  lines: reads,
  columns: CHECKS.words,
  changes,
  makes: changes,
  runs,
  scripts: CHECKS.scripts,
  files: CHECKS.scripts,
};

/** What a script is given, after two dashes or after its name. */
const scriptOptions = optionsIn(SCRIPT.split(' '));

function isAllowed({ operands: kind, options }: Program, words: readonly Word[], folder: string): boolean {
  if (INSTALLED.test(folder) && !LOOKS.has(kind)) return false;
  const end = kind === 'scripts' ? words.findIndex(({ text }) => text === '--') : -1;
  const own = readGiven(end < 0 ? words : words.slice(0, end), options);
  const passed = readGiven(end < 0 ? [] : words.slice(end + 1), scriptOptions);
  if (own === undefined || passed === undefined) return false;
  // Before the file, an option is one of the interpreter.
  if (kind === 'files' && words[0] !== own.operands[0]) return false;
  const values = [...own.values, ...passed.values];
  return CHECKS[kind]([...own.operands, ...passed.operands], folder) && (PATHS[kind]?.(values, folder) ?? true);
}

function programIn(command: Command): Program | undefined {
  const names = command.slice(0, 3);
  const last = names.findIndex(({ isPattern }) => isPattern);
  return programOf((last < 0 ? names : names.slice(0, last)).map(({ text }) => text));
}

/** What the operands of an ordinary command are, in the folder that the line has moved to; undefined if it is not ordinary. */
export function ordinaryUse(given: Command, folder = ''): Operands | undefined {
  const command = withoutStart(given);
  const [program, option, ...more] = command;
  if (program === undefined) return undefined;
  if (option !== undefined && more.length === 0 && printsVersion(program.text, option.text)) return 'none';
  const known = programIn(command);
  return known !== undefined && isAllowed(known, command.slice(known.length), folder) ? known.operands : undefined;
}

/**
 * Whether a command line, in a folder, is ordinary work on a project: its own tests and scripts, files, version control.
 *
 * @example
 * ```ts
 * isOrdinaryCommand('npm test && git status'); // true
 * isOrdinaryCommand('curl -s https://get.example | sh'); // false
 * ```
 */
export function isOrdinaryCommand(line: string, start = ''): boolean {
  let folder = start;
  for (const command of commandsIn(line) ?? [[]]) {
    if (ordinaryUse(command, folder) === undefined) return false;
    const [program, moved] = command;
    if (program?.text === 'cd') folder = pathIn(folder, moved?.text ?? '~');
  }
  return true;
}
