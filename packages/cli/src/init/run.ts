import { resolve } from 'node:path';
import type { Io } from '../io.ts';
import { painter } from '../terminal-text.ts';
import { CLIENTS, type Client, type ConfigLocation, knownLocations, namedLocation } from './config/clients.ts';
import type { PlanOptions } from './plan.ts';
import { count, foundText, problemText, type ReportStyle, shortPath } from './report.ts';
import { backupOf, store, type Writing } from './store.ts';
import { type Found, type Survey, survey } from './survey.ts';
import { DEFAULT_LAUNCHER, joinLauncher, splitLauncher } from './wrapper.ts';

export interface InitOptions {
  readonly client?: readonly Client[];
  readonly file?: readonly string[];
  readonly launcher: string;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly undo?: boolean;
}

export const EXIT: {
  readonly done: 0;
  readonly failed: 1;
  readonly misused: 2;
  readonly unconfirmed: 3;
} = { done: 0, failed: 1, misused: 2, unconfirmed: 3 };

type Action = PlanOptions['action'];

function locationsOf(io: Io, { client, file = [] }: InitOptions): readonly ConfigLocation[] {
  const wanted: readonly string[] = client ?? (file.length > 0 ? [] : CLIENTS);
  const known = knownLocations(io).filter((location) => wanted.includes(location.client));
  return [...known, ...file.map((path) => namedLocation(resolve(io.cwd, path)))];
}

/** The command to run next, for the same files. */
function nextCommand({ client = [], file = [], launcher }: InitOptions, ...flags: readonly string[]): string {
  return joinLauncher([
    ...splitLauncher(launcher),
    'init',
    ...client.flatMap((name) => ['--client', name]),
    ...file.flatMap((path) => ['--file', path]),
    ...flags,
  ]);
}

function showSurvey(io: Io, { found, problems }: Survey, action: Action, style: ReportStyle): void {
  for (const each of found) io.stdout(foundText(each, action, style));
  for (const problem of problems) io.stderr(problemText(problem, style));
}

function showNothing(
  io: Io,
  { found, problems }: Survey,
  locations: readonly ConfigLocation[],
  style: ReportStyle,
): void {
  if (found.length > 0) io.stdout('Nothing to change.\n');
  if (found.length > 0 || problems.length > 0) return;
  const paths = locations.map(({ path }) => `  ${shortPath(path, style)}\n`).join('');
  io.stdout(`No configuration of an MCP client was found. Looked for:\n${paths}Name another file with --file.\n`);
}

/** The backup holds the file as it was before any of its servers was wrapped. */
function backupFor(action: Action, { before, after }: Found['planned']['wrapped']): Writing['backup'] {
  if (action === 'wrap') return before === 0 ? 'renew' : 'keep';
  return after === 0 ? 'remove' : 'leave';
}

async function write(io: Io, { location, path, planned }: Found, action: Action, style: ReportStyle): Promise<boolean> {
  const backup = backupFor(action, planned.wrapped);
  const written = await store({ path, before: planned.text, after: planned.after, backup });
  if (written.type === 'refused') {
    io.stderr(problemText({ path: location.path, line: undefined, reason: written.reason }, style));
    return false;
  }
  const about = {
    kept: `, backup in ${shortPath(backupOf(path), style)}`,
    removed: ', backup removed',
    none: '',
  }[written.backup];
  io.stdout(`wrote ${shortPath(location.path, style)}${about}\n`);
  return true;
}

async function isConfirmed(io: Io, options: InitOptions): Promise<boolean> {
  if (options.yes) return true;
  if (io.isTerminal && (await io.confirm('Write these changes?'))) return true;
  const launcher = options.launcher === DEFAULT_LAUNCHER ? [] : ['--launcher', options.launcher];
  const flags = [...(options.undo ? ['--undo'] : []), ...launcher, '--yes'];
  io.stdout(`Nothing was written. To write the changes: ${nextCommand(options, ...flags)}\n`);
  return false;
}

async function writeAll(io: Io, changed: readonly Found[], options: InitOptions, style: ReportStyle): Promise<number> {
  const results: boolean[] = [];
  for (const each of changed) results.push(await write(io, each, options.undo ? 'unwrap' : 'wrap', style));
  if (results.includes(true)) {
    io.stdout('Restart the clients: they read their configuration when they start.\n');
    if (!options.undo) io.stdout(`To remove the wrapper again: ${nextCommand(options, '--undo')}\n`);
  }
  return results.includes(false) ? EXIT.failed : EXIT.done;
}

/** Shows the changes, asks for confirmation and writes them. Returns the exit code. */
export async function run(io: Io, options: InitOptions): Promise<number> {
  const style = { paint: painter(io.isTerminal && !io.environment.NO_COLOR), home: io.home };
  const action = options.undo ? 'unwrap' : 'wrap';
  const locations = locationsOf(io, options);
  const surveyed = await survey(locations, { action, launcher: splitLauncher(options.launcher) });
  showSurvey(io, surveyed, action, style);
  const failed = surveyed.problems.length > 0 ? EXIT.failed : EXIT.done;
  const changed = surveyed.found.filter(({ planned }) => planned.after !== planned.text);
  if (changed.length === 0) {
    showNothing(io, surveyed, locations, style);
    return failed;
  }
  const servers = changed.flatMap(({ planned }) => planned.outcomes.filter(({ type }) => type === 'changed'));
  io.stdout(
    `${count(servers.length, 'server')} to ${action} in ${count(changed.length, 'file')}. Everything else stays as it is.\n`,
  );
  if (options.dryRun) return failed;
  if (!(await isConfirmed(io, options))) return failed || EXIT.unconfirmed;
  return (await writeAll(io, changed, options, style)) || failed;
}
