import { Command } from 'commander';
import type { Io } from '../io.ts';
import { withGateway } from '../peer.ts';
import { agreed, pastDay, type RemovalOptions } from '../removal.ts';

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
    .action((options: RemovalOptions) =>
      withGateway(async ({ withOperations, readStoreConfig }) => {
        const config = readStoreConfig(io.environment);
        await agreed(io, options, (day) => `Remove the audit of all months that ended before ${day}, for good?`);
        io.stderr('Verifying each chain before anything of it is removed.\n');
        const removed = await withOperations(config, (operations) => operations.removeAudit(options.before));
        io.stdout(removed.length === 0 ? 'Nothing to remove.\n' : `Removed: ${removed.join(', ')}\n`);
      }),
    );
}
