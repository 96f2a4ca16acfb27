import type { Scope } from '@sallyport/gateway';
import { Command, InvalidArgumentError } from 'commander';
import type { Io } from '../io.ts';
import { withGateway } from '../peer.ts';

const HELP = `
Makes a key in a workspace. It is printed this once, to standard output, and kept nowhere. Scopes: mcp (use servers),
approve, submit, audit, admin. The principal is who calls: what was read in its name counts for its calls.

Examples:
  sallyport gateway key acme --principal ada --scopes mcp,approve --expires 30d
  sallyport gateway key acme --principal auditor --scopes audit --label "yearly audit"

Reads DATABASE_URL and SALLYPORT_KEY.
Exit codes: 0 made, 2 wrong usage, 3 the database does not answer.`;

const MILLISECONDS = { h: 3_600_000, d: 86_400_000 };

/** A time from now, as 12h or 30d. */
function timeIn(text: string): Date {
  const [, count, unit] = /^([1-9]\d{0,4})([hd])$/.exec(text) ?? [];
  if (unit === undefined) throw new InvalidArgumentError('Give hours or days, as 12h or 30d.');
  return new Date(Date.now() + Number(count) * MILLISECONDS[unit as 'h' | 'd']);
}

interface KeyOptions {
  readonly principal: string;
  readonly scopes: string;
  readonly label?: string;
  readonly expires?: Date;
}

export function keyCommand(io: Io): Command {
  return new Command('key')
    .description('make a key in a workspace')
    .argument('<workspace>', 'its name')
    .requiredOption('--principal <name>', 'who calls with it')
    .requiredOption('--scopes <list>', 'what it may do, with commas between')
    .option('--label <text>', 'what people call it', 'made by the operator')
    .option('--expires <time>', 'from now, as 12h or 30d; never without it', timeIn)
    .addHelpText('after', HELP)
    .action((workspace: string, { scopes, label = '', principal, expires }: KeyOptions) =>
      withGateway(async ({ withOperations, readStoreConfig }) => {
        const named = scopes.split(',') as Scope[];
        const input = { principal, label, scopes: named, ...(expires === undefined ? {} : { expires }) };
        const key = await withOperations(readStoreConfig(io.environment), (operations) =>
          operations.makeKey(workspace, input),
        );
        io.stderr(`A key of ${principal} in ${workspace} follows; keep it, it is not shown again.\n`);
        io.stdout(`${key}\n`);
      }),
    );
}
