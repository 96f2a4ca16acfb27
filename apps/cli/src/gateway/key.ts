import type { Scope } from '@sallyport/gateway';
import { Command, InvalidArgumentError } from 'commander';
import type { Io } from '../io.ts';
import { withGateway } from '../peer.ts';

const HELP = `
Creates a key in a workspace. The key is printed once, to standard output, and is not stored. Scopes: mcp (use servers),
approve:own (answer one's own held calls), approve:any (those of everyone), pins (changed definitions), policy, submit, audit,
admin. The principal is the caller's name: content read under a principal is considered when its calls are checked.

Examples:
  sallyport gateway key acme --principal ada --scopes approve:own --expires 30d
  sallyport gateway key acme --principal bob --scopes mcp --groups finance,sales
  sallyport gateway key acme --principal ada-agent --scopes mcp --person sub:ada
  sallyport gateway key acme --principal auditor --scopes audit --label "yearly audit"

Reads DATABASE_URL, SALLYPORT_KEY and SALLYPORT_ANCHORS.
Exit codes: 0 created, 1 the principal looks like another one, 2 wrong usage, 3 the database is unreachable.`;

const MILLISECONDS = { h: 3_600_000, d: 86_400_000 };

/** The time after a duration such as 12h or 30d. */
function parseExpiry(text: string): Date {
  const [, count, unit] = /^([1-9]\d{0,4})([hd])$/.exec(text) ?? [];
  if (unit === undefined) throw new InvalidArgumentError('Expected hours or days, such as 12h or 30d.');
  return new Date(Date.now() + Number(count) * MILLISECONDS[unit as 'h' | 'd']);
}

interface KeyOptions {
  readonly principal: string;
  readonly scopes: string;
  readonly label?: string;
  readonly groups?: string;
  readonly person?: string;
  readonly expires?: Date;
}

export function keyCommand(io: Io): Command {
  return new Command('key')
    .description('create a key in a workspace')
    .argument('<workspace>', 'name of the workspace')
    .requiredOption('--principal <name>', 'the caller that uses the key')
    .requiredOption('--scopes <list>', 'what the key may do, separated by commas')
    .option('--groups <list>', 'groups of the caller, separated by commas: the policy says what they reach')
    .option(
      '--person <name>',
      'the person whose key it is, such as sub:ada: compared where a second person must answer',
    )
    .option('--label <text>', 'description for people', 'made by the operator')
    .option('--expires <time>', 'lifetime, such as 12h or 30d (default: does not expire)', parseExpiry)
    .addHelpText('after', HELP)
    .action((workspace: string, { scopes, label = '', principal, groups, person, expires }: KeyOptions) =>
      withGateway(async ({ withOperations, readStoreConfig }) => {
        const input = {
          principal,
          label,
          scopes: scopes.split(',') as Scope[],
          ...(groups === undefined ? {} : { groups: groups.split(',') }),
          ...(person === undefined ? {} : { person }),
          ...(expires === undefined ? {} : { expires }),
        };
        const key = await withOperations(readStoreConfig(io.environment), (operations) =>
          operations.makeKey(workspace, input, { onWarning: (text) => io.stderr(`${text}\n`) }),
        );
        io.stderr(`Key for ${principal} in ${workspace}. Save it: it is not shown again.\n`);
        io.stdout(`${key}\n`);
      }),
    );
}
