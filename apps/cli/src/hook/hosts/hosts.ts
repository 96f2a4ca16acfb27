import type { Host } from '../event.ts';
import type { HostHooks } from './host.ts';

/** Loads one host's contract, and no other. */
export const LOAD_HOST: Readonly<Record<Host, () => Promise<HostHooks>>> = {
  'claude-code': async () => (await import('./claude-code.ts')).claudeCode,
  'gemini-cli': async () => (await import('./gemini-cli.ts')).geminiCli,
  cursor: async () => (await import('./cursor.ts')).cursor,
  vscode: async () => (await import('./vscode.ts')).vscode,
  codex: async () => (await import('./codex.ts')).codex,
  opencode: async () => (await import('./opencode.ts')).opencode,
  windsurf: async () => (await import('./windsurf.ts')).windsurf,
};
