import { Command } from 'commander';
import type { Io } from '../io.ts';
import { EXIT, withGateway } from '../peer.ts';
import { CommandError } from '../terminal-text.ts';
import { forgetCommand } from './forget.ts';
import { keyCommand } from './key.ts';
import { workspaceCommand } from './workspace.ts';

const HELP = `
Serves all MCP servers of all workspaces at one address. Settings are environment variables: DATABASE_URL, SALLYPORT_KEY
and SALLYPORT_SECRETS_KEY are needed, docs/operations.md has all of them. Brings the database to the newest form first.
On SIGTERM or SIGINT it takes no more requests, lets those end that are under way, and exits; a second one ends it at once.
The log is lines of JSON on standard output; the address is one line on standard error.

Examples:
  sallyport gateway
  sallyport gateway --no-migrate             when another role than this one owns the tables
  sallyport gateway workspace acme
  sallyport gateway key acme --principal ada --scopes mcp,approve
  sallyport gateway forget --before 2026-01-01

Exit codes: 0 stopped and drained, 1 failed, 2 wrong usage or settings, 3 the database does not answer.`;

/** What an address that cannot be listened at is refused with. */
const LISTENING: readonly string[] = ['EADDRINUSE', 'EADDRNOTAVAIL', 'EACCES', 'ENOTFOUND', 'EAI_AGAIN'];

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** When the process is told to stop. Told twice, it stops at once. */
function stopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS)
      process.once(signal, () => {
        resolve();
        for (const again of SIGNALS) process.once(again, () => process.exit(EXIT.refused));
      });
  });
}

async function serve(io: Io, isMigrating: boolean): Promise<void> {
  await withGateway(async ({ checkDatabase, createGateway, createLog, migrateDatabase, readConfig }) => {
    const config = readConfig(io.environment);
    // From the start: the first process of a container is not ended by a signal that it does not listen to.
    const stop = stopped();
    if (isMigrating) {
      io.stderr('Bringing the database to the newest form.\n');
      const applied = await migrateDatabase(config.databaseUrl);
      if (applied.length > 0) io.stderr(`Applied: ${applied.join(', ')}\n`);
    } else await checkDatabase(config.databaseUrl);
    const gateway = createGateway({ config, log: createLog(config.logLevel) });
    const host = config.host.includes(':') ? `[${config.host}]` : config.host;
    const port = await gateway.listen().catch(async (cause: unknown) => {
      await gateway.drain();
      const { code } = cause as { readonly code?: unknown };
      // Before it listens it looks whether this database knows its keys.
      if (typeof code !== 'string' || !LISTENING.includes(code)) throw cause;
      const message = `cannot listen at ${host}:${config.port} (${code}).`;
      throw new CommandError(message, 'set PORT and HOST to an address that is free', EXIT.refused);
    });
    io.stderr(`Listening at http://${host}:${port}\n`);
    await stop;
    io.stderr('Stopping: requests that are under way have 20 seconds.\n');
    await gateway.drain();
  });
}

export function gatewayCommand(io: Io): Command {
  const command = new Command('gateway')
    .description('serve the MCP servers of a team at one address')
    .option('--no-migrate', 'leave the form of the database as it is')
    .addHelpText('after', HELP)
    .action(({ migrate }: { readonly migrate: boolean }) => serve(io, migrate));
  for (const make of [workspaceCommand, keyCommand, forgetCommand]) command.addCommand(make(io));
  return command;
}
