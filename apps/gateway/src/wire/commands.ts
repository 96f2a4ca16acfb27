import type { ChildSettings, LauncherSetting } from '../operate/commands.ts';
import type { CommandFor } from '../serve/upstream-routes.ts';
import { LauncherClient } from '../upstream/launcher-client.ts';
import { type ProcessEvents, ServerProcess, type StartChild } from '../upstream/process.ts';

/** A command that was found by its name. */
interface FoundCommand {
  readonly workspaces: readonly string[];
  readonly isStateless: boolean;
  /** Starts it for a workspace of the list. */
  start(workspace: string, events: ProcessEvents): ReturnType<StartChild>;
}

type FindCommand = (name: string) => Promise<FoundCommand | undefined>;

/** The commands that the gateway starts itself. */
function ownCommands({ commands }: ChildSettings): FindCommand {
  return async (name) => {
    const setting = Object.hasOwn(commands, name) ? commands[name] : undefined;
    return setting && { ...setting, start: async (_workspace, events) => new ServerProcess(setting, events) };
  };
}

/** The setting decides for which workspace a launcher speaks, not the launcher. */
function boundTo(bound: string | undefined, workspaces: readonly string[]): readonly string[] {
  if (bound === undefined) return workspaces;
  return workspaces.includes(bound) || workspaces.includes('*') ? [bound] : [];
}

function launchedCommands({ path, workspace: bound }: LauncherSetting): FindCommand {
  const client = new LauncherClient(path);
  return async (name) => {
    const command = await client.describe(name);
    if (command === undefined) return undefined;
    return {
      ...command,
      workspaces: boundTo(bound, command.workspaces),
      start: (workspace, events) => client.start(command, workspace, events),
    };
  };
}

/**
 * Finds commands by the names of the workspaces that may use them. A name never moves to another workspace.
 *
 * @param findWorkspace the id of a workspace by its name
 */
export function createCommandFor(
  children: ChildSettings,
  findWorkspace: (name: string) => Promise<string | undefined>,
): CommandFor {
  const { launchers } = children;
  const sources = launchers.length === 0 ? [ownCommands(children)] : launchers.map(launchedCommands);
  const ownerIn = async (workspaces: readonly string[], id: string): Promise<string | undefined> => {
    if (workspaces.includes('*')) return '*';
    const known = await Promise.all(workspaces.map(findWorkspace));
    return workspaces.find((_, index) => known[index] === id);
  };
  return async (workspace, name) => {
    let failure: unknown;
    for (const find of sources)
      try {
        const found = await find(name);
        const owner = found && (await ownerIn(found.workspaces, workspace));
        if (found !== undefined && owner !== undefined)
          return { isStateless: found.isStateless, start: (events) => found.start(owner, events) };
      } catch (cause) {
        failure ??= cause;
      }
    if (failure !== undefined) throw failure;
    return undefined;
  };
}
