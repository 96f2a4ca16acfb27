import { Command } from 'commander';
import type { Io } from '../io.ts';
import { withGateway } from '../peer.ts';

const HELP = `
Prints the public key of the audit, one line for each key in SALLYPORT_KEY. Give it to an auditor who verifies exports: with it,
signatures can be checked and not made.

Example:
  sallyport audit public-key

Reads SALLYPORT_KEY.
Exit codes: 0 printed, 2 wrong usage.`;

export function publicKeyCommand(io: Io): Command {
  return new Command('public-key')
    .description('print the key with which an auditor verifies an export')
    .addHelpText('after', HELP)
    .action(() =>
      withGateway(async ({ auditKeysOf, readKeys }) => {
        for (const key of auditKeysOf(readKeys(io.environment).keysFor('audit'))) io.stdout(`${key.public.text}\n`);
      }),
    );
}
