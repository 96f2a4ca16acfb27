import type { StartedServer } from './config/servers.ts';

/** Whether a wrapper stands before a server's command, and whether it is one that can be taken out again. */
export type Wrapping =
  | { readonly type: 'bare' }
  | { readonly type: 'wrapped'; readonly launcher: readonly string[]; readonly words: number }
  | { readonly type: 'altered'; readonly launcher: readonly string[]; readonly reason: string };

export const DEFAULT_LAUNCHER = 'npx -y @sallyport/cli';

/** `sallyport`, a path to it, `@sallyport/cli` with or without a version, or the program of a copy of the sources. */
const OURS = /(?:^|[\\/])sallyport(?:\.\w+)?$|^@sallyport\/cli(?:@[\w.^~-]+)?$|sallyport.*[\\/]main\.[jt]s$/;

/** The words of a launcher. Quotes keep blanks together; a backslash is a backslash, since paths on Windows are full of them. */
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

/** What the wrapper puts before a server's own command. */
export function wrapperWords(launcher: readonly string[], name: string): readonly string[] {
  return [...launcher, 'wrap', '--server', name];
}

/** The command and its arguments. What is not a text is nobody's word. */
export function wordsOf({ command, args }: StartedServer): readonly (string | undefined)[] {
  const items = args?.value.items ?? [];
  return [command.value.value, ...items.map((item) => (item.type === 'text' ? item.value : undefined))];
}

/** Why a wrapper would not work before this command, if it would not. */
export function wrapProblem({ command, args }: StartedServer): string | undefined {
  const { value } = command.value;
  if (value.trim() === '') return 'its command is empty';
  // The wrapper would take it for an option of its own.
  if (value.startsWith('-')) return 'its command begins with a dash';
  // Some clients hand a whole command line to a shell; the wrapper starts programs, not shells.
  const isLine = (args?.value.items.length ?? 0) === 0 && /^[^\s\\/]+\s+\S/.test(value);
  return isLine ? 'its command is a whole command line; put its words into args first' : undefined;
}

function isLauncher(words: readonly string[], launcher: readonly string[]): boolean {
  const isGiven = words.length === launcher.length && words.every((word, index) => word === launcher[index]);
  return isGiven || OURS.test(words.at(-1) ?? '');
}

function wrappingAfter(launcher: readonly string[], first: string | undefined, words: number): Wrapping {
  if (first === undefined) return { type: 'altered', launcher, reason: 'no command follows the wrapper' };
  return first.startsWith('-')
    ? { type: 'altered', launcher, reason: `the wrapper was given ${first} by hand` }
    : { type: 'wrapped', launcher, words };
}

/**
 * A wrapper is known by its launcher, or, since anything may be a launcher, by the server's own name given to `wrap --server`.
 * Options that somebody added by hand are not understood here: only `wrap` knows where they end and the command begins.
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
