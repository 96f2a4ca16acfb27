import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { claudeCode } from '../../hook/hosts/claude-code.ts';
import { cursor } from '../../hook/hosts/cursor.ts';
import { geminiCli } from '../../hook/hosts/gemini-cli.ts';
import type { HostHooks } from '../../hook/hosts/host.ts';
import { vscode } from '../../hook/hosts/vscode.ts';
import { applicationFolder, type Client, type ConfigLocation, type Machine } from '../config/clients.ts';

/** A file in which a host keeps hooks, and which may not exist yet. */
export interface HookLocation extends ConfigLocation {
  readonly host: HostHooks;
}

/** The hosts that are on this machine, by the folders they make, each with the user's own file for hooks. */
export function hookLocations(machine: Machine): readonly HookLocation[] {
  const { home, environment } = machine;
  const claude = environment.CLAUDE_CONFIG_DIR || join(home, '.claude');
  const copilot = environment.COPILOT_HOME || join(home, '.copilot');
  const code = applicationFolder(machine);
  const rows: readonly (readonly [Client, HostHooks, path: string, folders: readonly string[]])[] = [
    ['claude-code', claudeCode, join(claude, 'settings.json'), [claude]],
    ['gemini', geminiCli, join(home, '.gemini', 'settings.json'), [join(home, '.gemini')]],
    ['cursor', cursor, join(home, '.cursor', 'hooks.json'), [join(home, '.cursor')]],
    // VS Code reads the folder of Copilot. It also reads the hooks of Claude Code, which leave its events alone.
    [
      'vscode',
      vscode,
      join(copilot, 'hooks', 'sallyport.json'),
      [join(code, 'Code', 'User'), join(code, 'Code - Insiders', 'User')],
    ],
  ];
  return rows
    .filter(([, , , folders]) => folders.some((folder) => existsSync(folder)))
    .map(([client, host, path]) => {
      const folders = host === vscode ? [dirname(path), ...(environment.COPILOT_HOME ? [] : [copilot])] : [];
      return { client, host, label: host.name, path, tables: [], isShared: false, folders };
    });
}
