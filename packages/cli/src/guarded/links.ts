import { isWithin, type Locator } from './path.ts';
import { realPath } from './real-path.ts';

/** More words than ordinary commands have. Each takes some microseconds. */
const MAX_PATHS = 1000;

/** A path as it is given, and the one to which links lead. */
export interface Link {
  readonly given: string;
  readonly real: string;
}

/** Of located paths, those that lead elsewhere. On some systems, all home folders are links. */
export function linksIn(located: readonly string[], locator: Locator): readonly Link[] {
  const home = locator.locate('~');
  const realHome = realOf(home, locator);
  return [...new Set(located)].slice(0, MAX_PATHS).flatMap((given) => {
    const found = realOf(given, locator);
    const real = isWithin(found, realHome) ? home + found.slice(realHome.length) : found;
    return real === given ? [] : [{ given, real }];
  });
}

function realOf(located: string, locator: Locator): string {
  const path = locator.onDisk(located);
  return path === undefined ? located : locator.locate(realPath(path));
}

/** What is run, or read as instructions, after it was written: hooks, settings of programs and shells, instructions for agents. */
const ACTS_LATER =
  /(?:^|\/)(?:\.(?:git|husky|githooks|vscode|idea|github|claude|cursor|gemini|copilot|devcontainer|config|ssh)\/|(?:AGENTS|CLAUDE|GEMINI)\.md$)|^\/home\/user\/(?:\.[^/]+$|\.local\/bin\/|bin\/|Library\/LaunchAgents\/)|^\/(?:private\/)?etc\//i;

/** Whether a link with a name like any other leads to what acts later. The folder in which the host works may itself be such a one. */
export function actsLaterByLink({ given, real }: Link, folder: Link | undefined): boolean {
  const inFolder = folder !== undefined && isWithin(real, folder.real) ? real.slice(folder.real.length + 1) : real;
  return ACTS_LATER.test(inFolder) && !ACTS_LATER.test(given);
}
