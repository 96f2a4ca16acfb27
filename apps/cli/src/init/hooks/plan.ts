import type { HookOutcome } from '../../hook/event.ts';
import type { HostHooks } from '../../hook/hosts/host.ts';
import { countOf } from '../../terminal-text.ts';
import { applyEdits, type Edit } from '../config/edit.ts';
import { readJson } from '../config/json.ts';
import { findServers } from '../config/servers.ts';
import {
  type Malformed,
  memberOf,
  type ReadConfiguration,
  type Span,
  type TableNode,
  type Tree,
} from '../config/tree.ts';
import { maskSecrets } from '../mask.ts';
import type { Outcome, Planned, PlanOptions } from '../plan.ts';
import { entryOf, hookCommandOf, newFile, ownCommand, ownCommandIn } from './entries.ts';
import { appendItem, appendMember } from './insert.ts';
import { commandOfPlugin } from './opencode-plugin.ts';
import { isOwnContainer, type Place, removed } from './remove.ts';

export interface HookPlanOptions {
  readonly action: PlanOptions['action'];
  readonly launcher: readonly string[];
  readonly onFailure: HookOutcome;
  /** The tables of servers in the same file, whose secrets are masked. */
  readonly tables: PlanOptions['tables'];
}

const UNSAFE: Malformed = {
  type: 'malformed',
  line: 1,
  reason: 'its hooks cannot be changed safely; change them by hand',
};

function spansOf(table: TableNode): readonly Span[] {
  return table.members.map(({ key, value }) => ({ start: key.start, end: value.end }));
}

/** The hooks of a file, by the host's events. */
interface FoundHooks {
  readonly root: TableNode;
  readonly hooks: TableNode | undefined;
  /** Our entries, each with the event's list. */
  readonly own: readonly { readonly event: string; readonly entry: Tree; readonly list: Tree }[];
}

function findHooks(root: Tree, { host }: HostHooks, launcher: readonly string[]): FoundHooks | undefined {
  const hooks = memberOf(root, 'hooks')?.value;
  if (root.type !== 'table' || (hooks !== undefined && hooks.type !== 'table')) return undefined;
  const own = (hooks?.members ?? []).flatMap(({ name, value: list }) =>
    (list.type === 'list' ? list.items : [])
      .filter((entry) => ownCommandIn(entry, host, launcher) !== undefined)
      .map((entry) => ({ event: name, entry, list })),
  );
  return { root, hooks, own };
}

/** Adds an entry for each event that has none. Existing hooks stay, before ours. */
function installed(text: string, host: HostHooks, found: FoundHooks, command: string): readonly Edit[] | undefined {
  const entry = entryOf(host.host, command);
  const missing = host.events.filter((event) => !found.own.some((each) => each.event === event));
  if (found.hooks === undefined)
    return [appendMember(text, found.root, 'hooks', Object.fromEntries(missing.map((event) => [event, [entry]])))];
  let after = text;
  // One after the other: two additions to one table would be at the same place.
  for (const event of missing) {
    const read = readJson(after);
    const hooks = read.type === 'read' ? memberOf(read.root, 'hooks')?.value : undefined;
    if (hooks?.type !== 'table') return undefined;
    const list = memberOf(hooks, event)?.value;
    if (list !== undefined && list.type !== 'list') return undefined;
    const edit = list === undefined ? appendMember(after, hooks, event, [entry]) : appendItem(after, list, entry);
    after = applyEdits(after, [edit]);
  }
  return [{ start: 0, end: text.length, text: after }];
}

/** The text to remove with one of our entries: the entry, its list if only we are in it, or all hooks. */
function placeOf(text: string, { root, hooks }: FoundHooks, { event, entry, list }: FoundHooks['own'][number]): Place {
  const item: Place = {
    start: entry.start,
    end: entry.end,
    siblings: list.type === 'list' ? list.items : [],
    container: list,
  };
  const member = memberOf(hooks, event);
  if (!isOwnContainer(text, item) || hooks === undefined || member === undefined) return item;
  const inHooks = { start: member.key.start, end: list.end, siblings: spansOf(hooks), container: hooks };
  const all = memberOf(root, 'hooks');
  if (!isOwnContainer(text, inHooks) || all === undefined) return inHooks;
  return { start: all.key.start, end: hooks.end, siblings: spansOf(root), container: root };
}

/** Removes our entries one after the other, the last one first. */
function uninstalled(text: string, host: HostHooks, launcher: readonly string[]): string | undefined {
  const read = readJson(text);
  const found = read.type === 'read' ? findHooks(read.root, host, launcher) : undefined;
  const last = found?.own.at(-1);
  if (found === undefined || last === undefined) return found && text;
  const edit = removed(text, placeOf(text, found, last));
  return edit && uninstalled(applyEdits(text, [edit]), host, launcher);
}

/** The text with our hooks, or without them. */
function changed(text: string, host: HostHooks, found: FoundHooks, options: HookPlanOptions): string | undefined {
  const { action, launcher, onFailure } = options;
  if (action === 'unwrap') return uninstalled(text, host, launcher);
  const edits = installed(text, host, found, hookCommandOf(launcher, host.host, onFailure));
  return edits && applyEdits(text, edits);
}

function outcomeOf(host: HostHooks, count: number, { action }: HookPlanOptions): Outcome {
  const base = { name: 'hooks', project: undefined } as const;
  if (action === 'unwrap')
    return count > 0
      ? { ...base, type: 'changed', reason: 'remove its hooks' }
      : { ...base, type: 'left', reason: 'has no sallyport hooks' };
  return count < host.events.length
    ? { ...base, type: 'changed', reason: `add hooks for ${countOf(host.events.length - count, 'event')}` }
    : { ...base, type: 'left', reason: 'already has hooks' };
}

/** The contents of a file, and the places of our entries; undefined if it cannot be changed. */
interface ReadHooks {
  readonly read: ReadConfiguration;
  readonly found: FoundHooks;
}

function readHooks(text: string, host: HostHooks, { launcher }: HookPlanOptions): ReadHooks | Malformed {
  const read = readJson(text);
  if (read.type === 'malformed') return read;
  const found = findHooks(read.root, host, launcher);
  // An empty file has no table to add anything to.
  return found === undefined || found.root.end === 0 ? UNSAFE : { read, found };
}

function masked(text: string, { read, found }: ReadHooks, { tables }: HookPlanOptions): string {
  const entries = found.own.map(({ entry }) => entry);
  return maskSecrets(text, read, findServers(read.root, tables), entries);
}

/** A plan for hooks. `after` is undefined if there should be no file. */
export type PlannedHooks = Omit<Planned, 'after'> & { readonly after: string | undefined };

function planNew(host: HostHooks, options: HookPlanOptions): PlannedHooks {
  const { action, launcher, onFailure } = options;
  const after = action === 'wrap' ? newFile(host, hookCommandOf(launcher, host.host, onFailure)) : undefined;
  const outcomes = [outcomeOf(host, 0, options)];
  const wrapped = { before: 0, after: after === undefined ? 0 : host.events.length };
  return { type: 'planned', text: '', outcomes, after, masked: { before: '', after: after ?? '' }, wrapped };
}

/** Checks that `init` made the file, and that nothing was added to it. */
function isOwnFile(text: string, host: HostHooks, { own: [first] }: FoundHooks, launcher: readonly string[]): boolean {
  const command = first && ownCommandIn(first.entry, host.host, launcher);
  return command !== undefined && text === newFile(host, command);
}

/** A plugin is a file of ours. One that was changed by hand is left alone. */
function planPlugin(text: string, host: HostHooks, options: HookPlanOptions): PlannedHooks | Malformed {
  const count = ownCommand(commandOfPlugin(text), host.host, options.launcher) === undefined ? 0 : host.events.length;
  if (count === 0) return UNSAFE;
  const after = options.action === 'wrap' ? text : undefined;
  const wrapped = { before: count, after: after === undefined ? 0 : count };
  const outcomes = [outcomeOf(host, count, options)];
  return { type: 'planned', text, outcomes, after, masked: { before: text, after: after ?? '' }, wrapped };
}

/** Plans how a host's file of hooks is changed. `text` is undefined if there is no file. */
export function planHooks(
  text: string | undefined,
  host: HostHooks,
  options: HookPlanOptions,
): PlannedHooks | Malformed {
  if (text === undefined) return planNew(host, options);
  if (host.host === 'opencode') return planPlugin(text, host, options);
  const { action, launcher } = options;
  const before = readHooks(text, host, options);
  if ('type' in before) return before;
  const count = before.found.own.length;
  const planned = {
    type: 'planned',
    text,
    outcomes: [outcomeOf(host, count, options)],
    wrapped: { before: count, after: action === 'wrap' ? host.events.length : 0 },
  } as const;
  const shown = masked(text, before, options);
  if (action === 'unwrap' && isOwnFile(text, host, before.found, launcher))
    return { ...planned, after: undefined, masked: { before: shown, after: '' } };
  const result = changed(text, host, before.found, options);
  const after = result === undefined ? UNSAFE : readHooks(result, host, options);
  if (result === undefined || 'type' in after || after.found.own.length !== planned.wrapped.after) return UNSAFE;
  return { ...planned, after: result, masked: { before: shown, after: masked(result, after, options) } };
}
