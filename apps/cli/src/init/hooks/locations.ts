import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { claudeCode } from '../../hook/hosts/claude-code.ts';
import { codex } from '../../hook/hosts/codex.ts';
import { cursor } from '../../hook/hosts/cursor.ts';
import { geminiCli } from '../../hook/hosts/gemini-cli.ts';
import type { HostHooks } from '../../hook/hosts/host.ts';
import { opencode } from '../../hook/hosts/opencode.ts';
import { vscode } from '../../hook/hosts/vscode.ts';
import { windsurf } from '../../hook/hosts/windsurf.ts';
import { applicationFolder, type Client, type ConfigLocation, type Machine } from '../config/clients.ts';

import { tooOld } from './version.ts';

/** A file in which a host keeps hooks, and which may not exist yet. */
export interface HookLocation extends ConfigLocation {
  readonly host: HostHooks;
  /** The reason why the host is too old for hooks. @default it is not */
  readonly tooOld?: string;
}

interface Row {
  readonly host: HostHooks;
  readonly clients: readonly Client[];
  readonly path: string;
  /** The folders that show that the host is on this machine. */
  readonly signs: readonly string[];
  /** The folders that are created for the file, the innermost first. @default none */
  readonly folders?: readonly string[];
}

function rowsOf(machine: Machine): readonly Row[] {
  const { home, environment } = machine;
  const claude = environment.CLAUDE_CONFIG_DIR || join(home, '.claude');
  const codexHome = environment.CODEX_HOME || join(home, '.codex');
  const copilot = environment.COPILOT_HOME || join(home, '.copilot');
  // OpenCode has this folder on every system.
  const openCode = join(environment.XDG_CONFIG_HOME || join(home, '.config'), 'opencode');
  const wave = join(home, '.codeium', 'windsurf');
  const code = applicationFolder(machine);
  const of = (host: HostHooks, client: Client, folder: string, ...path: readonly string[]): Row => ({
    host,
    clients: [client],
    path: join(folder, ...path),
    signs: [folder],
  });
  return [
    of(claudeCode, 'claude-code', claude, 'settings.json'),
    of(geminiCli, 'gemini', join(home, '.gemini'), 'settings.json'),
    of(cursor, 'cursor', join(home, '.cursor'), 'hooks.json'),
    {
      // VS Code reads the folder of Copilot CLI. It also reads the hooks of Claude Code, which leave its events alone.
      host: vscode,
      clients: ['vscode', 'copilot'],
      path: join(copilot, 'hooks', 'sallyport.json'),
      signs: [join(code, 'Code', 'User'), join(code, 'Code - Insiders', 'User'), copilot],
      folders: [join(copilot, 'hooks'), ...(environment.COPILOT_HOME ? [] : [copilot])],
    },
    of(codex, 'codex', codexHome, 'hooks.json'),
    {
      ...of(opencode, 'opencode', openCode, 'plugins', 'sallyport.js'),
      folders: [join(openCode, 'plugins')],
    },
    of(windsurf, 'windsurf', wave, 'hooks.json'),
  ];
}

/** The hosts that are on this machine, by the folders they make, each with the user's own file for hooks. */
export function hookLocations(machine: Machine, wanted?: readonly Client[]): readonly HookLocation[] {
  return rowsOf(machine).flatMap(({ host, clients, path, signs, folders = [] }) => {
    const client = clients.find((each) => wanted === undefined || wanted.includes(each));
    if (client === undefined || !signs.some((folder) => existsSync(folder))) return [];
    const old = tooOld(host, machine);
    const location = { client, host, label: host.name, path, tables: [], isShared: false, folders };
    return { ...location, ...(old !== undefined && { tooOld: old }) };
  });
}
