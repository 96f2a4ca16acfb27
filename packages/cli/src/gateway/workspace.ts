import { Command } from 'commander';
import type { Io } from '../io.ts';
import { withGateway } from '../peer.ts';

const HELP = `
Makes a workspace and its first key, of the principal "operator" with the scopes admin, approve and audit. The key is
printed this once and kept nowhere. It goes to standard output alone, so that it can go to a file or into a variable.

Example:
  key=$(sallyport gateway workspace acme)

Reads DATABASE_URL and SALLYPORT_KEY.
Exit codes: 0 made, 1 there is one of that name, 2 wrong usage, 3 the database does not answer.`;

export function workspaceCommand(io: Io): Command {
  return new Command('workspace')
    .description('make a workspace and its first key')
    .argument('<name>', '1 to 40 of a-z, 0-9 and hyphens')
    .addHelpText('after', HELP)
    .action((name: string) =>
      withGateway(async ({ withOperations, readStoreConfig }) => {
        const { id, key } = await withOperations(readStoreConfig(io.environment), (operations) =>
          operations.makeWorkspace(name),
        );
        io.stderr(`Workspace ${name} (${id}). Its first key follows; keep it, it is not shown again.\n`);
        io.stdout(`${key}\n`);
      }),
    );
}
