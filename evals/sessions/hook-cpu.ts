// CPU time of one `sallyport hook` process, and of `node -e 0`.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../tools/command.mjs';
import { NATIVE } from './native.ts';
import { stopDaemon } from './play-wrapped.ts';

// The child's own times: the times of all children together would hide one of them. It is required and not imported, because the first
// module that is imported costs 2 ms of its own.
const PRINT_CPU = `process.on('exit',()=>{const{user,system}=process.cpuUsage();process.stderr.write('\\ncpu '+(user+system))})`;
const RUNS = 15;

async function cpuOf(args: readonly string[], input: string, state: string): Promise<number> {
  const child = spawn(process.execPath, ['--require', join(state, 'print-cpu.cjs'), ...args], {
    env: { ...process.env, SALLYPORT_STATE: state, XDG_CONFIG_HOME: state },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let error = '';
  child.stderr.on('data', (data) => {
    error += String(data);
  });
  child.stdin.end(input);
  await new Promise((resolve) => child.on('close', resolve));
  const micros = /cpu (\d+)\s*$/.exec(error)?.[1];
  if (micros === undefined) throw new Error(`no CPU time: ${error.slice(0, 300)}`);
  return Number(micros) / 1000;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Medians, in milliseconds: of a call in a session that has read two files, of an event that needs no decision, and of Node alone. */
export async function hookCpu(): Promise<{ readonly hook: number; readonly idle: number; readonly node: number }> {
  const state = mkdtempSync(join(tmpdir(), 'sallyport-sessions-'));
  const main = join(root, 'apps', 'cli', 'dist', 'main.cjs');
  const events = NATIVE['claude-code']('cpu', root);
  const send = (event: object): Promise<number> => cpuOf([main, 'hook', 'claude-code'], JSON.stringify(event), state);
  writeFileSync(join(state, 'print-cpu.cjs'), PRINT_CPU);
  try {
    await send(events.prompt('Fix the typo in the README.'));
    await send(events.result({ do: 'read', path: 'README.md' }, 'one', 'A library.\n'.repeat(500)));
    await send(events.result({ do: 'read', path: 'index.js' }, 'two', 'export const one = 1;\n'.repeat(200)));
    const hook: number[] = [];
    const idle: number[] = [];
    const node: number[] = [];
    for (let index = 0; index < RUNS; index++) {
      hook.push(await send(events.call({ do: 'shell', command: 'npm test' }, `call-${index}`)));
      idle.push(await send({ hook_event_name: 'SessionStart', session_id: 'cpu' }));
      node.push(await cpuOf(['-e', '0'], '', state));
    }
    return { hook: median(hook), idle: median(idle), node: median(node) };
  } finally {
    stopDaemon(state);
    rmSync(state, { recursive: true, force: true });
  }
}
