import { fitLines } from '../fit-lines.ts';
import type { Io } from '../io.ts';
import { PinFiles } from '../pins/pin-files.ts';
import { stateFolder } from '../state.ts';
import { type Paint, painter, printable } from '../terminal-text.ts';
import { type OwnServer, ownServers } from './own-servers.ts';
import { type Tried, tryServer } from './try-server.ts';

const TIMEOUT_MS = 30_000;
const MAX_NAME = 30;

function triedText(tried: Tried, paint: Paint): string {
  if (tried.type === 'fails') return `${paint('red', 'does not start wrapped')}: ${printable(tried.reason, 300)}`;
  const seconds = (tried.milliseconds / 1000).toFixed(1);
  return `${paint('green', 'wrapped')}, starts: ${tried.tools} tools in ${seconds} s`;
}

/** What the report says about a server that was not started. */
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
      return `  ${name}: ${changes.length} changed definitions wait for you: sallyport pins show ${name}\n`;
    })
    .join('');
}

/** Tries the user's own servers one by one. Returns whether all that are wrapped start. */
export async function reportServers(io: Io, startsProject: boolean, timeout: number = TIMEOUT_MS): Promise<boolean> {
  const servers = await ownServers(io, startsProject);
  if (servers.length === 0) return true;
  const paint = painter(io.isTerminal);
  const width = Math.min(MAX_NAME, Math.max(...servers.map(({ name }) => printable(name, MAX_NAME).length)));
  let [label, areFine] = ['', true];
  io.stdout('\nYour servers:\n');
  for (const server of servers) {
    if (server.label !== label) io.stdout(`  ${server.label}\n`);
    label = server.label;
    if (io.isTerminal && server.type === 'wrapped') io.stderr(`    starting ${printable(server.name, MAX_NAME)} ...`);
    const tried = server.type === 'wrapped' ? await tryServer(server.command, timeout) : undefined;
    if (io.isTerminal && server.type === 'wrapped') io.stderr('\r\u001b[2K');
    areFine &&= tried?.type !== 'fails';
    const said = server.type === 'wrapped' ? triedText(tried as Tried, paint) : untriedText(server, paint);
    io.stdout(`${fitLines(`    ${printable(server.name, MAX_NAME).padEnd(width)}  ${said}`, io.columns)}\n`);
  }
  io.stdout(waiting(io));
  const bare = servers.filter(({ type }) => type === 'bare').length;
  if (bare > 0) io.stdout(`\n${bare} of ${servers.length} servers can be wrapped now, with: sallyport init\n`);
  return areFine;
}
