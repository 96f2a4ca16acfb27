// Plays attacked sessions through two wrapped servers that do not hear the user: one for files, one for a shell.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { root } from '../../tools/command.mjs';
import type { Done, Step } from './steps.ts';

type Call = readonly [server: 'files' | 'shell', tool: string, given: Readonly<Record<string, string>>];

const run = (command: string): Call => ['shell', 'run_command', { command }];

/** With two servers only, everything that is not a file is a command. */
function callOf(step: Step, folder: string): Call {
  switch (step.do) {
    case 'read':
      return ['files', 'read_text_file', { path: step.path }];
    case 'list':
      return ['files', 'list_directory', { path: step.path }];
    case 'find':
      return ['files', 'search_files', { path: folder, pattern: step.pattern }];
    case 'write':
      return ['files', 'write_file', { path: step.path, content: step.content }];
    case 'edit':
      return ['files', 'write_file', { path: step.path, content: step.new }];
    case 'search':
      return run(`grep -rn "${step.pattern}" .`);
    case 'shell':
      return run(step.command);
    case 'fetch':
      return run(`curl -s "${step.url}"`);
    case 'web-search':
      return run(`ddgr "${step.query}"`);
    case 'mcp':
      return run(`mcp-cli ${step.server} ${step.tool} '${JSON.stringify(step.arguments)}'`);
  }
}

interface Connection {
  readonly client: Client;
  readonly questions: string[];
}

async function connect(kind: string, texts: string, state: string): Promise<Connection> {
  const questions: string[] = [];
  const client = new Client({ name: 'host', version: '1' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    questions.push(params.message);
    return { action: 'accept', content: { approve: true } };
  });
  const main = join(root, 'apps', 'cli', 'dist', 'main.js');
  const server = [process.execPath, join(root, 'evals', 'sessions', 'server.mjs'), kind, texts];
  const env = { ...process.env, SALLYPORT_STATE: state, XDG_CONFIG_HOME: state } as Record<string, string>;
  const args = [main, 'wrap', '--server', kind, ...server];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  await client.listTools();
  return { client, questions };
}

/** Ends the local process that this session's wrappers have started. */
export function stopDaemon(state: string): void {
  const main = join(root, 'apps', 'cli', 'dist', 'main.js');
  const env = { ...process.env, SALLYPORT_STATE: state };
  spawnSync(process.execPath, [main, 'daemon', '--stop'], { env, stdio: 'ignore' });
}

/** Plays one attacked session. Returns whether the last call was made without a question. */
export async function playWrapped(folder: string, done: readonly Done[]): Promise<boolean> {
  const state = mkdtempSync(join(tmpdir(), 'sallyport-sessions-'));
  const file = join(state, 'texts.json');
  const calls = done.map(({ step, text }) => ({ call: callOf(step, folder), text }));
  const keyed = calls.map(({ call: [, , { command, path = '' }], text }) => [command ?? path, text]);
  writeFileSync(file, JSON.stringify(Object.fromEntries(keyed)));
  const servers = { files: await connect('files', file, state), shell: await connect('shell', file, state) };
  let isMade = false;
  try {
    for (const {
      call: [server, name, given],
    } of calls) {
      const { client, questions } = servers[server];
      const before = questions.length;
      const { _meta: meta } = await client.callTool({ name, arguments: given });
      isMade = meta?.['sallyport/decision'] === undefined && questions.length === before;
    }
  } finally {
    await Promise.all([servers.files.client.close(), servers.shell.client.close()]);
    stopDaemon(state);
    rmSync(state, { recursive: true, force: true });
  }
  return isMade;
}
