import type { StartedServer } from './config/servers.ts';

/** Whether a server is wrapped, and whether the wrapper can be removed automatically. */
export type Wrapping =
  | { readonly type: 'bare' }
  | { readonly type: 'wrapped'; readonly launcher: readonly string[]; readonly words: number }
  | { readonly type: 'altered'; readonly launcher: readonly string[]; readonly reason: string };

export const DEFAULT_LAUNCHER = 'npx -y @sallyport/cli';

/** `sallyport`, a path to it, `@sallyport/cli` with or without a version, or the main program of a checkout. */
const OURS = /(?:^|[\\/])sallyport(?:\.\w+)?$|^@sallyport\/cli(?:@[\w.^~-]+)?$|sallyport.*[\\/]main\.[jt]s$/;

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
export function wordsOf({ command, args }: StartedServer): readonly (string | undefined)[] {
  const items = args?.value.items ?? [];
  return [command.value.value, ...items.map((item) => (item.type === 'text' ? item.value : undefined))];
}

/** Why this command cannot be wrapped; undefined if it can. */
export function wrapProblem({ command, args }: StartedServer): string | undefined {
  const { value } = command.value;
  if (value.trim() === '') return 'its command is empty';
  // The wrapper would read it as one of its own options.
  if (value.startsWith('-')) return 'its command begins with a dash';
  // Some clients pass a whole command line to a shell; the wrapper starts programs without a shell.
  const isCommandLine = (args?.value.items.length ?? 0) === 0 && /^[^\s\\/]+\s+\S/.test(value);
  return isCommandLine ? 'its command is a whole command line; move its arguments to args first' : undefined;
}

function isLauncher(words: readonly string[], launcher: readonly string[]): boolean {
  const isGiven = words.length === launcher.length && words.every((word, index) => word === launcher[index]);
  return isGiven || OURS.test(words.at(-1) ?? '');
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
export function wrappingOf(server: StartedServer, launcher: readonly string[]): Wrapping {
  const words = wordsOf(server);
  const end = words.indexOf(undefined);
  const texts = words.slice(0, end < 0 ? words.length : end).map(String);
  for (let index = texts.indexOf('wrap', 1); index > 0; index = texts.indexOf('wrap', index + 1)) {
    const before = texts.slice(0, index);
    const isNamed = texts[index + 1] === '--server';
    const isItsName = isNamed && texts[index + 2] === server.name;
    const count = index + (isNamed ? 3 : 1);
    if (isItsName || isLauncher(before, launcher)) return wrappingAfter(before, texts[count], count);
  }
  return { type: 'bare' };
}
