import { ConfigError, type Environment } from './config-error.ts';

/** A server that runs as a child process. Only the operator decides what may run on the gateway's machine. */
export interface CommandSetting {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Names of the workspaces that may use it, or `*` for all. */
  readonly workspaces: readonly string[];
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** What a child process needs to find programs, and none of the gateway's own variables. */
function baseEnvironment({ PATH, HOME }: Environment): Readonly<Record<string, string>> {
  return { ...(PATH === undefined ? {} : { PATH }), ...(HOME === undefined ? {} : { HOME }) };
}

/** The commands that `SALLYPORT_COMMANDS` lists. */
export function commandsIn(environment: Environment): Readonly<Record<string, CommandSetting>> {
  const text = environment.SALLYPORT_COMMANDS;
  if (text === undefined || text === '') return {};
  const invalid = new ConfigError(
    'SALLYPORT_COMMANDS is not valid: set it to JSON of the form {"name": {"command": "...", "args": [], "env": {}, "workspaces": ["..."]}}.',
  );
  let table: unknown;
  try {
    table = JSON.parse(text);
  } catch {
    throw invalid;
  }
  if (typeof table !== 'object' || table === null) throw invalid;
  const entries = Object.entries(table).map(([name, value]) => {
    const { command, args = [], env = {}, workspaces = [] } = (value ?? {}) as Partial<CommandSetting>;
    if (typeof command !== 'string' || !isTexts(args) || !isTexts(Object.values(env ?? {}))) throw invalid;
    // Without an owner, every workspace could use the credentials in `env`.
    if (!isTexts(workspaces) || workspaces.length === 0) throw invalid;
    return [name, { command, args, env: { ...baseEnvironment(environment), ...env }, workspaces }] as const;
  });
  return Object.fromEntries(entries);
}
