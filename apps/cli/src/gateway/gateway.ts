import { Command } from 'commander';
import type { Io } from '../io.ts';
import { EXIT, withGateway } from '../peer.ts';
import { CommandError } from '../terminal-text.ts';
import { applyCommand } from './apply.ts';
import { forgetCommand } from './forget.ts';
import { keyCommand } from './key.ts';
import { launcherCommand } from './launcher.ts';
import { migrateCommand } from './migrate.ts';
import { policyCommand } from './policy.ts';
import { stopSignal } from './stop-signal.ts';
import { workspaceCommand } from './workspace.ts';

const HELP = `
Serves all MCP servers of all workspaces at one address. It is configured by environment variables: DATABASE_URL,
SALLYPORT_KEY and SALLYPORT_SECRETS_KEY are required, docs/operations.md describes all of them. The database must have been
migrated before, by another role that owns the tables: see sallyport gateway migrate --help. On SIGTERM or SIGINT it accepts no more requests, finishes those in progress, and exits; a
second signal ends it at once. It logs JSON lines to standard output, and prints its address on standard error.

Examples:
  sallyport gateway migrate
  sallyport gateway
  sallyport gateway workspace acme
  sallyport gateway key acme --principal ada --scopes mcp
  sallyport gateway apply -f policy.yaml --workspace acme
  sallyport gateway forget --before 2026-01-01

Exit codes: 0 stopped after finishing its requests, 1 failed, 2 wrong usage or settings, 3 the database is unreachable.`;

/** Error codes of an address that cannot be listened on. */
const LISTEN_ERRORS: readonly string[] = ['EADDRINUSE', 'EADDRNOTAVAIL', 'EACCES', 'ENOTFOUND', 'EAI_AGAIN'];

async function serve(io: Io): Promise<void> {
  await withGateway(async ({ checkDatabase, createGateway, createLog, readConfig }) => {
    const config = readConfig(io.environment);
    // From the start: the first process of a container ignores signals without a listener.
    const stop = stopSignal();
    await checkDatabase(config.databaseUrl);
    const gateway = createGateway({ config, log: createLog(config.logLevel) });
    const host = config.host.includes(':') ? `[${config.host}]` : config.host;
    const port = await gateway.listen().catch(async (cause: unknown) => {
      await gateway.drain();
      const { code } = cause as { readonly code?: unknown };
      // `listen` first checks that the keys belong to this database: such an error is not about the address.
      if (typeof code !== 'string' || !LISTEN_ERRORS.includes(code)) throw cause;
      const message = `cannot listen on ${host}:${config.port} (${code}).`;
      throw new CommandError(message, 'set HOST and PORT to a free address of this machine', EXIT.refused);
    });
    io.stderr(`Listening on http://${host}:${port}\n`);
    await stop;
    io.stderr('Stopping: requests in progress have 20 seconds to finish.\n');
    await gateway.drain();
  });
}

export function gatewayCommand(io: Io): Command {
  const command = new Command('gateway').addHelpText('after', HELP).action(() => serve(io));
  for (const make of [
    migrateCommand,
    workspaceCommand,
    keyCommand,
    policyCommand,
    applyCommand,
    forgetCommand,
    launcherCommand,
  ])
    command.addCommand(make(io));
  return command;
}
