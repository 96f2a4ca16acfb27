import { Command } from 'commander';
import { pastDay } from '../day.ts';
import type { Io } from '../io.ts';
import { EXIT, withGateway } from '../peer.ts';
import { CommandError } from '../say.ts';

const HELP = `
Removes whole months of the audit of all workspaces that ended before a date. Each chain is verified before, and a signed
start takes the place of what is removed: verification begins there. A chain that is not whole is not touched, and
nothing else is removed then. Export before what you must keep. DATABASE_URL must be of the role that owns the tables.

Example:
  sallyport audit remove --before 2026-01-01

Reads DATABASE_URL and SALLYPORT_KEY.
Exit codes: 0 removed or nothing to remove, 1 not confirmed, or a chain is not whole, 2 wrong usage, 3 the database does
not answer.`;

export function removeCommand(io: Io): Command {
  return new Command('remove')
    .description('remove old months of the audit, with a signed start in their place')
    .requiredOption('--before <date>', 'months that ended before it', pastDay)
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', HELP)
    .action(({ before, yes }: { readonly before: Date; readonly yes?: boolean }) =>
      withGateway(async ({ atDesk, readStoreConfig }) => {
        const config = readStoreConfig(io.environment);
        const day = before.toISOString().slice(0, 10);
        if (!io.isTerminal && yes !== true)
          throw new CommandError('nobody can be asked without a terminal.', 'give --yes', EXIT.refused);
        if (yes !== true && !(await io.confirm(`Remove the audit of all months that ended before ${day}, for good?`)))
          throw new CommandError('nothing was removed.', 'confirm, or give --yes', EXIT.refused);
        io.stderr('Verifying each chain before anything of it is removed.\n');
        const removed = await atDesk(config, (desk) => desk.removeAudit(before));
        io.stdout(removed.length === 0 ? 'Nothing to remove.\n' : `Removed: ${removed.join(', ')}\n`);
      }),
    );
}
