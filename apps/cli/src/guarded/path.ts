import { posix } from 'node:path';

/** The ways in which shells write the own home folder. */
const SHELL_HOME = String.raw`~[\w-]*|\$(?:env:)?\{?(?:HOME|USERPROFILE)\}?|%USERPROFILE%`;
/** The ways in which people and shells write a home folder. */
export const HOME: string = String.raw`(?:${SHELL_HOME}|\/root|(?:\b[a-z]:|\/mnt\/[a-z])?\/(?:home|Users)\/[^/\s]+)`;

const ANY_HOME = '/home/user';
/** A folder of which only the end of the path is known. */
export const UNKNOWN_FOLDER = '.';

const IN_HOME = new RegExp(`^${HOME}(?=/|$)`, 'i');
const OWN_HOME = new RegExp(`^(?:${SHELL_HOME})(?=/|$)`, 'i');
const ABSOLUTE = /^\/|^[a-z]:(?=\/)/i;
const MAX_PARENTS = 20;

function escaped(text: string): string {
  return text.replace(/[-.^${}()|[\]\\/*+?]/g, '\\$&');
}

/** A text without the parts of paths that change nothing: `//`, `/./` and `/folder/..`. */
function resolved(text: string): string {
  let path = text.replace(/%2e/gi, '.').replace(/%2f/gi, '/');
  for (let count = 0; count < MAX_PARENTS; count++) {
    const next = path.replace(/\/(?:\.?\/)+/g, '/').replace(/(?<=\/)(?!\.\.\/)[^/\s]+\/\.\.(?:\/|(?=\s|$))/g, '');
    if (next === path) break;
    path = next;
  }
  return path;
}

/** The possible paths in a text: in a shell, quotes and backslashes vanish; on Windows, a backslash separates. */
export function pathsIn(text: string): readonly string[] {
  return [text.replace(/[\\'"]/g, ''), text.replaceAll('\\', '/')].map(resolved);
}

/** Finds where a path leads, as one spelling: all home folders are the same. */
export class Locator {
  readonly #path: string;
  readonly #home: RegExp | undefined;

  constructor(home: string) {
    this.#path = home.replaceAll('\\', '/').replace(/\/$/, '');
    this.#home = this.#path.length < 2 ? undefined : new RegExp(`^${escaped(this.#path)}(?=/|$)`, 'i');
  }

  /** A path as the system knows it: only the own home folder is filled in. */
  onDisk(path: string, folder: string = UNKNOWN_FOLDER): string {
    return wholePath(
      plainPath(path).replace(OWN_HOME, () => this.#path || '/'),
      folder,
    );
  }

  locate(path: string, folder: string = UNKNOWN_FOLDER): string {
    const plain = plainPath(path);
    const inHome = (this.#home === undefined ? plain : plain.replace(this.#home, ANY_HOME)).replace(IN_HOME, ANY_HOME);
    return wholePath(inHome, folder);
  }
}

function plainPath(path: string): string {
  return path.replace(/^file:(?:\/\/)?/i, '').replaceAll('\\', '/');
}

function wholePath(path: string, folder: string): string {
  const whole = posix.normalize(ABSOLUTE.test(path) ? path : `${folder}/${path}`);
  return whole.length > 1 ? whole.replace(/\/$/, '') : whole;
}

export function isWithin(located: string, folder: string): boolean {
  return located === folder || located.startsWith(`${folder === '/' ? '' : folder}/`);
}
