import { type Dirent, lstatSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Io } from '../io.ts';

/** Folders whose files are not the user's own texts. */
const SKIPPED = new Set(['node_modules', '.git', '.hg', '.svn', '.venv', '__pycache__']);

/** A file to check. `isFound`: the user did not name it, so it is skipped if it is not text. */
export interface Target {
  readonly name: string;
  readonly isFound: boolean;
}

function entriesOf(folder: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // No permission, or removed meanwhile.
    return undefined;
  }
}

/** The files in a folder, sorted, with the folder's name before theirs. Links are not followed: they could lead in a circle. */
function filesIn(folder: string, name: string): readonly string[] {
  const found: string[] = [];
  const left: (readonly [path: string, name: string])[] = [[folder, name]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [path, shown] = next;
    const entries = entriesOf(path);
    // Reading it as a file reports the error.
    if (entries === undefined) found.push(shown);
    for (const entry of entries ?? []) {
      const inner = join(shown, entry.name);
      if (entry.isFile()) found.push(inner);
      else if (entry.isDirectory() && !SKIPPED.has(entry.name)) left.push([join(path, entry.name), inner]);
    }
  }
  return found.toSorted();
}

const SPECIAL = /[*?{[]/;

const PARTS: Readonly<Record<string, string>> = {
  '**/': '(?:[^/]+/)*',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
  '{': '(?:',
  '}': ')',
};

/** A pattern as an expression: `**` is any number of folders, `*` and `?` are within one name, `{a,b}` is one of several. */
function expressionOf(pattern: string): RegExp {
  let isInside = false;
  const source = pattern.replaceAll('\\', '/').replace(/\*\*\/|\*\*|[^\w/]/g, (part) => {
    if (part === '{' || part === '}') isInside = part === '{';
    if (part === ',' && isInside) return '|';
    return PARTS[part] ?? `\\${part}`;
  });
  return new RegExp(`^${source}$`);
}

/** The files that a pattern names. The walk starts at the last folder before the first special character. */
function filesOf(pattern: string, io: Io): readonly string[] {
  const fixed = pattern.slice(0, pattern.search(SPECIAL));
  const base = fixed.slice(0, fixed.lastIndexOf('/') + 1);
  const folder = resolve(io.cwd, base);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const expression = expressionOf(pattern.replace(/^(?:\.\/)+/, ''));
  return filesIn(folder, base).filter((name) => expression.test(name.replaceAll('\\', '/')));
}

/** The files to check for a name on the command line: itself, the files in a folder, or those of a pattern that the shell did not expand. */
export function targetsOf(name: string, io: Io): readonly Target[] {
  const found = (files: readonly string[]): readonly Target[] => files.map((file) => ({ name: file, isFound: true }));
  const given = [{ name, isFound: false }];
  if (name === '-') return given;
  const stat = statSync(resolve(io.cwd, name), { throwIfNoEntry: false });
  if (stat?.isDirectory()) return found(filesIn(resolve(io.cwd, name), name));
  if (stat !== undefined || !SPECIAL.test(name)) return given;
  const files = filesOf(name, io);
  // A pattern without files is an error, like a file that does not exist.
  return files.length === 0 ? given : found(files);
}

/** Files that agents read as instructions, by the end of their path. */
const INSTRUCTIONS =
  /(?:^|\/)(?:(?:CLAUDE|CLAUDE\.local|AGENTS|AGENT|GEMINI|SKILL)\.md|\.(?:cursorrules|windsurfrules|clinerules|roorules|goosehints)|copilot-instructions\.md|\.cursor\/rules\/.*|\.clinerules\/.*|\.github\/(?:instructions|prompts)\/.*\.md|\.(?:claude|codex|gemini|copilot|agents)\/(?:skills|agents|commands|rules|prompts)\/.*)$/i;

/** The folders in the user's home that agents read instructions from. */
const HOME_FOLDERS = ['.claude', '.codex', '.gemini', '.copilot', '.cursor', '.agents'];

/** The instruction files and skills in the working folder and in the user's home. */
export function instructionFiles(io: Io): readonly Target[] {
  const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  // The whole home folder is too much to search.
  const own = io.cwd === io.home ? [] : filesIn(io.cwd, '');
  const homes = HOME_FOLDERS.map((name) => join(io.home, name)).filter(isFolder);
  const names = [...own, ...homes.flatMap((folder) => filesIn(folder, folder))];
  const files = names.filter((name) => INSTRUCTIONS.test(name.replaceAll('\\', '/')));
  return [...new Set(files)].map((name) => ({ name, isFound: true }));
}
