export { hostsIn } from './hosts.ts';
export type { ShellCommand, ShellLine } from './line.ts';
export { readShell } from './read.ts';
