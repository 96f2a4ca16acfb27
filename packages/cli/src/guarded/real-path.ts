import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';

/** As many links as systems follow. */
const MAX_LINKS = 40;

function linkedTo(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Where a path leads, after all links in what exists of it. A link may lead to a file that is only to be written. */
export function realPath(path: string, linksLeft: number = MAX_LINKS): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    if (parent === path || !isAbsolute(path)) return path;
    const target = linksLeft > 0 ? linkedTo(path) : undefined;
    const folder = realPath(parent, linksLeft);
    return target === undefined ? join(folder, basename(path)) : realPath(resolve(folder, target), linksLeft - 1);
  }
}
