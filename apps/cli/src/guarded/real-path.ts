import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, parse, sep } from 'node:path';

/** As many links as systems follow. */
const MAX_LINKS = 40;
/** The longest path that a system opens. */
const MAX_LENGTH = 4096;
/**
 * How much is looked for in one call, in characters of paths: some thousand names of ordinary length. What comes after them is not looked
 * for on the disk: such a path stays as it is written, so that a link in it is not followed.
 */
const MAX_WORK = 500_000;
/** The cost of a look, however short the path is, and the cost if the system reports an error. */
const LOOK = 100;
const FAILED_LOOK = 1000;
/** On Windows, a name may have a short form: `PROGRA~1`. */
const SHORT_NAME = /~\d/;
const SEPARATORS = process.platform === 'win32' ? /[\\/]+/ : /\/+/;

/** A path without links, and whether it can have files below it. */
interface Place {
  readonly path: string;
  readonly isFolder: boolean;
}

/** Finds where the paths of one call lead. It asks the system once about each name. */
export class Disk {
  readonly #seen = new Map<string, Place | string>();
  readonly #folders = new Map<string, Place>();
  #work = MAX_WORK;

  /** Where a path leads, after all links in what exists of it. A link may lead to a file that is only to be written. */
  realPath(path: string): string {
    if (path.length > MAX_LENGTH || !isAbsolute(path)) return path;
    const folder = dirname(path);
    const found = this.#folders.get(folder) ?? this.#follow({ path: parse(path).root, isFolder: true }, folder);
    this.#folders.set(folder, found);
    return this.#follow(found, path.slice(folder.length)).path;
  }

  #follow(from: Place, path: string): Place {
    const names = namesIn(path);
    let [at, links] = [from, MAX_LINKS];
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      if (!at.isFolder) return { path: join(at.path, name, ...names.reverse()), isFolder: false };
      const next = this.#look(inFolder(at.path, name));
      if (typeof next !== 'string') at = next;
      else if (links-- > 0) {
        names.push(...namesIn(next));
        if (isAbsolute(next)) at = { path: parse(next).root, isFolder: true };
      } else at = { path: inFolder(at.path, name), isFolder: false };
    }
    return at;
  }

  /** The kind of a name in a real folder; of a link, its target as written. */
  #look(path: string): Place | string {
    this.#work -= path.length;
    if (this.#work <= 0) return { path, isFolder: false };
    const seen = this.#seen.get(path);
    if (seen !== undefined) return seen;
    this.#work -= LOOK;
    const found = this.#ask(path);
    this.#seen.set(path, found);
    return found;
  }

  #ask(path: string): Place | string {
    try {
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats?.isSymbolicLink()) return readlinkSync(path);
      const isShort = stats !== undefined && SHORT_NAME.test(path);
      return { path: isShort ? realpathSync.native(path) : path, isFolder: stats?.isDirectory() ?? false };
    } catch {
      this.#work -= FAILED_LOOK;
      return { path, isFolder: false };
    }
  }
}

function inFolder(folder: string, name: string): string {
  if (name === '.') return folder;
  if (name === '..') return dirname(folder);
  return folder.endsWith(sep) ? folder + name : folder + sep + name;
}

/** The names in a path, the first one last. */
function namesIn(path: string): string[] {
  const { root } = parse(path);
  return path
    .slice(root.length)
    .split(SEPARATORS)
    .filter((name) => name !== '')
    .reverse();
}
