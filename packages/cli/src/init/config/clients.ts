import { join } from 'node:path';
import type { Io } from '../../io.ts';
import { SERVER_TABLES } from './servers.ts';

export const CLIENTS: readonly ['claude-desktop', 'claude-code', 'cursor', 'vscode', 'codex', 'windsurf'] = [
  'claude-desktop',
  'claude-code',
  'cursor',
  'vscode',
  'codex',
  'windsurf',
];
export type Client = (typeof CLIENTS)[number];

/** A configuration file that may exist. */
export interface ConfigLocation {
  readonly client: Client | 'file';
  /** Its name in the report. */
  readonly label: string;
  readonly path: string;
  readonly tables: readonly (readonly string[])[];
}

/** The properties of the machine that determine where clients keep their configurations. */
export type Machine = Pick<Io, 'home' | 'platform' | 'cwd' | 'environment'>;

const { plain, perProject, vscode, vscodeSettings, codex } = SERVER_TABLES;

/** The folder in which desktop applications keep the data of a user. */
function applicationFolder({ home, platform, environment }: Machine): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return environment.APPDATA || join(home, 'AppData', 'Roaming');
  return environment.XDG_CONFIG_HOME || join(home, '.config');
}

function desktopPaths(machine: Machine): readonly string[] {
  const ending = ['Claude', 'claude_desktop_config.json'];
  const paths = [join(applicationFolder(machine), ...ending)];
  if (machine.platform !== 'win32') return paths;
  // Since 2026 it is installed as a package, for which Windows redirects the folder: anthropics/claude-code#26073.
  const local = machine.environment.LOCALAPPDATA || join(machine.home, 'AppData', 'Local');
  return [...paths, join(local, 'Packages', 'Claude_pzs8sxrjxfjjc', 'LocalCache', 'Roaming', ...ending)];
}

/** The configuration files of all known clients: the user's, and those of the project in the working folder. */
export function knownLocations(machine: Machine): readonly ConfigLocation[] {
  const { home, cwd, environment } = machine;
  const folder = applicationFolder(machine);
  const at = (
    client: Client,
    label: string,
    path: string,
    ...tables: readonly (readonly string[])[]
  ): ConfigLocation => ({
    client,
    label,
    path,
    tables,
  });
  return [
    ...desktopPaths(machine).map((path) => at('claude-desktop', 'Claude Desktop', path, plain)),
    at('claude-code', 'Claude Code', join(environment.CLAUDE_CONFIG_DIR || home, '.claude.json'), plain, perProject),
    at('claude-code', 'Claude Code, this project', join(cwd, '.mcp.json'), plain),
    at('cursor', 'Cursor', join(home, '.cursor', 'mcp.json'), plain),
    at('cursor', 'Cursor, this project', join(cwd, '.cursor', 'mcp.json'), plain),
    at('vscode', 'VS Code', join(folder, 'Code', 'User', 'mcp.json'), vscode),
    at('vscode', 'VS Code Insiders', join(folder, 'Code - Insiders', 'User', 'mcp.json'), vscode),
    at('vscode', 'VS Code, this project', join(cwd, '.vscode', 'mcp.json'), vscode),
    at('codex', 'Codex', join(environment.CODEX_HOME || join(home, '.codex'), 'config.toml'), codex),
    at('codex', 'Codex, this project', join(cwd, '.codex', 'config.toml'), codex),
    at('windsurf', 'Windsurf', join(home, '.codeium', 'windsurf', 'mcp_config.json'), plain),
  ];
}

/** A file named by the user. Its keys show which client it belongs to. */
export function namedLocation(path: string): ConfigLocation {
  return { client: 'file', label: 'File', path, tables: [plain, perProject, vscode, vscodeSettings, codex] };
}
