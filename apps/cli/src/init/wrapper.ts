import type { LocalServer } from './config/servers.ts';

/** The wrapper of a server, if it has one, and whether it can be removed automatically. */
export type Wrapping =
  | { readonly type: 'bare' }
  | { readonly type: 'wrapped'; readonly launcher: readonly string[]; readonly words: number }
  /** A remote server. `entry` says how its settings were before, `words` is the number of words before its address. */
  | { readonly type: 'remote'; readonly launcher: readonly string[]; readonly entry: string; readonly words: number }
  | { readonly type: 'altered'; readonly launcher: readonly string[]; readonly reason: string };

export const DEFAULT_LAUNCHER = 'npx -y @sallyport/cli';

/** `sallyport`, a path to it, `@sallyport/cli` with or without a version, or the main program of a checkout. */
const OURS = /(?:^|[\\/])sallyport(?:\.\w+)?$|^@sallyport\/cli(?:@[\w.^~-]+)?$|sallyport.*[\\/]main\.c?[jt]s$/;

/** Recognizes a launcher for all machines with the same repository: it names no path. */
function isPortable(launcher: string): boolean {
  return !splitLauncher(launcher).some((word) => /^(?:[\\/~]|[A-Za-z]:[\\/])/.test(word));
}

/** The launcher for files that are committed. `isInstalled` says whether `sallyport` is found by its name. */
export function sharedLauncher(launcher: string, isInstalled: boolean): string {
  if (isPortable(launcher)) return launcher;
  return isInstalled ? 'sallyport' : DEFAULT_LAUNCHER;
}

/** Splits a launcher into words. Quotes protect blanks; a backslash is literal, because Windows paths contain them. */
export function splitLauncher(launcher: string): readonly string[] {
  return Array.from(
    launcher.matchAll(/"([^"]*)"|'([^']*)'|[^\s"']+/g),
    ([word, double, single]) => double ?? single ?? word,
  );
}

export function joinLauncher(words: readonly string[]): string {
  const quoted = (word: string): string => (word.includes('"') ? `'${word}'` : `"${word}"`);
  return words.map((word) => (/^[^\s"']+$/.test(word) ? word : quoted(word))).join(' ');
}

/** The words that the wrapper puts in front of a server's own command. */
export function wrapperWords(launcher: readonly string[], name: string): readonly string[] {
  return [...launcher, 'wrap', '--server', name];
}

/** The command and its arguments. An argument that is not a string is undefined. */
export function wordsOf(server: LocalServer): readonly (string | undefined)[] {
  const items = server.type === 'listed' ? server.command.value.items : (server.args?.value.items ?? []);
  const words = items.map((item) => (item.type === 'text' ? item.value : undefined));
  return server.type === 'listed' ? words : [server.command.value.value, ...words];
}

/** Why this command cannot be wrapped; undefined if it can. */
export function wrapProblem(server: LocalServer): string | undefined {
  const [value, ...args] = wordsOf(server);
  if (value === undefined) return 'its command is not a string';
  if (value.trim() === '') return 'its command is empty';
  // The wrapper would read it as one of its own options.
  if (value.startsWith('-')) return 'its command begins with a dash';
  // Some clients pass a whole command line to a shell; the wrapper starts programs without a shell.
  const isCommandLine = args.length === 0 && /^[^\s\\/]+\s+\S/.test(value);
  return isCommandLine ? 'its command is a whole command line; move its arguments to args first' : undefined;
}

function isLauncher(words: readonly string[], launcher: readonly string[]): boolean {
  const isGiven = words.length === launcher.length && words.every((word, index) => word === launcher[index]);
  return isGiven || OURS.test(words.at(-1) ?? '');
}

/** The words that `init` puts between the wrapper and the address of a remote server. */
export const ENTRY = '--entry';
export const HEADER = '--header-env';

/** Recognizes what `init` wrote for a remote server. */
function remoteWrapping(
  launcher: readonly string[],
  texts: readonly string[],
  start: number,
): Extract<Wrapping, { type: 'remote' }> | undefined {
  const entry = texts[start + 1];
  if (texts[start] !== ENTRY || entry === undefined) return undefined;
  let index = start + 2;
  while (texts[index] === HEADER) index += 2;
  return index === texts.length - 1 ? { type: 'remote', launcher, entry, words: index } : undefined;
}

function wrappingAfter(launcher: readonly string[], first: string | undefined, words: number): Wrapping {
  if (first === undefined) return { type: 'altered', launcher, reason: 'no command follows the wrapper' };
  return first.startsWith('-')
    ? { type: 'altered', launcher, reason: `the option ${first} was added to the wrapper by hand` }
    : { type: 'wrapped', launcher, words };
}

/**
 * Recognizes a wrapper by its launcher or, because any command may be a launcher, by the server's own name after `wrap --server`.
 * Options added by hand are not parsed: only `wrap` knows where they end and the server's command begins.
 */
export function wrappingOf(server: LocalServer, launcher: readonly string[]): Wrapping {
  const words = wordsOf(server);
  const end = words.indexOf(undefined);
  const texts = words.slice(0, end < 0 ? words.length : end).map(String);
  for (let index = texts.indexOf('wrap', 1); index > 0; index = texts.indexOf('wrap', index + 1)) {
    const before = texts.slice(0, index);
    const isNamed = texts[index + 1] === '--server';
    const isItsName = isNamed && texts[index + 2] === server.name;
    const count = index + (isNamed ? 3 : 1);
    if (!isItsName && !isLauncher(before, launcher)) continue;
    return remoteWrapping(before, texts, count) ?? wrappingAfter(before, texts[count], count);
  }
  return { type: 'bare' };
}
