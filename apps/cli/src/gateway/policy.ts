import { Command } from 'commander';
import type { Io } from '../io.ts';
import { withGateway } from '../peer.ts';
import { policyFile } from './policy-file.ts';

const HELP = `
Prints the policy that applies in a workspace as YAML, in the form that sallyport gateway apply reads.

Example:
  sallyport gateway policy acme > policy.yaml

Reads DATABASE_URL and SALLYPORT_KEY.
Exit codes: 0 printed, 2 wrong usage, 3 the database is unreachable.`;

export function policyCommand(io: Io): Command {
  return new Command('policy')
    .description('print the policy of a workspace')
    .argument('<workspace>', 'name of the workspace')
    .addHelpText('after', HELP)
    .action((workspace: string) =>
      withGateway(async ({ withOperations, readStoreConfig }) => {
        const policy = await withOperations(readStoreConfig(io.environment), (operations) =>
          operations.readPolicy(workspace),
        );
        io.stdout(policyFile(workspace, policy));
      }),
    );
}
