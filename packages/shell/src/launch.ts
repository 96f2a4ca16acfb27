import { type OptionSpec, type ReadOptions, readOptions } from './options.ts';
import { literal, programOf, type ShellWord } from './word.ts';

interface Prefix extends OptionSpec {
  /** Words between its options and the program that it runs. */
  readonly operands?: number;
  /** Takes `NAME=value` before the program. */
  readonly hasAssignments?: boolean;
}

const SUDO =
  'user= group= host= prompt= close-from= command-timeout= non-interactive stdin preserve-env set-home background askpass';
const XARGS =
  'null no-run-if-empty verbose interactive exit open-tty replace eof max-lines arg-file= delimiter= max-args= max-procs=';

/** Programs that run another one, which their own words name. An option that is not listed here changes what they run. */
const PREFIXES: ReadonlyMap<string, Prefix> = new Map<string, Prefix>([
  ['sudo', { short: 'ABbEHknNPSu:g:h:p:C:r:t:T:U:', long: SUDO, hasAssignments: true }],
  ['doas', { short: 'nu:C:' }],
  ['env', { short: 'i0vu:', long: 'ignore-environment null unset= debug', hasAssignments: true }],
  ['time', { short: 'apvqf:o:', long: 'append verbose portability quiet format= output=' }],
  ['nohup', {}],
  ['setsid', { short: 'cfw', long: 'ctty fork wait' }],
  ['command', { short: 'p' }],
  ['builtin', {}],
  ['exec', { short: 'cla:' }],
  ['nice', { short: 'n:0123456789', long: 'adjustment=' }],
  ['ionice', { short: 'tc:n:', long: 'class= classdata= ignore' }],
  ['timeout', { short: 'fvpk:s:', long: 'foreground preserve-status verbose kill-after= signal=', operands: 1 }],
  ['stdbuf', { short: 'i:o:e:', long: 'input= output= error=' }],
  ['busybox', {}],
  ['xargs', { short: '0rtopxi::e::l::a:d:E:I:L:n:P:s:', long: XARGS }],
]);

const WATCH: OptionSpec = {
  short: 'bcdegtpwn:q:',
  long: 'beep color differences errexit chgexit no-title precise no-wrap interval=',
};
const SHELL: OptionSpec = { short: 'co:O:', long: 'rcfile= init-file=', isLenient: true };
const OTHER_USER: OptionSpec = { short: 'c:s:g:G:w:', long: 'command= shell= group=', isLenient: true };

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'mksh']);
/** Run the value of their option `-c`, and take options after other words as well. */
const WITH_SCRIPT: ReadonlySet<string> = new Set(['su', 'runuser', 'script', 'flock']);
const SETTING = /^[A-Za-z_]\w*=/;

/** A command behind the programs that run it. */
export interface Launch {
  readonly words: readonly ShellWord[];
  readonly through: readonly string[];
  readonly assignments: readonly (readonly [name: string, value: string])[];
  /** The files that options such as `xargs -a` name. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** The word that `xargs -I` replaces by its input. */
  readonly placeholder?: string;
  /** An option of one of them is not known. */
  readonly isUnknown: boolean;
}

const MAX_PREFIXES = 10;
const SYSTEM = /^(?:\/(?:usr\/(?:local\/)?)?s?bin\/|\/opt\/homebrew\/bin\/)?[^/]+$/;

/** The program that a word names, if it is one of the system. A file of that name elsewhere can be any program. */
function systemProgram(word: ShellWord | undefined): string {
  return word === undefined || !SYSTEM.test(word.text) ? '' : programOf(word);
}

/** What the options of a program say about the command that it runs. */
function takeOptions(launch: Launch, program: string, { values }: ReadOptions): Launch {
  const given = (option: RegExp): ShellWord | undefined => values.find(([name]) => option.test(name))?.[1];
  const read = program === 'xargs' ? given(/^-(?:a|-arg-file)$/) : undefined;
  const written = program === 'time' ? given(/^-(?:o|-output)$/) : undefined;
  const isReplacing = program === 'xargs' && values.some(([name]) => /^-(?:I|i|-replace)$/.test(name));
  return {
    ...launch,
    through: [...launch.through, program],
    reads: read === undefined ? launch.reads : [...launch.reads, read.text],
    writes: written === undefined ? launch.writes : [...launch.writes, written.text],
    ...(isReplacing && { placeholder: given(/^-(?:I|i|-replace)$/)?.text || '{}' }),
  };
}

/** Looks through programs such as `sudo` and `env` to the command that they run. */
export function launchOf(words: readonly ShellWord[]): Launch {
  let launch: Launch = { words, through: [], assignments: [], reads: [], writes: [], isUnknown: false };
  for (;;) {
    const name = systemProgram(launch.words[0]);
    const prefix = PREFIXES.get(name);
    if (prefix === undefined) return launch;
    if (launch.through.length >= MAX_PREFIXES) return { ...launch, isUnknown: true };
    const options = readOptions(launch.words.slice(1), prefix);
    const { rest, isUnknown } = options;
    // `command -v` says where a program is, and does not run it.
    if (isUnknown) return { ...launch, isUnknown: !(name === 'command' && /^-[vV]/.test(rest[0]?.text ?? '')) };
    const operands = rest.slice((prefix.operands ?? 0) + (name === 'env' && rest[0]?.text === '-' ? 1 : 0));
    const isSetting = ({ text }: ShellWord): boolean => prefix.hasAssignments === true && SETTING.test(text);
    const end = operands.findIndex((word) => !isSetting(word));
    if (end < 0) return launch;
    const set = operands
      .slice(0, end)
      .map(({ text }) => [text.replace(/=.*/s, ''), text.replace(/^[^=]*=/, '')] as const);
    launch = {
      ...takeOptions(launch, name, options),
      words: operands.slice(end),
      assignments: [...launch.assignments, ...set],
    };
  }
}

function joined(words: readonly ShellWord[]): ShellWord {
  const isComputed = words.some((word) => word.isComputed);
  const text = words.map((word) => word.text).join(' ');
  return { text, isComputed, hasOutput: words.some((word) => word.hasOutput), knownEnd: '' };
}

/** A script that words of a command hold. */
export interface Script {
  readonly word: ShellWord;
  /** The command does nothing else, and has no further words for it. */
  readonly isAll: boolean;
}

/** The script of `sh -c`, `eval` or `watch`. */
export function scriptIn([name, ...given]: readonly ShellWord[]): Script | undefined {
  const program = name === undefined ? '' : programOf(name);
  if (program === 'eval' && given.length > 0)
    return { word: joined(given[0]?.text === '--' ? given.slice(1) : given), isAll: true };
  if (program === 'watch') {
    const { rest, isUnknown } = readOptions(given, WATCH);
    return rest.length === 0 || isUnknown ? undefined : { word: joined(rest), isAll: true };
  }
  if (!SHELLS.has(program)) return undefined;
  const { values, rest } = readOptions(withoutPlus(given), SHELL);
  const [word, ...others] = rest;
  const isGiven = word !== undefined && values.some(([name]) => name === '-c');
  return isGiven ? { word, isAll: others.length === 0 && systemProgram(name) === program } : undefined;
}

/** Shells take `+x` and `+o name` as options. */
function withoutPlus(words: readonly ShellWord[]): readonly ShellWord[] {
  return words.map((word) => (/^\+[a-zA-Z]/.test(word.text) ? literal(`-${word.text.slice(1)}`) : word));
}

/** Recognizes a shell that runs what it reads. */
export function readsScript(program: string, given: readonly ShellWord[]): boolean {
  if (!SHELLS.has(program)) return false;
  const { values, rest } = readOptions(withoutPlus(given), SHELL);
  return values.some(([name]) => name === '-s') || /^(?:-|\/dev\/stdin)?$/.test(rest[0]?.text ?? '');
}

/** The scripts that a command runs besides its own work: that of `trap` or `su -c`. */
export function scriptsBeside(program: string, given: readonly ShellWord[]): readonly ShellWord[] {
  if (program === 'trap') {
    const [script] = given[0]?.text === '--' ? given.slice(1) : given;
    return script === undefined || /^(?:-.*|)$/s.test(script.text) || given.length < 2 ? [] : [script];
  }
  if (!WITH_SCRIPT.has(program)) return [];
  const scripts: ShellWord[] = [];
  for (let rest = given; rest.length > 0; rest = rest.slice(1)) {
    const read = readOptions(rest, OTHER_USER);
    for (const [name, value] of read.values)
      if (/^-(?:c|-command)$/.test(name) && value !== undefined) scripts.push(value);
    rest = read.rest;
  }
  return scripts;
}

const EXECUTING = /^-(?:exec|execdir|ok|okdir)$/;

/** The commands that `find` runs on what it finds. */
export function commandsOfFind(program: string, given: readonly ShellWord[]): readonly (readonly ShellWord[])[] {
  if (program !== 'find') return [];
  const found: (readonly ShellWord[])[] = [];
  for (let at = 0; at < given.length; at++) {
    if (!EXECUTING.test(given[at]?.text ?? '')) continue;
    const end = given.findIndex(({ text }, index) => index > at && (text === ';' || text === '+'));
    found.push(given.slice(at + 1, end < 0 ? given.length : end));
    at = end < 0 ? given.length : end;
  }
  return found;
}
