import type { HookOutcome, Host } from '../../hook/event.ts';
import type { HostHooks } from '../../hook/hosts/host.ts';
import { memberOf, type Tree } from '../config/tree.ts';
import { joinLauncher } from '../wrapper.ts';

/** Seconds that a host waits for an answer. */
const TIMEOUT = 30;

export type Json = string | number | boolean | readonly Json[] | { readonly [name: string]: Json };

/** The command that a host starts for each event. */
export function hookCommandOf(launcher: readonly string[], host: Host, onFailure: HookOutcome): string {
  const flags = onFailure === 'ask' ? [] : ['--on-failure', onFailure];
  return joinLauncher([...launcher, 'hook', host, ...flags]);
}

/** How each host registers a command. */
const ENTRIES: Readonly<Record<Host, (command: string) => Json>> = {
  'claude-code': (command) => ({ hooks: [{ type: 'command', command, timeout: TIMEOUT }] }),
  'gemini-cli': (command) => ({ hooks: [{ name: 'sallyport', type: 'command', command, timeout: TIMEOUT * 1000 }] }),
  cursor: (command) => ({
    command,
    timeout: TIMEOUT,
    // A command that is missing or crashes counts as an answer too.
    ...(command.endsWith(' deny') && { failClosed: true }),
  }),
  vscode: (command) => ({ type: 'command', command, timeout: TIMEOUT }),
};

export function entryOf(host: Host, command: string): Json {
  return ENTRIES[host](command);
}

/** Checks that a host blocks the call or prompt of an event if the command is missing or crashes. */
export function failsClosed(host: Host, onFailure: HookOutcome): boolean {
  return Object.hasOwn(entryOf(host, hookCommandOf([], host, onFailure)) as object, 'failClosed');
}

/** A file with our hooks and nothing else. */
export function newFile({ host, events }: HostHooks, command: string): string {
  const hooks = Object.fromEntries(events.map((event) => [event, [entryOf(host, command)]]));
  return `${JSON.stringify(host === 'cursor' ? { version: 1, hooks } : { hooks }, null, 2)}\n`;
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
  const command = commandIn(entry);
  const before = command === undefined ? undefined : /^(.*) hook (\S+)(?: --on-failure \w+)?$/s.exec(command);
  if (before?.[2] !== host) return undefined;
  return /sallyport/.test(before[1] ?? '') || before[1] === joinLauncher(launcher) ? command : undefined;
}
