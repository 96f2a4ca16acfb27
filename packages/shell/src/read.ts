import type { ShellLine } from './line.ts';
import { Reader } from './reader.ts';

/** A longer line is not read. */
const MAX_LENGTH = 20_000;

/** Reads a line of a POSIX shell or bash. What cannot be read makes it opaque. */
export function readShell(line: string): ShellLine {
  if (line.length > MAX_LENGTH || line.includes('\0')) return { commands: [], isOpaque: true };
  return new Reader().read(line);
}
