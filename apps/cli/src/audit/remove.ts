import { Command } from 'commander';
import type { Io } from '../io.ts';
import { withGateway } from '../peer.ts';
import { parsePastDate, type RemovalOptions, requireConfirmation } from '../removal.ts';

const HELP = `
Removes the audit rows of all workspaces, for every calendar month that ended before a date. Each chain is verified first,
and a signed starting point replaces the removed rows: later verification begins there. If a chain fails verification,
nothing is removed. Export what you must keep before you remove it. DATABASE_OWNER_URL must be that of the role that owns
the tables.

Example:
  sallyport audit remove --before 2026-01-01

Reads DATABASE_URL, DATABASE_OWNER_URL and SALLYPORT_KEY.
Exit codes: 0 removed or nothing to remove, 1 not confirmed or a chain failed verification, 2 wrong usage, 3 the database is
unreachable.`;

export function removeCommand(io: Io): Command {
  return new Command('remove')
    .description('remove old months of the audit, and sign a new starting point')
    .requiredOption('--before <date>', 'remove months that ended before this date, such as 2026-01-01', parsePastDate)
    .option('-y, --yes', 'do not ask for confirmation')
    .addHelpText('after', HELP)
    .action((options: RemovalOptions) =>
      withGateway(async ({ withOperations, readStoreConfig }) => {
        const config = readStoreConfig(io.environment);
        await requireConfirmation(
          io,
          options,
          (day) => `Permanently remove the audit of all months that ended before ${day}?`,
        );
        io.stderr('Verifying each chain before its rows are removed.\n');
        const removed = await withOperations(config, (operations) => operations.removeAudit(options.before));
        io.stdout(removed.length === 0 ? 'Nothing to remove.\n' : `Removed: ${removed.join(', ')}\n`);
      }),
    );
}
