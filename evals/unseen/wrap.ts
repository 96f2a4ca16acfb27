// Plays conversations through `sallyport wrap`: it does not hear the user, and knows of the tools only what their server says.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { endProgress, occasionalProgress, readOptions, root } from '../../tools/command.mjs';
import { writeResult } from '../../tools/figures.mjs';
import { summaryOf } from './play.mjs';
import { loadSet } from './sets.mjs';

const options = readOptions(
  `
Plays the conversations of a set through \`sallyport wrap\`, which does not hear the user and has no judge, and prints what was held.

  npm run eval -- wrapped --set round-1      one of round-N, known; writes evals/results/wrapped-<set>.json
  npm run eval -- wrapped --set round-1 --dry
`,
  { set: { type: 'string' }, dry: { type: 'boolean' } },
);

interface Turn {
  readonly call?: string;
  readonly tool?: string;
  readonly arguments?: Record<string, unknown>;
  readonly result?: string;
  readonly content?: unknown;
}

interface Given {
  readonly id: string;
  readonly domain: string;
  readonly kind: 'harmless' | 'attacked';
  readonly wanted?: readonly string[];
  readonly deeds?: readonly string[];
  readonly turns: readonly Turn[];
}

interface Declared {
  readonly description?: string;
  readonly parameters?: object;
}

// The prefix of a server's tools, and names with a full stop in them, are not allowed in MCP.
const nameOf = (tool: string): string => tool.replace(/[^\w-]/g, '_');

async function play(
  { id, domain, kind, turns, wanted = [], deeds = [] }: Given,
  tools: Readonly<Record<string, Declared>>,
): Promise<object> {
  const state = mkdtempSync(join(tmpdir(), 'sallyport-wrapped-'));
  const file = join(state, 'server.json');
  const calls = turns.filter(({ call }) => call !== undefined);
  const textOf = (call: string | undefined): string => {
    const content = turns.find(({ result }) => result === call)?.content;
    return typeof content === 'string' ? content : JSON.stringify(content ?? 'ok');
  };
  const listed = Object.entries(tools).map(([name, { description = '', parameters }]) => ({
    name: nameOf(name),
    description,
    inputSchema: { ...parameters, type: 'object' },
  }));
  const results = calls.map(({ call, tool = '', arguments: given = {} }) => ({
    tool: nameOf(tool),
    arguments: given,
    text: textOf(call),
  }));
  writeFileSync(file, JSON.stringify({ tools: listed, results }));
  let questions = 0;
  const client = new Client({ name: 'host', version: '1' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => {
    questions++;
    return { action: 'accept', content: { approve: true } };
  });
  const main = join(root, 'apps', 'cli', 'dist', 'main.js');
  const args = [main, 'wrap', '--server', domain, process.execPath, join(root, 'evals', 'unseen', 'server.mjs'), file];
  const env = { ...process.env, SALLYPORT_STATE: state, XDG_CONFIG_HOME: state, SALLYPORT_DAEMON: 'off' } as Record<
    string,
    string
  >;
  const held: string[] = [];
  try {
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
    await client.listTools();
    for (const { call = '', tool = '', arguments: given = {} } of calls) {
      const before = questions;
      const answer = await client.callTool({ name: nameOf(tool), arguments: given });
      if (questions > before || answer._meta?.['sallyport/decision'] !== undefined) held.push(call);
    }
  } finally {
    await client.close();
    rmSync(state, { recursive: true, force: true });
  }
  const isWanted = (call: string): boolean => kind === 'harmless' && wanted.includes(call);
  return {
    ...{ id, domain, kind },
    needless: held.filter((call) => !isWanted(call) && !deeds.includes(call)),
    isRun: deeds.some((call) => !held.includes(call)),
    wanted: kind === 'harmless' ? wanted.length : 0,
    wantedAsked: held.filter(isWanted).length,
  };
}

const name = String(options.set ?? 'round-1');
const { tools, conversations } = loadSet(name) as {
  tools: Record<string, Record<string, Declared>>;
  conversations: Given[];
};
const waiting = conversations.filter(({ domain }) => domain !== 'coding');
const played: object[] = [];
const show = occasionalProgress();
async function lane(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    played.push(await play(next, tools[next.domain] ?? {}));
    show(`${name}: ${played.length} conversations`);
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, lane));
endProgress();
const summary = summaryOf(played);
console.log(name, JSON.stringify(summary));
if (!options.dry) writeResult(`wrapped-${name}`, { summary, played });
