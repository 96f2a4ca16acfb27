export { hostsIn } from './hosts.ts';
export type { ShellCommand, ShellLine } from './line.ts';
export { readShell } from './read.ts';

/** Loads the parser once. That of this version is loaded with the module, so that this resolves at once. */
export function loadShell(): Promise<void> {
  return Promise.resolve();
}
