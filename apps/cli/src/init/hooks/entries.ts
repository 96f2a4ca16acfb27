import type { HookOutcome, Host } from '../../hook/event.ts';
import type { HostHooks } from '../../hook/hosts/host.ts';
import { memberOf, type Tree } from '../config/tree.ts';
import { joinLauncher } from '../wrapper.ts';
import { pluginOf } from './opencode-plugin.ts';

/** Seconds that a host waits for an answer. */
const TIMEOUT = 15;

export type Json = string | number | boolean | readonly Json[] | { readonly [name: string]: Json };

/** The command that a host starts for each event. */
export function hookCommandOf(launcher: readonly string[], host: Host, onFailure: HookOutcome): string {
  const flags = onFailure === 'ask' ? [] : ['--on-failure', onFailure];
  return joinLauncher([...launcher, 'hook', host, ...flags]);
}

const inGroup = (command: string): Json => ({ hooks: [{ type: 'command', command, timeout: TIMEOUT }] });

/** How each host that has a list of hooks registers a command. */
const ENTRIES: Readonly<Record<Exclude<Host, 'opencode'>, (command: string) => Json>> = {
  'claude-code': inGroup,
  codex: inGroup,
  'gemini-cli': (command) => ({ hooks: [{ name: 'sallyport', type: 'command', command, timeout: TIMEOUT * 1000 }] }),
  cursor: (command) => ({
    command,
    timeout: TIMEOUT,
    // A command that is missing or crashes counts as an answer too.
    ...(command.endsWith(' deny') && { failClosed: true }),
  }),
  vscode: (command) => ({ type: 'command', command, timeout: TIMEOUT }),
  windsurf: (command) => ({ command, show_output: false }),
};

export function entryOf(host: Host, command: string): Json {
  return host === 'opencode' ? command : ENTRIES[host](command);
}

/** Checks that a host blocks the call or prompt of an event if the command is missing or crashes. */
export function failsClosed(host: Host, onFailure: HookOutcome): boolean {
  return host === 'opencode' ? onFailure !== 'allow' : host === 'cursor' && onFailure === 'deny';
}

/** The hosts whose files of hooks say which version of the format they have. */
const VERSIONED: ReadonlySet<Host> = new Set(['cursor', 'vscode']);

/** A file with our hooks and nothing else. */
export function newFile({ host, events }: HostHooks, command: string): string {
  if (host === 'opencode') return pluginOf(command);
  const hooks = Object.fromEntries(events.map((event) => [event, [entryOf(host, command)]]));
  return `${JSON.stringify(VERSIONED.has(host) ? { version: 1, hooks } : { hooks }, null, 2)}\n`;
}

function textIn(tree: Tree | undefined, name: string): string | undefined {
  const value = memberOf(tree, name)?.value;
  return value?.type === 'text' ? value.value : undefined;
}

/** The command of an entry, if it has only one. */
function commandIn(entry: Tree): string | undefined {
  const hooks = memberOf(entry, 'hooks')?.value;
  if (hooks === undefined) return textIn(entry, 'command');
  return hooks.type === 'list' && hooks.items.length === 1 ? textIn(hooks.items[0], 'command') : undefined;
}

/** The command of an entry that `init` wrote; undefined if it is another one. */
export function ownCommandIn(entry: Tree, host: Host, launcher: readonly string[]): string | undefined {
  return ownCommand(commandIn(entry), host, launcher);
}

/** A command if `init` wrote it. */
export function ownCommand(command: string | undefined, host: Host, launcher: readonly string[]): string | undefined {
  const before = command === undefined ? undefined : /^(.*) hook (\S+)(?: --on-failure \w+)?$/s.exec(command);
  if (before?.[2] !== host) return undefined;
  return /sallyport/.test(before[1] ?? '') || before[1] === joinLauncher(launcher) ? command : undefined;
}
