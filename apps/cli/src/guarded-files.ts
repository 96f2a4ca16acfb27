import { homedir } from 'node:os';
import type { Facts, RuleResult, Rules, ValueFacts } from '@sallyport/core';
import { type LineUse, type Locate, readLine } from './guarded/command-line.ts';
import { type Link, Links } from './guarded/links.ts';
import { isWithin, Locator, pathsIn } from './guarded/path.ts';
import { isAboveGuarded, SECRET_FILE } from './guarded/secret-files.ts';

/** The files of sallyport, and those in which hosts keep their hooks: an agent could approve its own calls there, or end the checks. */
const OWN =
  /\/sallyport\/(?:state\/)?(?:approvals|overrides|sessions|pins|log|daemon|key\b|lasting-approvals\.json|sallyport\.yaml)|\.claude\/settings(?:\.local)?\.json|\.claude\.json|\.gemini\/settings\.json|\.cursor\/hooks\.json|\.copilot\/(?:hooks\b|settings\.json)|\.github\/(?:hooks\b|copilot\/settings)|\.codex\/(?:hooks\.json|config\.toml)|\bopencode\/plugins?\/|\.codeium\/(?:windsurf\/)?hooks\.json|\.windsurf\/hooks\.json/i;

const NAMING: ReadonlySet<string> = new Set(['path', 'command']);
const MAX_SHAPE = 500;
/** An absolute path, or one from the home folder, whatever the name of its argument. After a blank, a path goes on to another folder. */
const SHAPE =
  /^\s*(?:~[\w-]*|\$(?:env:)?\{?(?:HOME|USERPROFILE)\}?|%USERPROFILE%|[a-z]:)?[\\/](?:\S| (?=[^\n]*[\\/]))*\s*$/i;
/** Arguments whose text is written, searched for or read by a model, so a path in it is not used. */
const WORDS =
  /\/(?:(?:old|new)_?string|(?:new_?)?content|pattern|query|prompt|description|text|body|message)(?:\/\d+)?$/i;
/** Arguments that say in which files a tool looks. */
const FILE_PATTERN = /(?:^|\/)(?:globs?|includes?|include_?patterns?|file_?patterns?)(?:\/\d+)?$/i;
/** Tools that read all that is in a folder. */
const SEARCH_TOOL = /(?:grep|search|read_?many)[^.]*$/i;
/** Those that read the folder in which the host works if no other is named. */
const SEARCH_HERE = /(?:grep|read_?many|file_?content|semantic_?search)[^.]*$/i;
/** Arguments that say in which folder a command runs. */
const RUN_IN = /\/(?:cwd|dir|dir_?path|directory|folder|work_?dir|working_?dir(?:ectory)?)$/i;

interface Named {
  readonly value: ValueFacts;
  /** Every path that the value may mean. */
  readonly paths: readonly string[];
  /** The folders that are read with all their contents. */
  readonly walked: readonly string[];
  /** Paths that lead elsewhere, including those that the user named: the name of a link does not say where it leads. */
  readonly links: readonly Link[];
}

/** The files that a call names. */
interface CallUse {
  readonly all: readonly Named[];
  /** Recognizes a link with an ordinary name to a file that is run or read later. */
  readonly actsLater: (link: Link) => boolean;
}

/** Where an agent works, and where its user's files are. */
export interface GuardedOptions {
  /** The user's home folder. @default that of this process */
  readonly home?: string;
  /** The folder in which the host makes the next call. @default it is not known */
  readonly folder?: () => string | undefined;
}

/** The paths that a value names. */
function pathsOf({ value: text, role }: ValueFacts, locate: Locate, folder: string | undefined): LineUse {
  if (role !== 'command') {
    const located = [locate(text.trim(), folder)];
    return { paths: located, walked: located };
  }
  const spellings = [...new Set([text, text.replaceAll('\\', '/')])];
  const lines = spellings.map((line) => readLine(line, locate, folder));
  return { paths: lines.flatMap(({ paths }) => paths), walked: lines.flatMap(({ walked }) => walked) };
}

/** Recognizes a value that can name a file. */
function isNaming({ value: text, role, path }: ValueFacts): boolean {
  const isShaped = text.length < MAX_SHAPE && SHAPE.test(text) && !WORDS.test(path);
  return isShaped || NAMING.has(role) || FILE_PATTERN.test(path) || /^file:/i.test(text);
}

/** The files that the values of a call name. Of those that the user named, only the targets of links. */
function namedIn({ values: all, tool: name }: Facts, locator: Locator, start: string | undefined): CallUse {
  const tool = name.slice(name.lastIndexOf('__') + 1);
  const links = new Links(locator);
  const here = start === undefined ? undefined : links.follow(locator.onDisk(start));
  const runIn = all.find(({ role, path }) => role === 'path' && RUN_IN.test(path));
  const namedBy = (value: ValueFacts, locate: Locate, folder: string | undefined): LineUse => {
    const isRunIn = value.role === 'command' && runIn !== undefined;
    return pathsOf(value, locate, isRunIn ? locate(runIn.value, folder) : folder);
  };
  const found = all.filter(isNaming).map((value): Named => {
    const onDisk = namedBy(value, (path, folder) => locator.onDisk(path, folder), here?.path);
    const followed = links.among([...onDisk.walked, ...onDisk.paths]);
    if (value.isVouched) return { value, paths: [], walked: [], links: followed };
    const { paths, walked } = namedBy(value, (path, folder) => locator.locate(path, folder), here?.given);
    // A pattern of a search can look like a path.
    const isSearched = SEARCH_TOOL.test(tool) && (value.role !== 'text' || FILE_PATTERN.test(value.path));
    const isWalked = value.role === 'command' || isSearched;
    const read = isWalked ? walked : [];
    return { value, paths: [...pathsIn(value.value), ...paths], walked: read, links: followed };
  });
  const [first] = all;
  const isHere = SEARCH_HERE.test(tool) && !all.some(({ role }) => role === 'path');
  if (isHere && here !== undefined && first !== undefined)
    found.push({ value: first, paths: [], walked: [here.given], links: [] });
  return { all: found, actsLater: (link) => links.actsLater(link, here) };
}

function askAbout(
  named: readonly Named[],
  isGuarded: (named: Named) => boolean,
  reason: string,
): RuleResult | undefined {
  const about = named.filter(isGuarded).map(({ value }) => value.path);
  return about.length === 0 ? undefined : { outcome: 'ask', reason, about };
}

const USES_KEYS = 'This uses a file of yours that holds keys or passwords, and you did not name it.';
const SEARCHES = 'This reads all files of a folder with your keys or passwords in it, and you did not name it.';
const LINKED = 'This goes through a link to a file that is run or read later, such as a hook or a setting.';
const CHANGES_OWN = 'This changes the files with which your agent is checked, and you did not name them.';

/**
 * Files that no call should touch unless the user names them. Keys and passwords are not even read: once a model has read a key, every
 * later call can carry it away.
 */
export function guardedFiles(stateFolder: string, { home = homedir(), folder }: GuardedOptions = {}): Rules {
  const locator = new Locator(home);
  const state = locator.locate(stateFolder);
  const keys = ['logins', 'key'].map((name) => `${state}/${name}`);
  const isKey = (path: string): boolean => SECRET_FILE.test(path) || keys.some((key) => isWithin(path, key));
  const isAbove = (path: string): boolean =>
    isAboveGuarded(path) || [home, state].some((folder) => isWithin(folder, path));
  const isOwn = (path: string): boolean =>
    OWN.test(path) || path.includes(`${stateFolder}/`) || isWithin(locator.locate(path), state);
  const known = new WeakMap<Facts, CallUse>();
  const useOf = (facts: Facts): CallUse => {
    const use = known.get(facts) ?? namedIn(facts, locator, folder?.());
    known.set(facts, use);
    return use;
  };
  const leadsTo = ({ links }: Named, isGuarded: (path: string) => boolean): boolean =>
    links.some(({ given, real }) => isGuarded(real) && !isGuarded(given));
  const names = (each: Named, isGuarded: (path: string) => boolean): boolean =>
    each.paths.some(isGuarded) || leadsTo(each, isGuarded);
  return {
    secretFiles: (facts) => {
      const { all } = useOf(facts);
      return (
        askAbout(all, (each) => names(each, isKey), USES_KEYS) ??
        askAbout(all, ({ walked }) => walked.some(isAbove), SEARCHES)
      );
    },
    ownFiles: (facts) => {
      if (facts.effect === 'read') return undefined;
      const { all, actsLater } = useOf(facts);
      return (
        askAbout(all, (each) => names(each, isOwn), CHANGES_OWN) ??
        askAbout(all, ({ links }) => links.some(actsLater), LINKED)
      );
    },
  };
}
