import { fitLines } from '../fit-lines.ts';
import { hookLocations } from '../init/hooks/locations.ts';
import { surveyHooks } from '../init/hooks/survey.ts';
import { shortPath } from '../init/report.ts';
import type { Found, Problem } from '../init/survey.ts';
import { DEFAULT_LAUNCHER, splitLauncher } from '../init/wrapper.ts';
import type { Io } from '../io.ts';
import { PinFiles } from '../pins/pin-files.ts';
import { stateFolder } from '../state.ts';
import { countOf, type Paint, painter, printable } from '../terminal-text.ts';
import { type OwnServer, ownServers, type StartCommand } from './own-servers.ts';
import { type Tried, tryServer } from './try-server.ts';

const TIMEOUT_MS = 30_000;
const MAX_NAME = 30;
const MAX_SHOWN_NAME = 100;

function triedText(tried: Tried, paint: Paint): string {
  if (tried.type === 'fails') return `${paint('red', 'wrapped, but does not start')}: ${printable(tried.reason, 300)}`;
  const seconds = (tried.milliseconds / 1000).toFixed(1);
  return `${paint('green', 'wrapped')}, starts: ${countOf(tried.tools, 'tool')} in ${seconds} s`;
}

/** The report's line about a server that was not started. */
function untriedText(server: Exclude<OwnServer, { type: 'wrapped' }>, paint: Paint): string {
  switch (server.type) {
    case 'bare':
      return `${paint('yellow', 'NOT WRAPPED')}: sallyport init --client ${server.client}`;
    case 'unwrappable':
      return `${paint('yellow', 'NOT WRAPPED')}: ${printable(server.reason, 300)}`;
    case 'untested':
      return `${paint('green', 'wrapped')}, not started: ${printable(server.reason, 300)}`;
  }
}

/** The number of changed definitions that wait for the user. */
function waiting(io: Io): string {
  const held = new PinFiles(stateFolder(io.environment)).all().filter((file) => file.held.length > 0);
  return held
    .map(({ server, held: changes }) => {
      const name = printable(server, 60);
      const wait = changes.length === 1 ? 'definition waits' : 'definitions wait';
      return `  ${name}: ${changes.length} changed ${wait} for you: sallyport pins show ${name}\n`;
    })
    .join('');
}

/** Starts a wrapped server, and says on a terminal that it does. */
async function tried(io: Io, name: string, command: StartCommand, timeout: number): Promise<Tried> {
  if (io.isTerminal) io.stderr(`    starting ${name.slice(0, MAX_NAME)} ...`);
  const result = await tryServer(command, timeout);
  if (io.isTerminal) io.stderr('\r\u001b[2K');
  return result;
}

/** Reports the configurations that cannot be read. */
function reportProblems(io: Io, problems: readonly Problem[], paint: Paint): void {
  if (problems.length === 0) return;
  io.stdout('\nConfigurations that cannot be read, so their servers are not known:\n');
  for (const { path, line, reason } of problems) {
    const where = `${shortPath(path, io)}${line === undefined ? '' : `, line ${line}`}`;
    io.stdout(`${fitLines(`  ${paint('red', where)}: ${printable(reason, 300)}`, io.columns)}\n`);
  }
}

/** The report's line about the hooks of a host. */
function hooksText({ location, planned, file }: Found, paint: Paint): string {
  const [outcome] = planned.outcomes;
  if (outcome?.type === 'left') return paint('green', 'installed');
  const { before, after } = planned.wrapped;
  const what = file === 'created' || before === 0 ? 'NOT INSTALLED' : `INCOMPLETE (${before} of ${after} events)`;
  return `${paint('yellow', what)}: sallyport init --client ${location.client}`;
}

/** Reports for each coding agent on this machine whether it starts the hooks. Returns whether all their files can be read. */
export async function reportHooks(io: Io): Promise<boolean> {
  const locations = hookLocations(io);
  if (locations.length === 0) return true;
  const paint = painter(io.isTerminal);
  const options = {
    action: 'wrap',
    launcher: splitLauncher(io.launcher ?? DEFAULT_LAUNCHER),
    onFailure: 'ask',
  } as const;
  const { found, problems } = await surveyHooks({ found: [], problems: [] }, locations, options);
  const width = Math.max(...locations.map(({ label }) => label.length));
  io.stdout('\nHooks of your coding agents:\n');
  for (const { label, path } of locations) {
    const installed = found.find(({ location }) => location.path === path);
    const problem = problems.find((each) => each.path === path);
    const where = problem?.line === undefined ? '' : `, line ${problem.line}`;
    const failed = `${paint('red', 'NOT KNOWN')}: ${shortPath(path, io)}${where}: ${printable(problem?.reason ?? '', 300)}`;
    const text = installed === undefined ? failed : hooksText(installed, paint);
    io.stdout(`${fitLines(`  ${label.padEnd(width)}  ${text}`, io.columns)}\n`);
  }
  return problems.length === 0;
}

/** Tries the user's own servers one by one. Returns whether all that are wrapped start, and all configurations can be read. */
export async function reportServers(io: Io, startsProject: boolean, timeout: number = TIMEOUT_MS): Promise<boolean> {
  const { servers, problems } = await ownServers(io, startsProject);
  const paint = painter(io.isTerminal);
  reportProblems(io, problems, paint);
  if (servers.length === 0) return problems.length === 0;
  const names = servers.map(({ name }) => printable(name, MAX_SHOWN_NAME));
  const width = Math.max(...names.map((name) => (name.length > MAX_NAME ? 0 : name.length)));
  let [label, areFine] = ['', problems.length === 0];
  io.stdout('\nYour servers:\n');
  for (const [index, server] of servers.entries()) {
    const name = names[index] as string;
    if (server.label !== label) io.stdout(`  ${server.label}\n`);
    label = server.label;
    const result = server.type === 'wrapped' ? await tried(io, name, server.command, timeout) : undefined;
    areFine &&= result?.type !== 'fails';
    const said = server.type === 'wrapped' ? triedText(result as Tried, paint) : untriedText(server, paint);
    // Names that begin alike must be told apart, so a long one is not cut.
    const lines = name.length > width ? `    ${name}\n      ${said}` : `    ${name.padEnd(width)}  ${said}`;
    io.stdout(`${fitLines(lines, io.columns)}\n`);
  }
  io.stdout(waiting(io));
  const bare = servers.filter(({ type }) => type === 'bare').length;
  if (bare > 0)
    io.stdout(`\n${bare} of ${countOf(servers.length, 'server')} can be wrapped now, with: sallyport init\n`);
  return areFine;
}
