import { Command } from 'commander';
import type { Io } from '../io.ts';
import { withGateway } from '../peer.ts';
import { agreed, pastDay, type RemovalOptions } from '../removal.ts';

const HELP = `
Removes what was read before a date in all workspaces, which is kept as plain text, and approvals that ended before it.
In place of a named conversation's part a mark stays: whoever goes on with it is asked about every effect, since nobody
knows any more whose words are whose. What was read in no named conversation goes without a mark: choose a date that no
model's context reaches back to. What servers say of their tools and the audit stay. DATABASE_URL must be of the role
that owns the tables.

Examples:
  sallyport gateway forget --before 2026-01-01
  sallyport gateway forget --before "$(date -d '30 days ago' +%F)" --yes     in a daily job

Reads DATABASE_URL and SALLYPORT_KEY.
Exit codes: 0 removed or nothing to remove, 1 not confirmed, 2 wrong usage, 3 the database does not answer.`;

export function forgetCommand(io: Io): Command {
  return new Command('forget')
    .description('remove what conversations have read long ago')
    .requiredOption('--before <date>', 'what was read before it', pastDay)
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', HELP)
    .action((options: RemovalOptions) =>
      withGateway(async ({ withOperations, readStoreConfig }) => {
        const config = readStoreConfig(io.environment);
        await agreed(io, options, (day) => `Forget what all conversations read before ${day}, for good?`);
        const { entries, approvals } = await withOperations(config, (operations) => operations.forget(options.before));
        io.stdout(`Removed: ${entries} entries of conversations, ${approvals} approvals.\n`);
      }),
    );
}
