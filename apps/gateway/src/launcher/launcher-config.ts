import { type CommandSetting, commandsIn } from '../operate/commands.ts';
import { ConfigError, type Environment, readAll } from '../operate/config-error.ts';
import { levelIn, numberOf, required, SECRETS } from '../operate/environment.ts';

/** The settings of a launcher, from `readLauncherConfig`. */
export interface LauncherConfig {
  /** The path of the Unix socket. */
  readonly socket: string;
  readonly commands: Readonly<Record<string, CommandSetting>>;
  readonly maxChildren: number;
  readonly logLevel: string;
}

const ROOT = 0;

/** Checks that commands with one user belong to the same workspaces: processes of a user can read each other. */
function checkUsers(commands: Readonly<Record<string, CommandSetting>>, user: number | undefined): void {
  const owners = new Map<number | undefined, string>();
  for (const setting of Object.values(commands)) {
    if (user === ROOT && (setting.user === undefined || setting.user === ROOT))
      throw new ConfigError(
        'SALLYPORT_COMMANDS has a command without "user", which would run as root: give each command a "user", or start the launcher as another user than root.',
      );
    if (user !== ROOT && setting.user !== undefined)
      throw new ConfigError(
        'SALLYPORT_COMMANDS has a "user", which only root can switch to: remove it, or start the launcher as root.',
      );
    const workspaces = setting.workspaces.toSorted().join(' ');
    if ((owners.get(setting.user) ?? workspaces) !== workspaces)
      throw new ConfigError(
        'SALLYPORT_COMMANDS has commands of different workspaces that run as one user, and could read each other\'s secrets: run one launcher for each workspace, each as a user of its own, or run it as root and give each workspace\'s commands another "user".',
      );
    owners.set(setting.user, workspaces);
  }
}

function checkAbsent(environment: Environment, name: string): void {
  if (environment[name])
    throw new ConfigError(`${name} is set: remove it, because child processes can read what the launcher knows.`);
}

function someCommandsIn(environment: Environment, user: number | undefined): LauncherConfig['commands'] {
  const commands = commandsIn(environment);
  if (Object.keys(commands).length === 0)
    throw new ConfigError('SALLYPORT_COMMANDS is not set: list the commands that the launcher may start.');
  checkUsers(commands, user);
  return commands;
}

/**
 * Reads the settings of a launcher: `SALLYPORT_LAUNCHER`, `SALLYPORT_COMMANDS` and `SALLYPORT_MAX_CHILDREN`.
 * Refuses an environment that contains a secret of the gateway.
 *
 * @example
 * ```ts
 * const config = readLauncherConfig(process.env);
 * const launcher = createLauncher({ config, log: createLog(config.logLevel) });
 * await launcher.listen();
 * ```
 */
export function readLauncherConfig(
  environment: Environment,
  user: number | undefined = process.getuid?.(),
): LauncherConfig {
  return readAll((read) => {
    for (const name of SECRETS.flatMap((each) => [each, `${each}_FILE`])) read(() => checkAbsent(environment, name));
    const socket = read(() =>
      required(environment, 'SALLYPORT_LAUNCHER', 'set it to the path of the socket to create'),
    );
    const commands = read(() => someCommandsIn(environment, user));
    const maxChildren = read(() => numberOf(environment, 'SALLYPORT_MAX_CHILDREN', 100, 10_000));
    const logLevel = read(() => levelIn(environment));
    return () => ({
      socket: socket(),
      commands: commands(),
      maxChildren: maxChildren(),
      logLevel: logLevel(),
    });
  });
}
