import { Command } from 'commander';
import type { Io } from '../io.ts';
import { withGateway } from '../peer.ts';

const HELP = `
Migrates the tables to the form of this version, all or nothing. Run it before the first start and before replicas of a new
version. The role in DATABASE_OWNER_URL owns the tables. A replica does not need it and should not have it: it connects with
DATABASE_URL, as a role that owns nothing.

Example:
  DATABASE_OWNER_URL=postgres://sallyport_owner:...@host/sallyport sallyport gateway migrate

Reads DATABASE_OWNER_URL.
Exit codes: 0 migrated or nothing to do, 1 the tables are of a later version, 2 wrong usage, 3 the database is unreachable.`;

export function migrateCommand(io: Io): Command {
  return new Command('migrate')
    .description('create or update the tables, as the role that owns them')
    .addHelpText('after', HELP)
    .action(() =>
      withGateway(async ({ migrateDatabase, readOwnerUrl }) => {
        const applied = await migrateDatabase(readOwnerUrl(io.environment));
        io.stderr(applied.length === 0 ? 'Nothing to migrate.\n' : `Applied: ${applied.join(', ')}\n`);
      }),
    );
}
