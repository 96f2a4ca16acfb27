import { Command } from 'commander';
import type { Io } from '../io.ts';
import { exportCommand } from './export.ts';
import { publicKeyCommand } from './public-key.ts';
import { removeCommand } from './remove.ts';
import { verifyCommand } from './verify.ts';

const HELP = `
The gateway records each decision in an audit chain: every row contains the hash of the row before it and a proof that the
gateway has written it, so that an edit or a removal is detected.

Examples:
  sallyport audit verify acme
  sallyport audit export acme > acme.jsonl
  sallyport audit remove --before 2026-01-01`;

export function auditCommand(io: Io): Command {
  const command = new Command('audit').addHelpText('after', HELP);
  for (const make of [verifyCommand, exportCommand, publicKeyCommand, removeCommand]) command.addCommand(make(io));
  return command;
}
