import { dirname } from 'node:path';
import { isWithin, type Locator } from './path.ts';
import { Disk } from './real-path.ts';

/** A path as it is given, and the one to which links lead. */
export interface Link {
  /** As the system knows it. */
  readonly path: string;
  readonly given: string;
  readonly real: string;
}

/**
 * Files that are run, or read as instructions, after they were written: hooks, settings of programs and shells,
 * instructions for agents. Fewer names than in core, for which every unknown hidden name counts: package managers link
 * to hidden folders of their own.
 */
const ACTS_LATER =
  /(?:^|\/)(?:\.(?:git|husky|githooks|vscode|idea|github|claude|cursor|gemini|copilot|devcontainer|config|ssh)\/|(?:AGENTS|CLAUDE|GEMINI)\.md$)|^\/home\/user\/(?:\.[^/]+$|\.local\/bin\/|bin\/|Library\/LaunchAgents\/)|^\/(?:private\/)?etc\//i;

/** Follows the links in the paths of one call. */
export class Links {
  readonly #locator: Locator;
  readonly #disk = new Disk();
  readonly #home: string;
  readonly #realHome: string;

  constructor(locator: Locator) {
    this.#locator = locator;
    this.#home = locator.locate('~');
    this.#realHome = locator.locate(this.#disk.realPath(locator.onDisk('~')));
  }

  /** Where a path leads, as located. On some systems, all home folders are links. */
  follow(path: string): Link {
    const given = this.#locator.locate(path);
    const realPath = this.#disk.realPath(path);
    const found = realPath === path ? given : this.#locator.locate(realPath);
    const real = isWithin(found, this.#realHome) ? this.#home + found.slice(this.#realHome.length) : found;
    return { path, given, real };
  }

  /** Of paths as the system knows them, those that lead elsewhere. */
  among(paths: readonly string[]): readonly Link[] {
    const isHomeReal = this.#realHome === this.#home;
    return [...new Set(paths)].flatMap((path) => {
      if (isHomeReal && this.#disk.realPath(path) === path) return [];
      const link = this.follow(path);
      return link.given === link.real ? [] : [link];
    });
  }

  /** Recognizes a link with an ordinary name to a file that acts later. */
  actsLater(link: Link, folder: Link | undefined): boolean {
    if (!ACTS_LATER.test(link.real)) return false;
    const root = folder === undefined ? undefined : this.#rootOf(link, folder);
    const { given, real } = root === undefined ? link : below(root, link);
    return ACTS_LATER.test(real) && !ACTS_LATER.test(given);
  }

  /** The nearest folder around a link that also has what it leads to, and that in which the host works. It may be reached by a link itself. */
  #rootOf(link: Link, folder: Link): Link | undefined {
    for (let path = link.path; path !== dirname(path); path = dirname(path)) {
      const around = this.follow(path);
      if (isWithin(this.#home, around.real)) return undefined;
      if (isWithin(folder.real, around.real) && isWithin(link.real, around.real)) return around;
    }
    return undefined;
  }
}

function below(root: Link, { path, given, real }: Link): Link {
  return { path, given: given.slice(root.given.length + 1), real: real.slice(root.real.length + 1) };
}
