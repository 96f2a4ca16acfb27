import { existsSync, realpathSync } from 'node:fs';
import { basename, isAbsolute, resolve } from 'node:path';
import { fitLines } from '../fit-lines.ts';
import type { HookOutcome } from '../hook/event.ts';
import type { Io } from '../io.ts';
import { stateFolder } from '../state.ts';
import { painter } from '../terminal-text.ts';
import { CLIENTS, type Client, type ConfigLocation, knownLocations, namedLocation } from './config/clients.ts';
import { type HookLocation, hookLocations } from './hooks/locations.ts';
import { hookNotes } from './hooks/notes.ts';
import { surveyHooks } from './hooks/survey.ts';
import type { PlanOptions } from './plan.ts';
import { programOf } from './program.ts';
import {
  diffText,
  lookedFor,
  notLookedFor,
  problemText,
  projectFiles,
  type ReportStyle,
  shortPath,
  summaryText,
  tableText,
  undoneHere,
} from './report.ts';
import { backupOf, createFile, deleteFile, store, type Writing } from './store.ts';
import { type Found, type Survey, survey } from './survey.ts';
import { DEFAULT_LAUNCHER, joinLauncher, sharedLauncher, splitLauncher } from './wrapper.ts';

export interface InitOptions {
  readonly client?: readonly Client[];
  readonly file?: readonly string[];
  readonly launcher: string;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly diff?: boolean;
  readonly undo?: boolean;
  /** False with --no-hooks. */
  readonly hooks?: boolean;
  readonly onFailure?: HookOutcome;
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

function isSameFile(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    // One of them is not a file.
    return false;
  }
}

/** A launcher as a person types it: by its name on the PATH, or else without what the shell knows. */
function typedLauncher(io: Io, launcher: string): readonly string[] {
  const words = splitLauncher(launcher);
  const named = (path: string, name: string): boolean => {
    const program = programOf(name, io);
    return program !== undefined && isSameFile(program, path);
  };
  if (named(words.at(-1) ?? '', 'sallyport')) return ['sallyport'];
  return words.map((word) => {
    if (!isAbsolute(word)) return word;
    if (named(word, basename(word))) return basename(word);
    return io.platform === 'win32' || /[^\w./-]/.test(word) ? word : shortPath(word, io);
  });
}

/** The command to run next, for the same files. */
function nextCommand(io: Io, { client = [], file = [], launcher }: InitOptions, ...flags: readonly string[]): string {
  return joinLauncher([
    ...typedLauncher(io, launcher),
    'init',
    ...client.flatMap((name) => ['--client', name]),
    ...file.flatMap((path) => ['--file', path]),
    ...flags,
  ]);
}

function showSurvey(io: Io, { found, problems }: Survey, { undo, diff }: InitOptions, style: ReportStyle): void {
  if (found.length > 0) io.stdout(tableText(found, undo ? 'unwrap' : 'wrap', style));
  if (diff) for (const each of found) io.stdout(diffText(each, style));
  for (const problem of problems) io.stderr(problemText(problem, style));
}

function showNothing(
  io: Io,
  { found, problems }: Survey,
  { locations, clients }: { readonly locations: readonly ConfigLocation[]; readonly clients: readonly Client[] },
  style: ReportStyle,
): void {
  if (found.length > 0) io.stdout('Nothing to change.\n');
  if (found.length > 0 || problems.length > 0) return;
  const paths = locations.map(({ path }) => `  ${shortPath(path, style)}\n`).join('');
  const next = fitLines(`${notLookedFor(clients)} Name another file with --file.`.trim(), style.columns);
  io.stdout(`No configuration of an MCP client was found. Looked for:\n${paths}${next}\n`);
}

/** The backup holds the file as it was before any of its servers was wrapped. */
function backupFor(action: Action, { before, after }: Found['planned']['wrapped']): Writing['backup'] {
  if (action === 'wrap') return before === 0 ? 'renew' : 'keep';
  return after === 0 ? 'remove' : 'leave';
}

async function write(
  io: Io,
  { location, path, planned, file = 'changed' }: Found,
  action: Action,
  style: ReportStyle,
): Promise<boolean> {
  const backup = backupFor(action, planned.wrapped);
  const written = await {
    changed: () => store({ path, before: planned.text, after: planned.after, backup }),
    created: () => createFile(path, planned.after),
    deleted: () => deleteFile(path, planned.text, location.folders),
  }[file]();
  if (written.type === 'refused') {
    io.stderr(problemText({ path: location.path, line: undefined, reason: written.reason }, style));
    return false;
  }
  const about = {
    kept: `, backup in ${shortPath(backupOf(path), style)}`,
    removed: ', backup removed',
    none: '',
  }[written.backup];
  const done = `${file === 'deleted' ? 'deleted' : 'wrote'} ${shortPath(location.path, style)}${about}`;
  io.stdout(`${fitLines(done, io.columns)}\n`);
  return true;
}

async function isConfirmed(io: Io, options: InitOptions): Promise<boolean> {
  if (options.yes) return true;
  if (io.isTerminal && (await io.confirm('Write these changes?'))) return true;
  const launcher = options.launcher === (io.launcher ?? DEFAULT_LAUNCHER) ? [] : ['--launcher', options.launcher];
  const hooks = options.hooks === false ? ['--no-hooks'] : [];
  const failure = options.onFailure === undefined ? [] : ['--on-failure', options.onFailure];
  const flags = [...(options.undo ? ['--undo'] : []), ...hooks, ...failure, ...launcher, '--yes'];
  io.stdout(`Nothing was written. To write the changes:\n  ${nextCommand(io, options, ...flags)}\n`);
  return false;
}

async function writeAll(io: Io, changed: readonly Found[], options: InitOptions, style: ReportStyle): Promise<number> {
  const results: boolean[] = [];
  for (const each of changed) results.push(await write(io, each, options.undo ? 'unwrap' : 'wrap', style));
  if (results.includes(true)) io.stdout(options.undo ? afterUndo(io, options) : afterInit(io, changed, options));
  return results.includes(false) ? EXIT.failed : EXIT.done;
}

const RESTART = 'Restart the clients: they read their configuration when they start.\n';

/** A text, and commands to copy: they are not broken into lines. */
function withCommands(io: Io, text: string, ...commands: readonly string[]): string {
  return `${fitLines(text, io.columns)}\n${commands.map((command) => `  ${command}\n`).join('')}`;
}

/** The next steps after servers were wrapped. */
function afterInit(io: Io, changed: readonly Found[], options: InitOptions): string {
  const command = joinLauncher(typedLauncher(io, options.launcher));
  const isRemote = changed.some(({ planned }) => planned.outcomes.some((outcome) => outcome.isRemote));
  const next = 'Then test the wrapper and your servers, and watch what is held, denied or flagged:';
  const login = 'Remote servers that need a login open it in your browser on first use. To log in before that:';
  return [
    RESTART,
    withCommands(io, next, `${command} doctor`, `${command} log --follow`),
    isRemote ? withCommands(io, login, `${command} login <address>`) : '',
    withCommands(io, 'To remove the wrapper again:', nextCommand(io, options, '--undo')),
  ].join('');
}

/** The rest that `--undo` leaves, if it was not for some clients only. */
function afterUndo(io: Io, { client, file, launcher }: InitOptions): string {
  const folder = stateFolder(io.environment);
  if (client !== undefined || file !== undefined || !existsSync(folder)) return RESTART;
  const path = /[^\w./-]/.test(folder) ? `"${folder}"` : shortPath(folder, io);
  const remove = io.platform === 'win32' ? 'rmdir /s' : 'rm -r';
  const left = `The pins, approvals, log and key stay in ${path}, and the local process runs for up to ten minutes more. If no project is wrapped any more, remove both:`;
  const stop = `${joinLauncher(typedLauncher(io, launcher))} daemon --stop`;
  return `${RESTART}${withCommands(io, left, stop, `${remove} ${path}`)}`;
}

/** The hosts whose hooks are looked at: those of the clients that were asked for. */
function hookedHosts(io: Io, { client, file = [], hooks }: InitOptions): readonly HookLocation[] {
  if (hooks === false || (client === undefined && file.length > 0)) return [];
  return hookLocations(io, client);
}

async function change(
  io: Io,
  options: InitOptions,
  locations: readonly ConfigLocation[],
  style: ReportStyle,
): Promise<number> {
  const action = options.undo ? 'unwrap' : 'wrap';
  const launcher = splitLauncher(options.launcher);
  const hooked = hookedHosts(io, options);
  const shared = splitLauncher(sharedLauncher(options.launcher, programOf('sallyport', io) !== undefined));
  const servers = await survey(locations, { action, launcher, shared });
  const surveyed = await surveyHooks(servers, hooked, { action, launcher, onFailure: options.onFailure ?? 'ask' });
  showSurvey(io, surveyed, options, style);
  const failed = surveyed.problems.length > 0 ? EXIT.failed : EXIT.done;
  const changed = surveyed.found.filter(({ planned }) => planned.after !== planned.text);
  if (changed.length === 0) {
    showNothing(io, surveyed, { locations, clients: options.client ?? CLIENTS }, style);
    return failed;
  }
  io.stdout(summaryText(changed, action, style));
  if (action === 'wrap') io.stdout(projectFiles(changed, joinLauncher(shared), style));
  if (!options.diff) io.stdout('See every change with --diff.\n');
  if (options.file === undefined) io.stdout(lookedFor(options.client ?? CLIENTS, surveyed.found, style));
  if (action === 'wrap') io.stdout(hookNotes(hooked, changed, options.onFailure ?? 'ask', io.columns));
  if (options.dryRun) return failed;
  if (!(await isConfirmed(io, options))) return failed || EXIT.unconfirmed;
  return (await writeAll(io, changed, options, style)) || failed;
}

/** Shows the changes, asks for confirmation and writes them. Returns the exit code. */
export async function run(io: Io, options: InitOptions): Promise<number> {
  const style = { paint: painter(io.isTerminal && !io.environment.NO_COLOR), home: io.home, columns: io.columns };
  const locations = locationsOf(io, options);
  const code = await change(io, options, locations, style);
  if (options.undo) io.stdout(undoneHere(locations, io.cwd, style));
  return code;
}
