import { join } from 'node:path';
import type { Io } from '../../io.ts';
import { SERVER_TABLES } from './servers.ts';

/** The clients that `init` knows, and their names in the report. */
const NAMES = {
  'claude-desktop': 'Claude Desktop',
  'claude-code': 'Claude Code',
  cursor: 'Cursor',
  vscode: 'VS Code',
  codex: 'Codex',
  windsurf: 'Windsurf',
  gemini: 'Gemini CLI',
  copilot: 'Copilot CLI',
  zed: 'Zed',
  cline: 'Cline',
  roo: 'Roo Code',
  junie: 'JetBrains Junie',
  opencode: 'opencode',
  kiro: 'Kiro',
  'lm-studio': 'LM Studio',
} as const;
export type Client = keyof typeof NAMES;
export const CLIENTS: readonly Client[] = Object.keys(NAMES) as Client[];

export function clientName(client: Client): string {
  return NAMES[client];
}

/** A configuration file that may exist. */
export interface ConfigLocation {
  readonly client: Client | 'file';
  /** Its name in the report. */
  readonly label: string;
  readonly path: string;
  readonly tables: readonly (readonly string[])[];
  /** Set for a file of a project, which is committed and read on other machines. */
  readonly isShared: boolean;
  /** The folders that are created for it, the innermost first. @default none */
  readonly folders?: readonly string[];
}

/** The properties of the machine that determine where clients keep their configurations. */
export type Machine = Pick<Io, 'home' | 'platform' | 'cwd' | 'environment'>;

const { plain, perProject, vscode, vscodeSettings, codex, zed, opencode } = SERVER_TABLES;

/** The folder in which desktop applications keep the data of a user. */
export function applicationFolder({ home, platform, environment }: Machine): string {
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

/** A row of the table: a client, its file, the tables of servers in it, and its name if the client has several files. */
type Row = readonly [client: Client, path: string, tables: readonly (readonly string[])[], label?: string];

/** The user's own files. */
function userRows(machine: Machine): readonly Row[] {
  const { home, platform, environment } = machine;
  const folder = applicationFolder(machine);
  const inCode = (...path: readonly string[]): string => join(folder, 'Code', 'User', ...path);
  const config = environment.XDG_CONFIG_HOME || join(home, '.config');
  const zedFolder =
    platform === 'win32' ? join(folder, 'Zed') : join(platform === 'darwin' ? join(home, '.config') : config, 'zed');
  return [
    ...desktopPaths(machine).map((path): Row => ['claude-desktop', path, [plain]]),
    ['claude-code', join(environment.CLAUDE_CONFIG_DIR || home, '.claude.json'), [plain, perProject]],
    ['cursor', join(home, '.cursor', 'mcp.json'), [plain]],
    ['vscode', inCode('mcp.json'), [vscode]],
    ['vscode', join(folder, 'Code - Insiders', 'User', 'mcp.json'), [vscode], 'VS Code Insiders'],
    ['codex', join(environment.CODEX_HOME || join(home, '.codex'), 'config.toml'), [codex]],
    ['windsurf', join(home, '.codeium', 'windsurf', 'mcp_config.json'), [plain]],
    ['gemini', join(home, '.gemini', 'settings.json'), [plain]],
    ['copilot', join(environment.COPILOT_HOME || join(home, '.copilot'), 'mcp-config.json'), [plain]],
    ['zed', join(zedFolder, 'settings.json'), [zed]],
    ['cline', inCode('globalStorage', 'saoudrizwan.claude-dev', 'settings', 'cline_mcp_settings.json'), [plain]],
    ['cline', join(home, '.cline', 'data', 'settings', 'cline_mcp_settings.json'), [plain], 'Cline CLI'],
    ['roo', inCode('globalStorage', 'rooveterinaryinc.roo-cline', 'settings', 'mcp_settings.json'), [plain]],
    ['junie', join(home, '.junie', 'mcp', 'mcp.json'), [plain]],
    // It has this folder on every system. `mcp.servers` is the table of its second version.
    ['opencode', join(config, 'opencode', 'opencode.json'), [opencode, vscodeSettings]],
    ['opencode', join(config, 'opencode', 'opencode.jsonc'), [opencode, vscodeSettings]],
    ['kiro', join(home, '.kiro', 'settings', 'mcp.json'), [plain]],
    ['lm-studio', join(home, '.lmstudio', 'mcp.json'), [plain]],
  ];
}

/** The files of the project in the working folder. */
function projectRows({ cwd }: Machine): readonly Row[] {
  return [
    ['claude-code', join(cwd, '.mcp.json'), [plain]],
    ['cursor', join(cwd, '.cursor', 'mcp.json'), [plain]],
    ['vscode', join(cwd, '.vscode', 'mcp.json'), [vscode]],
    ['codex', join(cwd, '.codex', 'config.toml'), [codex]],
    ['gemini', join(cwd, '.gemini', 'settings.json'), [plain]],
    ['copilot', join(cwd, '.github', 'mcp.json'), [plain]],
    ['zed', join(cwd, '.zed', 'settings.json'), [zed]],
    ['roo', join(cwd, '.roo', 'mcp.json'), [plain]],
    ['junie', join(cwd, '.junie', 'mcp', 'mcp.json'), [plain]],
    ['opencode', join(cwd, 'opencode.json'), [opencode, vscodeSettings]],
    ['opencode', join(cwd, 'opencode.jsonc'), [opencode, vscodeSettings]],
    ['kiro', join(cwd, '.kiro', 'settings', 'mcp.json'), [plain]],
  ];
}

/** The configuration files of all known clients: the user's, and those of the project in the working folder. */
export function knownLocations(machine: Machine): readonly ConfigLocation[] {
  const locations = (rows: readonly Row[], isShared: boolean): readonly ConfigLocation[] =>
    rows.map(([client, path, tables, label = NAMES[client]]) => ({
      client,
      label: isShared ? `${label}, this project` : label,
      path,
      tables,
      isShared,
    }));
  return [...locations(userRows(machine), false), ...locations(projectRows(machine), true)];
}

/** A file named by the user. Its keys show which client it belongs to. */
export function namedLocation(path: string): ConfigLocation {
  const tables = [plain, perProject, vscode, vscodeSettings, codex, zed, opencode];
  return { client: 'file', label: 'File', path, tables, isShared: false };
}
