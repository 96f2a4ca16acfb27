import { Command } from 'commander';
import type { Io } from '../io.ts';
import { withGateway } from '../peer.ts';
import { parsePastDate, type RemovalOptions, requireConfirmation } from '../removal.ts';

const HELP = `
Removes, in all workspaces, the content that conversations read before a date (it is stored as plain text) and approvals
that ended before it. A named conversation keeps a marker: if it continues, every call with an effect is held for approval,
because the sources of its values are no longer known. Content read outside a named conversation leaves no marker: choose a
date older than anything a model still has in its context. Pins and the audit are kept. DATABASE_OWNER_URL must be that of
the role that owns the tables.

Examples:
  sallyport gateway forget --before 2026-01-01
  sallyport gateway forget --before "$(date -d '30 days ago' +%F)" --yes     as a daily job

Reads DATABASE_URL, DATABASE_OWNER_URL and SALLYPORT_KEY.
Exit codes: 0 removed or nothing to remove, 1 not confirmed, 2 wrong usage, 3 the database is unreachable.`;

export function forgetCommand(io: Io): Command {
  return new Command('forget')
    .description('remove old content of conversations')
    .requiredOption('--before <date>', 'remove what was read before this date, such as 2026-01-01', parsePastDate)
    .option('-y, --yes', 'do not ask for confirmation')
    .addHelpText('after', HELP)
    .action((options: RemovalOptions) =>
      withGateway(async ({ withOperations, readStoreConfig }) => {
        const config = readStoreConfig(io.environment);
        await requireConfirmation(
          io,
          options,
          (day) => `Permanently remove what all conversations read before ${day}?`,
        );
        const { entries, approvals } = await withOperations(config, (operations) => operations.forget(options.before));
        io.stdout(`Removed: ${entries} conversation entries, ${approvals} approvals.\n`);
      }),
    );
}
