import type { ShellLine } from '@sallyport/shell';
import { readShell } from '@sallyport/shell';
import { actsLater } from '../guarded/lasting-path.ts';
import {
  changesRights,
  destroys,
  downloadsRunBy,
  givesData,
  givesEnvironment,
  isOutward,
  packagesAddedBy,
  packagesUsedBy,
  remotesAddedBy,
  runsWhatItReads,
} from './deeds.ts';
import { isAccount, isReaching, isVersion, wordsIn } from './names.ts';
import type { Origins } from './origins.ts';
import { remoteHostsIn } from './others.ts';

/** The part of a call that may say what others want. */
export interface Proposed {
  /** A line for a shell, the new text of a file, or the arguments of another tool. */
  readonly kind: 'command' | 'file' | 'other';
  readonly text: string;
  /** The text that a file has in its place now. */
  readonly before: string;
  /** The values that decide what the tool of a server does: all but texts. */
  readonly pointing?: string;
  /** The same, if what it does cannot be taken back, or goes on. */
  readonly deciding?: string;
  /** The file that is written. */
  readonly file?: string;
}

/** A reason to look twice at a call. */
export interface Doubt {
  /** A person decides where there is no judge. The others are for a judge alone. */
  readonly isStrong: boolean;
  /** What a person reads: what the call does, and who brought the name that decides it. */
  readonly reason: string;
  /** The text of others around the name. */
  readonly quote?: string;
}

const MAX_QUOTE = 160;
const quoted = (name: string): string => `\u201c${name.length > 80 ? `${name.slice(0, 80)}\u2026` : name}\u201d`;

/** A doubt about a name that neither the user nor the project has used. */
function strong(what: string, name: string, origins: Origins): Doubt {
  const foreign = origins.foreign(name);
  const by = origins.knows(name) ? 'You have not named it.' : 'Neither you nor the project has named it.';
  if (foreign === undefined) return { isStrong: true, reason: `${what} ${quoted(name)}. ${by}` };
  const { tool, passage } = foreign;
  const reason = `${what} ${quoted(name)}. It comes from ${tool}, and neither you nor the project has named it.`;
  return { isStrong: true, reason, quote: passage === '' ? '' : ` There: \u201c${passage.slice(0, MAX_QUOTE)}\u201d` };
}

/** Texts that people read, and that nothing runs. */
const PROSE = /\.(?:md|mdx|markdown|rst|txt|adoc|org|tex|csv)$/i;
/** Files that say which packages a project uses, what they run, and what builds and ships it. */
const MANIFEST =
  /(?:^|[\\/])(?:package\.json|requirements[\w-]*\.(?:txt|in)|pyproject\.toml|setup\.(?:py|cfg)|Pipfile|Podfile|Gemfile|go\.mod|Cargo\.toml|(?:Docker|Container)file[\w.-]*|pom\.xml|[\w.-]+\.gradle(?:\.kts)?|libs\.versions\.toml|Package\.swift|composer\.json|mix\.exs|\.npmrc|pip\.conf|[\w.-]+\.(?:cs|fs)proj|action\.ya?ml|\.gitlab-ci\.yml|Jenkinsfile|azure-pipelines\.yml)$|[\\/]\.github[\\/]workflows[\\/]/i;

/** Names that a call brings in: those of the text that are not in what it replaces. */
function newIn({ text, before }: Proposed, names: (text: string) => Iterable<string>): readonly string[] {
  const old = new Set(names(before));
  return [...new Set(names(text))].filter((name) => !old.has(name));
}

/** Another machine, an address or an account that a call leads to. In a message to people, an address is only said. */
function* places(given: Proposed, origins: Origins): Generator<Doubt> {
  const call = given.kind === 'other' ? { ...given, text: given.pointing ?? '' } : given;
  if (call.kind === 'file' && PROSE.test(call.file ?? '') && !actsLater(call.file ?? '')) return;
  const isGiving = call.kind === 'command' && readShell(call.text).commands.some(givesData);
  for (const host of newIn(call, remoteHostsIn).filter((each) => !origins.knows(each)))
    yield { ...strong('This leads to', host, origins), isStrong: isGiving || origins.isForeign(host) };
  const isNumber = (name: string): boolean => call.kind !== 'command' && isAccount(name);
  for (const name of newIn(call, wordsIn))
    if ((isReaching(name) || isNumber(name)) && origins.isForeign(name)) yield strong('This uses', name, origins);
}

function nameOf(text: string, origins: Origins): string | undefined {
  return origins.foreignIn(text).next().value ?? undefined;
}

/** A package that a line installs, or gets and runs. */
function* packages(line: ShellLine, origins: Origins): Generator<Doubt> {
  for (const { name, isAfterOption } of packagesAddedBy(line)) {
    const isForeign = origins.isForeign(name) && !isVersion(name);
    if (isForeign || !(isAfterOption || origins.knows(name)))
      yield { ...strong('This installs', name, origins), isStrong: isForeign };
  }
  for (const used of packagesUsedBy(line)) {
    const name = nameOf(used, origins);
    if (name !== undefined) yield strong('This gets and runs', name, origins);
  }
}

/** A name in a file that says what is built and installed. */
function* manifest(call: Proposed, origins: Origins): Generator<Doubt> {
  const { file = '' } = call;
  if (call.kind !== 'file' || !MANIFEST.test(file)) return;
  for (const word of newIn(call, wordsIn)) {
    const name = nameOf(word, origins);
    if (name !== undefined && !isVersion(name))
      yield strong(`This changes what ${file} builds or installs:`, name, origins);
  }
}

/** Acts that are in doubt whoever chose them. */
function* deeds(line: ShellLine, origins: Origins): Generator<Doubt> {
  for (const { words } of downloadsRunBy(line)) {
    const unknown = remoteHostsIn(words.join(' ')).filter((host) => !origins.isSaid(host));
    for (const host of unknown) yield strong('This downloads a program and runs it, from', host, origins);
    if (remoteHostsIn(words.join(' ')).length === 0)
      yield { isStrong: true, reason: 'This downloads a program and runs it, from an address that is not known.' };
  }
  for (const name of remotesAddedBy(line))
    if (!origins.isSaid(name)) yield strong('This adds the remote', name, origins);
  if (givesEnvironment(line))
    yield {
      isStrong: true,
      reason: 'This gives all variables of the environment away, and keys are often among them.',
    };
}

/** Acts on a forge, a registry or a remote: with a name from others a person decides, else a judge. */
function* outward({ commands }: ShellLine, origins: Origins): Generator<Doubt> {
  for (const command of commands.filter(isOutward)) {
    const name = nameOf(command.words.join('\n'), origins);
    if (name !== undefined && changesRights(command)) yield strong('This changes who may do what, with', name, origins);
    else yield { isStrong: false, reason: 'This changes something for other people.' };
  }
}

function* words(call: Proposed, origins: Origins): Generator<Doubt> {
  const deciding = nameOf(call.deciding ?? '', origins);
  const certain = newIn(call, (text) => origins.certainIn(text));
  const name = deciding ?? certain[0];
  if (name !== undefined) yield { ...strong('This uses', name, origins), isStrong: deciding !== undefined };
}

/** What is grave by itself: it counts once a text gave instructions to the agent. */
function* grave(line: ShellLine): Generator<string> {
  if (line.isOpaque) yield 'This line could not be read.';
  if (destroys(line)) yield 'This cannot be taken back.';
  if (line.commands.some(runsWhatItReads)) yield 'This runs what another command prints.';
}

const ALARM = 'A text that was read gives instructions to the agent.';

/** The reasons to look twice at a call. Before something of others was read, only some deeds are one. */
export function doubtsAbout(call: Proposed, origins: Origins, isAlarmed: boolean): readonly Doubt[] {
  const line = call.kind === 'command' ? readShell(call.text) : undefined;
  const always = line === undefined ? [] : [...deeds(line, origins)];
  if (!origins.hasForeign) return always;
  const found = [...always, ...places(call, origins), ...manifest(call, origins)];
  if (isAlarmed && call.deciding !== undefined) found.push({ isStrong: true, reason: ALARM });
  if (line !== undefined) {
    found.push(...packages(line, origins), ...outward(line, origins));
    for (const reason of grave(line))
      found.push({ isStrong: isAlarmed, reason: isAlarmed ? `${reason} ${ALARM}` : reason });
  }
  found.push(...words(call, origins));
  if (call.kind !== 'file' && origins.hasOthers)
    found.push({ isStrong: false, reason: 'Something that others wrote was read before this.' });
  return found;
}
