import { printable } from './terminal-text.ts';

/** A path for a person, uncut, with the home folder as `~`. */
export function shortPath(path: string, { home }: { readonly home: string }): string {
  const isBelow = path.startsWith(home) && /^[\\/]/.test(path.slice(home.length));
  return printable(isBelow ? `~${path.slice(home.length)}` : path, Number.POSITIVE_INFINITY);
}
