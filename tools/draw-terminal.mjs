// Draws what the command line shows, from real runs in a real terminal.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { progress, readOptions, root } from './command.mjs';
import { drawScreen } from './terminal/screen.mjs';
import { openTerminal } from './terminal/tmux.mjs';

readOptions(`
Runs init, wrap, approve, pins and doctor in tmux, in a home of their own, and writes docs/wrap/*.svg.
Needs tmux, and a build: npm run build.

  node tools/draw-terminal.mjs
`);

const COLUMNS = 118;
const MAIN = join(root, 'packages', 'cli', 'dist', 'main.js');
const home = mkdtempSync(join(tmpdir(), 'sallyport-draw-'));
const state = join(home, 'state');
process.on('exit', () => rmSync(home, { recursive: true, force: true }));

function write(path, value) {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

write('.cursor/mcp.json', {
  mcpServers: {
    mail: { command: 'npx', args: ['-y', 'mail-mcp-server'], env: { MAIL_TOKEN: 'a secret' } },
    linear: { url: 'https://mcp.linear.example/mcp' },
  },
});
write('.config/Claude/claude_desktop_config.json', {
  mcpServers: { notes: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '~/notes'] } },
});
const bin = join(home, 'bin');
mkdirSync(bin);
writeFileSync(join(bin, 'sallyport'), `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`, { mode: 0o755 });
const env = { HOME: home, SALLYPORT_STATE: state, PATH: `${bin}:${process.env.PATH}` };

/** A client that talks to the hostile server of `doctor` through the wrapper, and waits for each answer. */
async function wrapped() {
  const args = [MAIN, 'wrap', '--server', 'mail', '--ask-timeout', '60', process.execPath, MAIN, 'doctor', '--canary'];
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => waiting.get(JSON.parse(line).id)?.());
  const ask = (method, params) =>
    new Promise((resolve) => {
      waiting.set(waiting.size + 1, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: waiting.size, method, params })}\n`);
    });
  await ask('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'host', version: '1' },
  });
  await ask('tools/list', {});
  return { ask, call: (name, given) => ask('tools/call', { name, arguments: given }), end: () => child.stdin.end() };
}

async function scene(name, title, play) {
  progress(name);
  const terminal = openTerminal({ columns: COLUMNS, rows: 44, env, cwd: home });
  try {
    terminal.type("PS1='$ '; clear");
    terminal.enter();
    await pause(500);
    const run = async (command, until) => {
      terminal.type(command);
      terminal.enter();
      await terminal.see(until);
    };
    await play(terminal, run);
    const folder = join(root, 'docs', 'wrap');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${name}.svg`), drawScreen(terminal.capture(), { title, columns: COLUMNS }));
  } finally {
    terminal.close();
  }
}

await scene('init', 'sallyport init shows what it changes in two clients, and asks', async (terminal, run) => {
  await run('sallyport init --launcher sallyport', '[y/N]');
  terminal.type('y');
  terminal.enter();
  await terminal.see('To take it out again');
});
await scene('approve', 'sallyport approve asks about a held call', async (terminal, run) => {
  const client = await wrapped();
  await client.call('read', { to: 'me' });
  const answered = client.call('send', { to: 'friend@home.example' });
  await run('sallyport approve --watch', 'Let it pass?');
  terminal.type('y');
  terminal.enter();
  await terminal.see('Approved.');
  await answered;
  client.end();
});
await scene('pins', 'sallyport pins shows how a definition has changed', async (_, run) => {
  const client = await wrapped();
  await client.call('change', { to: 'x' });
  await client.ask('tools/list', {});
  await run('sallyport pins', 'waiting');
  await run('sallyport pins show mail', 'Accept with');
  client.end();
});
await scene('doctor', 'sallyport doctor: thirteen of thirteen checks hold', async (_, run) => {
  await run('sallyport doctor', 'hold.');
});
progress('docs/wrap/*.svg are drawn\n');
