import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { hostsIn, readShell, type ShellCommand } from '@sallyport/shell';
import { isWithin } from '../guarded/path.ts';
import { leadsNowhere } from './names.ts';

/** Programs that print what somebody else wrote: pages, issues, files of other machines. */
const FETCHING: ReadonlySet<string> = new Set(
  'curl wget http https xh aria2c gh glab hub tea lynx w3m links ftp sftp scp rsync nc ncat telnet'.split(' '),
);

/** Folders with the code of packages. */
const PACKAGES =
  /(?:^|[/\s'"=])(?:node_modules|bower_components|site-packages|dist-packages|vendor|third_party|Pods|_deps|\.m2|\.pub-cache|\.cargo\/registry|go\/pkg\/mod|gems)(?:\/|(?=['"\s]|$))/;

/** Words of a command that may lead out of a project. Programs have absolute paths too. */
const ELSEWHERE = /^(?:~\/|\.\.\/|\/(?:home|Users)\/)/;

/** Folders in which programs and agents keep what they need for a while. */
export const TEMPORARY: RegExp = /^(?:\/private)?\/(?:tmp|var\/folders|var\/tmp)\//;

/** The name of the folder that a repository is fetched into. */
function folderOf(address: string): string {
  return address
    .replace(/[\\/]+$/, '')
    .replace(/^.*[\\/:]/, '')
    .replace(/\.git$/, '');
}

function operandsOf({ words }: ShellCommand): readonly string[] {
  return words.filter((word) => !word.startsWith('-'));
}

const OUTPUT_OPTION = /^(?:-[a-zA-Z]*[oO]|--output|--output-document)(?:=(.+))?$/;

/** The files that the options of a program name for what it gets. */
function outputsOf({ words }: ShellCommand): readonly string[] {
  return words.flatMap((word, at) => {
    const [found, value] = OUTPUT_OPTION.exec(word) ?? [];
    return found === undefined ? [] : [value ?? words[at + 1] ?? ''];
  });
}

/** The files and folders of others that a command puts on this machine. */
function fetchedBy(command: ShellCommand): readonly string[] {
  const { program } = command;
  const operands = operandsOf(command);
  const isAddress = (word: string): boolean => /[:/]/.test(word);
  const isClone = (program === 'git' && operands.includes('clone')) || (program === 'gh' && operands[1] === 'clone');
  if (isClone) {
    const at = operands.findIndex(isAddress);
    return [operands[at + 1] ?? folderOf(operands[at] ?? '')];
  }
  if (program === 'curl' || program === 'wget')
    return [...outputsOf(command), ...operands.filter(isAddress).map(folderOf)].filter((path) => !path.includes('://'));
  return program === 'scp' || program === 'rsync' ? operands.slice(-1).filter((word) => !/:\/\/|@.*:/.test(word)) : [];
}

/** A program that asks another machine, by its name or by a word that names one. */
export function isFetching(command: ShellCommand): boolean {
  return FETCHING.has(command.program) || remoteHostsIn(command.words.join(' ')).length > 0;
}

/** An address of mail, and no remote such as `git@host:path`. */
const MAIL = /(?<![\w.+/:-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+(?![\w.:/-])/g;

/** A place in a cloud, whose name is not that of a machine. */
const BUCKET = /\b(?:s3|gs|r2|oss|cos|az|abfss?|wasbs?):\/\/([\w.-]+)/gi;

/** A text without the escapes of addresses and of JSON. */
function unescaped(text: string): string {
  return text
    .replace(/%([2-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll('\\/', '/');
}

/** The other machines that a text leads to. */
export function remoteHostsIn(text: string): readonly string[] {
  const buckets = Array.from(text.matchAll(BUCKET), ([, name = '']) => name.toLowerCase());
  const plain = text.replace(MAIL, ' ');
  const hosts = new Set([plain, unescaped(plain)].flatMap(hostsIn));
  return [...[...hosts].filter((host) => !leadsNowhere(host)), ...buckets];
}

/** The forge that a program or a server speaks to, with the user's own login. */
const FORGES: Readonly<Record<string, string>> = {
  gh: 'github.com',
  hub: 'github.com',
  github: 'github.com',
  glab: 'gitlab.com',
  gitlab: 'gitlab.com',
};

/** The hosts that a user knows because they use a program or a server for them. */
export function forgesOf(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => (Object.hasOwn(FORGES, name) ? (FORGES[name] ?? []) : []));
}

/** Knows which files and outputs on this machine hold the words of others. */
export class OthersFiles {
  readonly #project: string | undefined;
  readonly #fetched = new Set<string>();
  #hasFetched = false;

  /** @param project The folder in which the user works; undefined if it is not known. */
  constructor(project: string | undefined) {
    this.#project = project;
  }

  /** A command asked another machine. */
  get hasFetched(): boolean {
    return this.#hasFetched;
  }

  /** A file that is not the project's own: of a package, of what was fetched, or outside of the project. */
  has(path: string, folder: string = this.#project ?? '/'): boolean {
    if (PACKAGES.test(path)) return true;
    const whole = resolve(folder, path.replace(/^~(?=\/)/, homedir()));
    if ([...this.#fetched].some((each) => isWithin(whole, each))) return true;
    return !this.#isAtHome(whole);
  }

  #isAtHome(path: string): boolean {
    // The folders of hosts hold plans, memories and outputs of their own.
    const isOfHost = /^\.(?:claude(?!\/plugins)|gemini(?!\/extensions)|codex|cursor|copilot|config\/opencode)\//.test(
      path.startsWith(`${homedir()}/`) ? path.slice(homedir().length + 1) : '',
    );
    return (this.#project !== undefined && isWithin(path, this.#project)) || TEMPORARY.test(path) || isOfHost;
  }

  /** Takes in a command that was run: what it fetched is of others from then on. */
  run(line: string, folder: string = this.#project ?? '/'): void {
    const { commands } = readShell(line);
    const isFetched = commands.some(isFetching);
    this.#hasFetched ||= isFetched;
    for (const command of commands)
      for (const path of [...fetchedBy(command), ...(isFetched ? command.writes : [])].filter((each) => each !== '')) {
        const whole = resolve(folder, command.folder ?? '', path);
        // A clone into the project's own folder makes all of it theirs.
        this.#fetched.add(whole);
      }
  }

  /** A command whose output others wrote: it asks another machine, or reads a file of theirs. */
  isPrintedBy(line: string, folder: string = this.#project ?? '/'): boolean {
    const { commands, isOpaque } = readShell(line);
    if (isOpaque && remoteHostsIn(line).length > 0) return true;
    return commands.some((command) => {
      if (isFetching(command)) return true;
      const here = join(folder, command.folder ?? '');
      const isOfOthers = (word: string): boolean =>
        PACKAGES.test(word) ||
        (ELSEWHERE.test(word) && this.has(word, here)) ||
        [...this.#fetched].some((each) => isWithin(resolve(here, word), each));
      return [...command.words, ...command.reads].some(isOfOthers);
    });
  }
}
