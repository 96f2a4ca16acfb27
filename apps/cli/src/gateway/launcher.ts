import { Command } from 'commander';
import type { Io } from '../io.ts';
import { withGateway } from '../peer.ts';
import { stopSignal } from './stop-signal.ts';

const HELP = `
Starts MCP servers for a gateway. A child process can read what the process that started it knows, so the gateway starts
none without SALLYPORT_CHILDREN=trusted: run the launcher as another user, or in another container, with SALLYPORT_COMMANDS, and give the gateway
SALLYPORT_LAUNCHER. The launcher refuses to start if it was given a key or a database. Anyone who may enter the folder of the socket can use the launcher: the folder's mode must be 0750 or 0700.

Example:
  SALLYPORT_LAUNCHER=/run/sallyport/launcher.sock SALLYPORT_COMMANDS_FILE=commands.json sallyport gateway launcher

Reads SALLYPORT_LAUNCHER, SALLYPORT_COMMANDS, SALLYPORT_MAX_CHILDREN and SALLYPORT_LOG_LEVEL.
Exit codes: 0 stopped, 2 wrong usage or settings.`;

export function launcherCommand(io: Io): Command {
  return new Command('launcher')
    .description('start MCP servers for a gateway, as another user')
    .addHelpText('after', HELP)
    .action(() =>
      withGateway(async ({ createLauncher, createLog, readLauncherConfig }) => {
        const config = readLauncherConfig(io.environment);
        const stop = stopSignal();
        const launcher = createLauncher({ config, log: createLog(config.logLevel) });
        await launcher.listen();
        io.stderr(`Listening on ${config.socket}\n`);
        await stop;
        await launcher.close();
      }),
    );
}
