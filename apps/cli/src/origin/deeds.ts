import type { ShellCommand, ShellLine } from '@sallyport/shell';
import { isFetching, TEMPORARY } from './others.ts';

const list = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** Programs that run what they read. */
const INTERPRETERS = list(
  'sh bash zsh dash ash ksh fish eval source . python node deno bun perl ruby php lua pwsh osascript',
);
/** Options by which they take their program from the line instead. */
const OWN_PROGRAM = list('-c -e -m -p -E --eval --print -r');
const STANDARD_INPUT = list('- -s /dev/stdin');

/** The commands whose output a command reads, through any number of pipes. */
function* sourcesOf(command: ShellCommand, { commands }: ShellLine): Generator<ShellCommand> {
  const left = [command.pipedFrom, ...command.uses];
  const seen = new Set<number>();
  for (let at = left.pop(); left.length > 0 || at !== undefined; at = left.pop()) {
    const source = at === undefined || seen.has(at) ? undefined : commands[at];
    if (source === undefined || at === undefined) continue;
    seen.add(at);
    yield source;
    left.push(source.pipedFrom, ...source.uses);
  }
}

const SHELLS = list('sh bash zsh dash ash ksh fish');

function isInterpreter(program: string): boolean {
  return INTERPRETERS.has(program.replace(/[\d.]+$/, ''));
}

/** A program that is read from standard input or from the output of another command. */
export function runsWhatItReads({ program, words, uses, pipedFrom }: ShellCommand): boolean {
  if (!isInterpreter(program) && (program !== '' || uses.length === 0)) return false;
  if (uses.length > 0) return true;
  if (pipedFrom === undefined) return false;
  const isOwn = (word: string): boolean => (SHELLS.has(program) ? word === '-c' : OWN_PROGRAM.has(word));
  const ownProgram = words.some(isOwn);
  return !ownProgram && (words.every(isOption) || words.some((word) => STANDARD_INPUT.has(word)));
}

/** The commands that fetch what another one runs: `curl ... | sh`. */
export function downloadsRunBy(line: ShellLine): readonly ShellCommand[] {
  const fetching = new Set(line.commands.filter(isFetching));
  if (fetching.size === 0) return [];
  const sources = line.commands.filter(runsWhatItReads).flatMap((command) => [...sourcesOf(command, line)]);
  return [...new Set(sources)].filter((source) => fetching.has(source));
}

const SENDING =
  /^(?:-[a-zA-Z]*[dFT]|--(?:data|form|json|upload-file|post-data|post-file|body-data|body-file)(?:-\w+)?(?:=|$))/;
const COPYING = list('scp rsync nc ncat sftp ftp ssh');

/** A command that gives data to the machine that it names, now or with the next push. */
export function givesData({ program, words, pipedFrom, reads, uses }: ShellCommand): boolean {
  if (program === 'curl' || program === 'wget')
    return pipedFrom !== undefined || reads.length + uses.length > 0 || words.some((word) => SENDING.test(word));
  return COPYING.has(program) || (program === 'git' && words.some((word) => word === 'remote' || word === 'push'));
}

const ENVIRONMENT = list('env printenv export set');

/** The commands that read, directly or through others, what some of a line print. */
function readersOf(printing: ReadonlySet<number>, { commands }: ShellLine): ReadonlySet<number> {
  const readers = new Set(printing);
  for (let size = 0; size < readers.size; ) {
    size = readers.size;
    for (const [at, { pipedFrom = -1, uses }] of commands.entries())
      if (readers.has(pipedFrom) || uses.some((each) => readers.has(each))) readers.add(at);
  }
  return readers;
}

/** All variables of the environment, with the keys in it, go to another machine or into another command. */
export function givesEnvironment(line: ShellLine): boolean {
  const isAll = ({ program, words }: ShellCommand): boolean => ENVIRONMENT.has(program) && words.every(isOption);
  const all = new Set([...line.commands.entries()].flatMap(([at, command]) => (isAll(command) ? [at] : [])));
  if (all.size === 0) return false;
  const readers = readersOf(all, line);
  return [...readers].some((at) => {
    const command = line.commands[at];
    if (command === undefined) return false;
    return command.uses.some((each) => readers.has(each)) || (!all.has(at) && isFetching(command));
  });
}

/** Programs that install packages, by the words that make them do so. */
const INSTALLING: Readonly<Record<string, string>> = {
  ...Object.fromEntries('npm pnpm yarn bun'.split(' ').map((name) => [name, 'i install add'])),
  ...Object.fromEntries(
    'pip pip3 gem apt apt-get dnf yum zypper conda mamba'.split(' ').map((name) => [name, 'install']),
  ),
  ...{
    uv: 'add install',
    poetry: 'add',
    pdm: 'add',
    cargo: 'add install',
    go: 'get install',
    apk: 'add',
    bundle: 'add',
  },
  ...{ composer: 'require', dotnet: 'add', brew: 'install tap', code: '--install-extension', pacman: '-S' },
};
/** Programs that get a package and run it, or change where packages come from. */
const GETTING: Readonly<Record<string, string>> = {
  ...{ npx: '', bunx: '', uvx: '', pipx: 'run install', pnpx: '', npm: 'exec x config', pnpm: 'dlx exec config' },
  ...{
    yarn: 'dlx config',
    bun: 'x',
    go: 'run mod',
    pip: 'config',
    pip3: 'config',
    docker: 'pull run',
    podman: 'pull run',
  },
  ...{ helm: 'repo install', gh: 'extension', cargo: 'login', gem: 'sources', uv: 'tool' },
};

/** Of these, those that give the other words to what they run. */
const RUNNERS = list('npx bunx uvx pipx pnpx');

/** `python -m pip install` is `pip install`. */
function plain(command: ShellCommand): Pick<ShellCommand, 'program' | 'words'> {
  const { program, words } = command;
  const isModule = /^python[\d.]*$/.test(program) && words[0] === '-m';
  return isModule ? { program: words[1] ?? '', words: words.slice(2) } : command;
}

/** The words after the verb that installs or gets something; with a program that needs none, all of them. */
function after(
  { program, words }: Pick<ShellCommand, 'program' | 'words'>,
  verbs: Readonly<Record<string, string>>,
): readonly string[] {
  const named = Object.hasOwn(verbs, program) ? verbs[program] : undefined;
  if (named === undefined || named === '') return named === '' ? words : [];
  const at = words.slice(0, 5).findIndex((word) => named.split(' ').includes(word));
  return at < 0 ? [] : words.slice(at + 1);
}

const isOption = (word: string): boolean => word.startsWith('-');
/** A file of the project, or a variable. */
const isLocal = (word: string): boolean => /^[./~$]|^\w+=(?!=)/.test(word);

/** A package that a line adds. */
export interface Added {
  readonly name: string;
  /** It can be the value of the option before it. */
  readonly isAfterOption: boolean;
}

/** The packages that a line adds, by the names that it gives them. */
export function packagesAddedBy({ commands }: ShellLine): readonly Added[] {
  return commands.flatMap((command) => {
    const words = after(plain(command), INSTALLING);
    return words.flatMap((word, at) => {
      if (isOption(word) || isLocal(word)) return [];
      return [{ name: withoutVersion(word), isAfterOption: at > 0 && isOption(words[at - 1] ?? '') }];
    });
  });
}

/** What a line gets and runs, or where packages come from after it. */
export function packagesUsedBy({ commands }: ShellLine): readonly string[] {
  return commands.flatMap((command) => {
    const words = after(plain(command), GETTING).filter((word) => !isOption(word) && !isLocal(word));
    return RUNNERS.has(command.program) ? words.slice(0, 1) : words;
  });
}

function withoutVersion(name: string): string {
  return name.replace(/(?<=.)(?:@|[<>=~!]=?|\[).*$/s, '');
}

/** Where a line lets the project be pushed to from then on. */
export function remotesAddedBy({ commands }: ShellLine): readonly string[] {
  return commands.flatMap(({ program, words }) => {
    const at = program === 'git' ? words.indexOf('remote') : -1;
    const isAdding = at >= 0 && (words[at + 1] === 'add' || words[at + 1] === 'set-url');
    return isAdding ? words.slice(at + 2).filter((word) => /[:/\\]/.test(word)) : [];
  });
}

/** What changes for others than the user: what they get, who may do what, what the project says in public. A push is followed by a review. */
const OUTWARD: readonly (readonly [program: string, words: RegExp])[] = [
  ['git', /^(?:.* )?remote (?:add|set-url)\b/],
  ['gh', /^(?:pr|issue|release|repo|secret|variable|workflow|gist|label|api|ssh-key|gpg-key)\b/],
  ['glab', /^(?:mr|issue|release|repo|variable|api|ssh-key)\b/],
  ...(['npm', 'pnpm', 'yarn', 'bun', 'cargo'] as const).map(
    (name) => [name, /^(?:publish|owner|token|access|unpublish|deprecate|yank)\b/] as const,
  ),
  ['gem', /^(?:push|owner|yank)\b/],
  ['twine', /^upload\b/],
  ['docker', /^(?:push|login)\b/],
  ['helm', /^push\b/],
];
/** Of these, what only shows something. */
const SHOWING = /^\w+ (?:list|view|status|diff|checks|clone|browse|download|checkout|watch)\b/;

/** A command that acts on a forge, a registry or a remote. */
export function isOutward({ program, words }: ShellCommand): boolean {
  const text = words.join(' ');
  return OUTWARD.some(([name, pattern]) => name === program && pattern.test(text)) && !SHOWING.test(text);
}

const CHANGING_API = /(?:^| )(?:-X|--method)[ =]?(?:PUT|DELETE|PATCH)\b/;
const GRAVE_FORGE =
  /^(?:pr merge|pr review .*--approve|mr (?:merge|approve)|repo (?:delete|edit|archive|rename)|secret|variable|ssh-key|gpg-key)\b/;

/** A command that changes who may do what in a project, or what is a part of it. */
export function changesRights({ program, words }: ShellCommand): boolean {
  const text = words.join(' ');
  return (
    (program === 'gh' || program === 'glab') &&
    (GRAVE_FORGE.test(text) || (words[0] === 'api' && CHANGING_API.test(text)))
  );
}

/** What is lost after a command, by its program. */
const DESTROYING: Readonly<Record<string, RegExp>> = {
  rm: /(?:^| )(?:-\w*[rR]|--recursive)/,
  find: /(?:^| )-delete\b/,
  git: /(?:^| )(?:clean .*-\w*f|reset .*--hard|push .*(?:-f\b|--force|--mirror|--delete)|filter-branch|branch .*-D)/,
  shred: /^/,
  dd: /^/,
  mkfs: /^/,
  dropdb: /^/,
};

/** A line that deletes much, or rewrites what others have. */
export function destroys({ commands }: ShellLine): boolean {
  return commands.some(({ program, words }) => {
    const isTemporary = program === 'rm' && words.every((word) => isOption(word) || TEMPORARY.test(word));
    const pattern = Object.hasOwn(DESTROYING, program) ? DESTROYING[program] : undefined;
    return !isTemporary && pattern?.test(words.join(' ')) === true;
  });
}
