import { InvalidArgumentError } from 'commander';
import type { Io } from './io.ts';
import { EXIT } from './peer.ts';
import { CommandError } from './terminal-text.ts';

/** What a command that removes for good is told. */
export interface RemovalOptions {
  readonly before: Date;
  readonly yes?: boolean;
}

/** A day that is over, as an option names it. */
export function pastDay(text: string): Date {
  const date = new Date(`${text}T00:00:00Z`);
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text) && date.toJSON()?.startsWith(text) === true;
  if (!isDate || date.getTime() > Date.now()) throw new InvalidArgumentError('Give a day that is over, as 2026-01-01.');
  return date;
}

/** Goes on where somebody agrees, here or by --yes. */
export async function agreed(
  io: Io,
  { before, yes }: RemovalOptions,
  question: (day: string) => string,
): Promise<void> {
  if (yes === true) return;
  if (!io.isTerminal) throw new CommandError('nobody can be asked without a terminal.', 'give --yes', EXIT.refused);
  if (!(await io.confirm(question(before.toISOString().slice(0, 10)))))
    throw new CommandError('nothing was removed.', 'confirm, or give --yes', EXIT.refused);
}
