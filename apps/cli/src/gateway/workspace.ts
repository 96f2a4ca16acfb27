import { Command } from 'commander';
import type { Io } from '../io.ts';
import { withGateway } from '../peer.ts';

const HELP = `
Creates a workspace and its first key, for the principal "operator" with the scopes admin, approve:any, pins, policy
and audit. The key is printed once and is not stored. Standard output contains only the key, so that it can be redirected
to a file or a variable.

Example:
  key=$(sallyport gateway workspace acme)

Reads DATABASE_URL, SALLYPORT_KEY and SALLYPORT_ANCHORS.
Exit codes: 0 created, 1 the name is in use, 2 wrong usage, 3 the database is unreachable.`;

export function workspaceCommand(io: Io): Command {
  return new Command('workspace')
    .description('create a workspace and its first key')
    .argument('<name>', '1 to 40 characters: a-z, 0-9 and hyphens')
    .addHelpText('after', HELP)
    .action((name: string) =>
      withGateway(async ({ withOperations, readStoreConfig }) => {
        const { id, key } = await withOperations(readStoreConfig(io.environment), (operations) =>
          operations.makeWorkspace(name),
        );
        io.stderr(`Created workspace ${name} (${id}). Save its first key: it is not shown again.\n`);
        io.stdout(`${key}\n`);
      }),
    );
}
