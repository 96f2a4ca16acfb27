// Measures what a wrapped result costs a model, in tokens, against the same result of the bare server.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getEncoding } from 'js-tiktoken';
import { RawClient } from '../apps/cli/conformance/raw.ts';
import { type Command, commandFor, hasWrap } from '../apps/cli/conformance/target.ts';
import { fail, readOptions, root } from '../tools/command.mjs';
import { writeFigures, writeResult } from '../tools/figures.mjs';

const options = readOptions(
  `
Calls a tool whose result is 50 B, 1 KB or 10 KB of text, directly and through sallyport wrap over stdio, and counts the o200k
tokens that the wrapped result has more.

  npm run bench -- tokens        writes evals/results/tokens.json and its figure
  npm run bench -- tokens --dry  write nothing
`,
  { dry: { type: 'boolean' } },
);
if (!hasWrap()) fail('apps/cli is not built', 'run npm run build', 2);

const SIZES = { '50 B': 50, '1 KB': 1024, '10 KB': 10 * 1024 } as const;
const CALLS = 20;
const SERVER: Command = [process.execPath, join(root, 'bench', 'wrap-server.mjs')];
const tokens = getEncoding('o200k_base');

/** The texts of results of one size, as a client receives them. */
async function textsOf(client: RawClient, bytes: number): Promise<readonly string[]> {
  const texts: string[] = [];
  for (let call = 0; call < CALLS; call++) {
    const line = await client.ask('tools/call', { name: 'words', arguments: { bytes } });
    const { result } = JSON.parse(line.toString());
    texts.push(result.content.map(({ text }: { readonly text: string }) => text).join('\n'));
  }
  return texts;
}

/** What each target answers. The server's texts are the same in every run. */
async function measure(command: Command, state: string): Promise<Record<string, readonly string[]>> {
  const client = new RawClient(command, {
    ...process.env,
    SALLYPORT_STATE: state,
    SALLYPORT_DAEMON: 'off',
    SALLYPORT_KEY: '',
  });
  try {
    await client.initialize();
    await client.ask('tools/list', {});
    const texts: Record<string, readonly string[]> = {};
    for (const [name, bytes] of Object.entries(SIZES)) texts[name] = await textsOf(client, bytes);
    return texts;
  } finally {
    client.signal('SIGTERM');
  }
}

const state = mkdtempSync(join(tmpdir(), 'sallyport-tokens-'));
const bare = await measure(SERVER, state);
const wrapped = await measure(commandFor('frame', SERVER), state);
rmSync(state, { recursive: true, force: true });

const count = (text: string): number => tokens.encode(text, 'all').length;
const results = Object.fromEntries(
  Object.keys(SIZES).map((name) => {
    const pairs = (bare[name] ?? []).map((text, index) => [text, wrapped[name]?.[index] ?? ''] as const);
    if (pairs.some(([text, frame]) => !frame.includes(text))) fail(`${name}: the texts differ`, 'run it again', 1);
    const added = pairs.map(([text, frame]) => count(frame) - count(text));
    return [name, { bare: count(pairs[0]?.[0] ?? ''), least: Math.min(...added), most: Math.max(...added) }];
  }),
);
console.table(results);
if (options.dry !== true) {
  writeResult('tokens', results);
  const value = Math.max(...Object.values(results).map(({ most }) => most));
  writeFigures({ 'wrap.tokens_per_result': { value, unit: 'tokens', command: 'npm run bench -- tokens' } });
}
process.exit(0);
