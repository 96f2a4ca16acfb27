// Measures the memory of the local process before and after many sessions of a coding agent's hooks.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { socketAddress } from '../apps/cli/src/local-process/address.ts';
import { firstLine, sendLine } from '../apps/cli/src/local-process/wire.ts';
import { readOptions, root } from '../tools/command.mjs';

const options = readOptions(
  `
Starts the local process, sends it the events of many sessions, and prints its memory before and after. Linux only. It writes nothing.

  npm run bench -- hook-daemon                 50 sessions of 30 events
  npm run bench -- hook-daemon --sessions 500
`,
  { sessions: { type: 'string' } },
);
const SESSIONS = Number(options.sessions ?? 50);
const EVENTS = 30;

const state = mkdtempSync(join(tmpdir(), 'sallyport-bench-'));
const main = join(root, 'apps/cli/dist/main.cjs');
const { version } = JSON.parse(readFileSync(join(root, 'apps/cli/package.json'), 'utf8')) as { version: string };
const environment = { PATH: process.env.PATH, HOME: state, SALLYPORT_STATE: state };
const daemon = spawn(process.execPath, [main, 'daemon'], { env: environment, stdio: 'ignore' });
process.on('exit', () => {
  daemon.kill();
  rmSync(state, { recursive: true, force: true });
});

async function send(event: object): Promise<void> {
  const socket = connect({ path: socketAddress(state, version), allowHalfOpen: true });
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  sendLine(socket, { type: 'hook', pid: process.pid, host: 'claude-code', event });
  const line = await firstLine(socket);
  socket.destroy();
  if (line === undefined || 'failed' in (JSON.parse(line) as object)) throw new Error(`no answer: ${line}`);
}

function megabytes(): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${daemon.pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1000);
}

/** A prompt, then calls with their results. */
async function session(id: number): Promise<void> {
  const about = { session: `s${id}`, folder: '/src/shop' };
  await send({ type: 'prompt', text: `Fix the test ${id}.`, ...about });
  for (let count = 1; count < EVENTS / 2; count++) {
    const call = { tool: 'Bash', arguments: { command: `cat src/file-${count}.ts` }, id: `c${count}`, ...about };
    await send({ type: 'call', ...call });
    await send({ type: 'result', result: `export const value = ${count};\n`.repeat(200), ...call });
  }
  await send({ type: 'end', ...about });
}

for (let tries = 0; ; tries++) {
  try {
    await session(0);
    break;
  } catch (cause) {
    if (tries > 100) throw cause;
    await pause(100);
  }
}
console.log(`after 1 session: ${megabytes()} MB`);
for (let id = 1; id < SESSIONS; id++) {
  await session(id);
  if ((id + 1) % 25 === 0) console.log(`after ${id + 1} sessions: ${megabytes()} MB`);
}
process.exit(0);
