import { InvalidArgumentError } from 'commander';
import type { Io } from './io.ts';
import { EXIT } from './peer.ts';
import { CommandError } from './terminal-text.ts';

/** Options of a command that deletes data permanently. */
export interface RemovalOptions {
  readonly before: Date;
  readonly yes?: boolean;
}

/** Reads a date in the past, in the form 2026-01-01. */
export function parsePastDate(text: string): Date {
  const date = new Date(`${text}T00:00:00Z`);
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text) && date.toJSON()?.startsWith(text) === true;
  if (!isDate || date.getTime() > Date.now())
    throw new InvalidArgumentError('Expected a date in the past, such as 2026-01-01.');
  return date;
}

/** Throws unless the user confirms, at the terminal or with --yes. */
export async function requireConfirmation(
  io: Io,
  { before, yes }: RemovalOptions,
  question: (day: string) => string,
): Promise<void> {
  if (yes === true) return;
  if (!io.isTerminal)
    throw new CommandError('cannot ask for confirmation without a terminal.', 'add --yes', EXIT.refused);
  if (!(await io.confirm(question(before.toISOString().slice(0, 10)))))
    throw new CommandError(
      'not confirmed; nothing was removed.',
      'run it again and answer y, or add --yes',
      EXIT.refused,
    );
}
