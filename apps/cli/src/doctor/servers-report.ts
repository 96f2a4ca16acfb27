import { ApprovalFiles } from '../approve/approval-files.ts';
import { LastingApprovals } from '../approve/lasting-approvals.ts';
import { UserRules } from '../approve/user-rules.ts';
import { fitLines, widthFor } from '../fit-lines.ts';
import { hookLocations } from '../init/hooks/locations.ts';
import { surveyHooks } from '../init/hooks/survey.ts';
import type { Found, Problem } from '../init/survey.ts';
import { DEFAULT_LAUNCHER, splitLauncher } from '../init/wrapper.ts';
import type { Io } from '../io.ts';
import { PinFiles } from '../pins/pin-files.ts';
import { shortPath } from '../short-path.ts';
import { stateFolder } from '../state.ts';
import { countOf, type Paint, painter, printable } from '../terminal-text.ts';
import { type OwnServer, ownServers, type StartCommand } from './own-servers.ts';
import { type Tried, tryServer } from './try-server.ts';

/** npx may download a server first. */
const TIMEOUT_MS = 120_000;
const MAX_NAME = 30;
const MAX_SHOWN_NAME = 100;

/** A wrapped server that was started, and without the wrapper too if it did not start. */
interface Started {
  readonly wrapped: Tried;
  readonly unwrapped: Tried | undefined;
}

function unwrappedText(unwrapped: Tried | undefined): string {
  if (unwrapped === undefined) return '';
  return unwrapped.type === 'fails'
    ? ' Without the wrapper it does not start either.'
    : ' WITHOUT THE WRAPPER IT STARTS: please report this.';
}

function startedText({ wrapped: tried, unwrapped }: Started, paint: Paint): string {
  if (tried.type === 'fails')
    return `${paint('red', 'wrapped, but does not start')}: ${printable(tried.reason, 300)}.${unwrappedText(unwrapped)}`;
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

/** Starts a wrapped server; without the wrapper if it does not start. */
async function started(command: StartCommand, timeout: number): Promise<Started> {
  const wrapped = await tryServer(command, timeout);
  const { unwrapped: words, env } = command;
  const isTried = wrapped.type === 'fails' && words !== undefined;
  return { wrapped, unwrapped: isTried ? await tryServer({ words, env }, timeout) : undefined };
}

/** Starts all wrapped servers at the same time, and says on a terminal which ones have not answered yet. */
async function startAll(
  io: Io,
  servers: readonly OwnServer[],
  timeout: number,
): Promise<ReadonlyMap<OwnServer, Started>> {
  const waiting = new Set(servers.filter(({ type }) => type === 'wrapped'));
  const begun = Date.now();
  const show = (): void => {
    const names = [...waiting].map(({ name }) => printable(name, MAX_NAME)).join(', ');
    const line = `    starting ${countOf(waiting.size, 'server')}, ${Math.round((Date.now() - begun) / 1000)} s: ${names}`;
    io.stderr(`\r\u001b[2K${line.slice(0, widthFor(io.columns) - 1)}`);
  };
  const progress = io.isTerminal && waiting.size > 0 ? setInterval(show, 1000) : undefined;
  const all = await Promise.all(
    servers.map(async (server): Promise<readonly (readonly [OwnServer, Started])[]> => {
      if (server.type !== 'wrapped') return [];
      const result = await started(server.command, timeout);
      waiting.delete(server);
      return [[server, result]];
    }),
  );
  clearInterval(progress);
  if (progress !== undefined) io.stderr('\r\u001b[2K');
  return new Map(all.flat());
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

/** Says that entries in the state folder are not from sallyport. Returns whether there are none. */
export function reportForged(io: Io): boolean {
  const state = stateFolder(io.environment);
  const stores = [new ApprovalFiles(state), new LastingApprovals(state), new UserRules(state)];
  const count = stores.reduce((sum, { ignored }) => sum + ignored, 0);
  if (count === 0) return true;
  const text = `${countOf(count, 'answer or rule', 'answers or rules')} in ${shortPath(state, io)} ${count === 1 ? 'was' : 'were'} not written by sallyport, so ${count === 1 ? 'it does' : 'they do'} not count. A program of yours, perhaps an agent, may have tried to approve its own calls. Look at approvals/*.ignored, overrides/*.ignored, rules.json and lasting-approvals.json there, then remove what you did not add.`;
  io.stdout(`\n${fitLines(`${painter(io.isTerminal)('red', 'NOT FROM YOU')}: ${text}`, io.columns)}\n`);
  return false;
}

/** Tries the user's own servers. Returns whether all that are wrapped start, and all configurations can be read. */
export async function reportServers(io: Io, startsProject: boolean, timeout: number = TIMEOUT_MS): Promise<boolean> {
  const { servers, problems } = await ownServers(io, startsProject);
  const paint = painter(io.isTerminal);
  reportProblems(io, problems, paint);
  if (servers.length === 0) return problems.length === 0;
  const names = servers.map(({ name }) => printable(name, MAX_SHOWN_NAME));
  const width = Math.max(...names.map((name) => (name.length > MAX_NAME ? 0 : name.length)));
  const results = await startAll(io, servers, timeout);
  let [label, areFine] = ['', problems.length === 0];
  io.stdout('\nYour servers:\n');
  for (const [index, server] of servers.entries()) {
    const name = names[index] as string;
    if (server.label !== label) io.stdout(`  ${server.label}\n`);
    label = server.label;
    const result = results.get(server);
    areFine &&= result?.wrapped.type !== 'fails';
    const said = server.type === 'wrapped' ? startedText(result as Started, paint) : untriedText(server, paint);
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
