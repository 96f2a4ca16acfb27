import { ConfigError, type Environment, readAll } from './config-error.ts';
import { listOf, numberOf, textOf } from './environment.ts';

/** A server that runs as a child process. Only the operator decides what may run. */
export interface CommandSetting {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Names of the workspaces that may use it, or `*` for all. */
  readonly workspaces: readonly string[];
  /** Lets principals share one process, because it keeps nothing between calls. */
  readonly isStateless: boolean;
  /** The number of the user that it runs as. Only for a launcher that runs as root. */
  readonly user?: number;
}

export interface LauncherSetting {
  /** Its socket. */
  readonly path: string;
  /** The name of the only workspace whose servers it runs, whatever it says itself. Undefined: of all, if it is the only launcher. */
  readonly workspace: string | undefined;
}

/** How a gateway runs servers as child processes. */
export interface ChildSettings {
  /** The programs that the gateway starts itself, by name. */
  readonly commands: Readonly<Record<string, CommandSetting>>;
  /** The launchers, which have the commands. */
  readonly launchers: readonly LauncherSetting[];
  /** Maximum number of child processes. */
  readonly max: number;
  /** Maximum number of child processes of one workspace. */
  readonly maxOfWorkspace: number;
  /** Seconds after which an idle child process is ended. */
  readonly idle: number;
}

/** A command as it is written in `SALLYPORT_COMMANDS`. */
interface CommandEntry extends Omit<CommandSetting, 'isStateless'> {
  readonly stateless: boolean;
}

const MAX_USER = 2 ** 31;

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function isUser(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < MAX_USER;
}

/** The least environment in which a child process finds programs. Another user cannot use this user's home. */
function baseEnvironment({ PATH, HOME }: Environment, user: number | undefined): Readonly<Record<string, string>> {
  const isHomeKnown = HOME !== undefined && user === undefined;
  return { ...(PATH === undefined ? {} : { PATH }), ...(isHomeKnown ? { HOME } : {}) };
}

/** The commands that `SALLYPORT_COMMANDS` lists. */
export function commandsIn(environment: Environment): Readonly<Record<string, CommandSetting>> {
  const text = textOf(environment, 'SALLYPORT_COMMANDS');
  if (text === undefined || text === '') return {};
  const invalid = new ConfigError(
    'SALLYPORT_COMMANDS is not valid: set it to JSON of the form {"name": {"command": "...", "args": [], "env": {}, "workspaces": ["..."], "stateless": false}}.',
  );
  let table: unknown;
  try {
    table = JSON.parse(text);
  } catch {
    throw invalid;
  }
  if (typeof table !== 'object' || table === null) throw invalid;
  const entries = Object.entries(table).map(([name, value]) => {
    const { command, args = [], env = {}, ...rest } = (value ?? {}) as Partial<CommandEntry>;
    const { workspaces = [], stateless = false, user } = rest;
    if (typeof command !== 'string' || !isTexts(args) || !isTexts(Object.values(env ?? {}))) throw invalid;
    // Without an owner, every workspace could use the credentials in `env`.
    if (!isTexts(workspaces) || workspaces.length === 0) throw invalid;
    if (typeof stateless !== 'boolean' || (user !== undefined && !isUser(user))) throw invalid;
    const whole = { ...baseEnvironment(environment, user), ...env };
    const setting = { command, args, env: whole, workspaces, isStateless: stateless };
    return [name, { ...setting, ...(user === undefined ? {} : { user }) }] as const;
  });
  return Object.fromEntries(entries);
}

/** A child of the gateway can read its keys, so the operator must say that this is meant, and for one workspace only. */
function checkTrusted(commands: Readonly<Record<string, CommandSetting>>, mode: string | undefined): void {
  const all = Object.values(commands);
  if (all.length === 0) return;
  if (mode !== 'trusted')
    throw new ConfigError(
      "SALLYPORT_COMMANDS needs a launcher, because a child process of the gateway could read its keys and its database: run `sallyport gateway launcher` as another user with this setting, and set SALLYPORT_LAUNCHER here. If you trust every command as you trust the gateway, and all are one workspace's, set SALLYPORT_CHILDREN=trusted.",
    );
  const owners = new Set(all.flatMap(({ workspaces }) => workspaces));
  if (owners.size !== 1 || owners.has('*'))
    throw new ConfigError(
      'SALLYPORT_COMMANDS has commands of several workspaces, which SALLYPORT_CHILDREN=trusted does not keep apart: name the same single workspace in each, or use a launcher (SALLYPORT_LAUNCHER).',
    );
  if (all.some(({ user }) => user !== undefined))
    throw new ConfigError('SALLYPORT_COMMANDS has a "user", which only a launcher can switch to: remove it.');
}

/** A child process could take its launcher's place and claim another workspace, so each of several is bound to one. */
function launchersIn({ SALLYPORT_LAUNCHER: text }: Environment): readonly LauncherSetting[] {
  const launchers = listOf(text).map((each) => {
    const [, workspace, path = each] = /^([a-z0-9-]{1,40})=(.+)$/.exec(each) ?? [];
    return { workspace, path };
  });
  if (launchers.length > 1 && launchers.some(({ workspace }) => workspace === undefined))
    throw new ConfigError(
      'SALLYPORT_LAUNCHER lists several launchers: name the workspace of each, as acme=/run/acme/launcher.sock.',
    );
  return launchers;
}

function modeIn({ SALLYPORT_CHILDREN: mode }: Environment): string | undefined {
  if (mode !== undefined && mode !== '' && mode !== 'trusted')
    throw new ConfigError('SALLYPORT_CHILDREN must be `trusted`, or not be set.');
  return mode;
}

/** The commands, if they may run where this setting says. */
function allowedCommands(
  commands: ChildSettings['commands'],
  launchers: ChildSettings['launchers'],
  mode: string | undefined,
): ChildSettings['commands'] {
  if (launchers.length === 0) checkTrusted(commands, mode);
  else if (Object.keys(commands).length > 0)
    throw new ConfigError(
      'SALLYPORT_COMMANDS is set together with SALLYPORT_LAUNCHER: remove it here, and give it to the launcher.',
    );
  return commands;
}

export function childrenIn(environment: Environment): ChildSettings {
  return readAll((read) => {
    const mode = read(() => modeIn(environment));
    const given = read(() => commandsIn(environment));
    const launchers = read(() => launchersIn(environment));
    const commands = read(() => allowedCommands(given(), launchers(), mode()));
    const max = read(() => numberOf(environment, 'SALLYPORT_MAX_CHILDREN', 100, 10_000));
    const maxOfWorkspace = read(() => numberOf(environment, 'SALLYPORT_WORKSPACE_CHILDREN', max(), 10_000));
    const idle = read(() => numberOf(environment, 'SALLYPORT_CHILD_IDLE', 300, 86_400));
    return () => ({
      commands: commands(),
      launchers: launchers(),
      max: max(),
      maxOfWorkspace: maxOfWorkspace(),
      idle: idle(),
    });
  });
}
