// Measures what the tool listings of published MCP servers cost a model, bare and wrapped.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { getEncoding } from 'js-tiktoken';
import { RawClient } from '../apps/cli/conformance/raw.ts';
import { type Command, commandFor, hasWrap } from '../apps/cli/conformance/target.ts';
import { endProgress, fail, progress, readOptions, run } from '../tools/command.mjs';
import { writeFigures, writeResult } from '../tools/figures.mjs';
import { LISTED_SERVERS, type ListedServer } from './listed-servers.ts';

const options = readOptions(
  `
Installs published MCP servers into a folder for temporary files, lists their tools directly, wrapped, wrapped after a restart,
and after a person has accepted what was flagged, and counts o200k tokens of names, descriptions and input schemas.

  npm run bench -- listings                writes evals/results/listings.json and its figures
  npm run bench -- listings --dry          write nothing
  npm run bench -- listings --only notion  servers whose name contains this; writes nothing
`,
  { dry: { type: 'boolean' }, only: { type: 'string' } },
);
if (!hasWrap()) fail('apps/cli is not built', 'run npm run build', 2);

const LIMIT_MS = 60_000;
const FOLDER = join(tmpdir(), 'sallyport-listings');
const tokens = getEncoding('o200k_base');

interface Tool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: unknown;
}

/** The listing as it was received, and its tools. */
interface Listing {
  readonly text: string;
  readonly tools: readonly Tool[];
}

function limited<Value>(work: Promise<Value>, what: string): Promise<Value> {
  let timer: NodeJS.Timeout;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${LIMIT_MS / 1000} s`)), LIMIT_MS);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}

/** What a model is given of a listing. */
function tokensOf({ tools }: Listing): number {
  const given = tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema }));
  return tokens.encode(JSON.stringify(given), 'all').length;
}

/** All pages of a listing, each as it was received. */
async function pagesFrom(client: RawClient): Promise<Listing> {
  const pages: string[] = [];
  const tools: Tool[] = [];
  let cursor: unknown;
  do {
    const page = (await client.ask('tools/list', cursor === undefined ? {} : { cursor })).toString();
    const { result, error } = JSON.parse(page);
    if (!Array.isArray(result?.tools)) throw new Error(`no tools: ${JSON.stringify(error ?? result).slice(0, 120)}`);
    pages.push(page);
    tools.push(...result.tools);
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  return { text: pages.join('\n'), tools };
}

async function listingOf(command: Command, environment: NodeJS.ProcessEnv): Promise<Listing> {
  const client = new RawClient(command, { ...process.env, ...environment });
  try {
    const ended = client.exit.then((code) => {
      throw new Error(`the server ended with ${code}: ${client.stderr.trim().slice(-160)}`);
    });
    const listed = client.initialize().then(() => pagesFrom(client));
    return await limited(Promise.race([listed, ended]), 'the listing');
  } finally {
    client.signal('SIGTERM');
  }
}

async function install({ package: name, version }: ListedServer): Promise<string | undefined> {
  mkdirSync(FOLDER, { recursive: true });
  if (!existsSync(join(FOLDER, 'package.json'))) writeFileSync(join(FOLDER, 'package.json'), '{}');
  const args = ['install', '--prefix', FOLDER, '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${version}`];
  const { code, output } = await run('npm', args, { cwd: FOLDER });
  return code === 0 ? undefined : output.trim().split('\n').at(-1);
}

/** The command that starts an installed server. */
function commandOf({ package: name, args = [] }: ListedServer): Command {
  const file = join(FOLDER, 'node_modules', name, 'package.json');
  const { bin } = JSON.parse(readFileSync(file, 'utf8')) as { bin: string | Record<string, string> };
  const program = typeof bin === 'string' ? bin : (Object.values(bin)[0] as string);
  return [process.execPath, join(dirname(file), program), ...args.map((each) => (each === '.' ? FOLDER : each))];
}

async function measure(server: ListedServer): Promise<object> {
  const problem = await install(server);
  if (problem !== undefined) throw new Error(`cannot be installed: ${problem}`);
  const state = mkdtempSync(join(tmpdir(), 'sallyport-state-'));
  try {
    const environment = { ...server.environment, SALLYPORT_STATE: state, SALLYPORT_KEY: '', SALLYPORT_DAEMON: 'off' };
    const command = commandOf(server);
    const wrapped = commandFor('frame', command);
    const bare = await listingOf(command, environment);
    const first = await listingOf(wrapped, environment);
    const again = await listingOf(wrapped, environment);
    const { held } = JSON.parse(readFileSync(join(state, 'pins', 'fixture.json'), 'utf8'));
    const flagged = held.flatMap((each: { type: string; tool?: string }) => each.tool ?? each.type);
    const [program, main] = wrapped as readonly string[] as [string, string];
    if (flagged.length > 0)
      await run(program, [main, 'pins', 'accept', 'fixture'], { env: { ...process.env, ...environment } });
    const accepted = flagged.length > 0 ? await listingOf(wrapped, environment) : again;
    return {
      tools: bare.tools.length,
      shown: accepted.tools.length,
      bare: tokensOf(bare),
      first: tokensOf(first),
      restart: tokensOf(again),
      accepted: tokensOf(accepted),
      isStable: first.text === again.text,
      flagged,
    };
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}

const only = typeof options.only === 'string' ? options.only : '';
const servers = LISTED_SERVERS.filter(({ package: name }) => name.includes(only));
const results: Record<string, object> = {};
const failed: Record<string, string> = {};
for (const [index, server] of servers.entries()) {
  progress(`${index + 1}/${servers.length} ${server.package}`);
  const name = `${server.package}@${server.version}`;
  try {
    results[name] = await measure(server);
  } catch (error) {
    failed[name] = error instanceof Error ? error.message : String(error);
  }
}
endProgress();

const rows = Object.values(results) as {
  bare: number;
  first: number;
  restart: number;
  accepted: number;
  isStable: boolean;
  flagged: string[];
}[];
const sum = (name: 'bare' | 'first' | 'restart' | 'accepted'): number =>
  rows.reduce((total, row) => total + row[name], 0);
const ratio = (name: 'first' | 'restart' | 'accepted'): number => Math.round((sum(name) / sum('bare')) * 1000) / 1000;
const summary = {
  servers: rows.length,
  ratios: { first: ratio('first'), restart: ratio('restart'), accepted: ratio('accepted') },
  isStable: rows.every(({ isStable }) => isStable),
  flagged: rows.reduce((total, { flagged }) => total + flagged.length, 0),
};
console.table(
  Object.fromEntries(
    Object.entries(results).map(([name, row]) => [
      name,
      { ...row, flagged: (row as { flagged: string[] }).flagged.length },
    ]),
  ),
);
console.log(summary);
for (const [name, why] of Object.entries(failed)) console.error(`${name}: ${why}`);

if (only === '' && options.dry !== true) {
  if (rows.length < 10) fail(`only ${rows.length} servers could be measured`, 'see the lines above; ten are needed');
  writeResult('listings', { summary, results, failed });
  const command = 'npm run bench -- listings';
  writeFigures({
    'wrap.listing_token_ratio': { value: summary.ratios.accepted, unit: 'x', command },
    'wrap.listing_token_ratio_first': { value: summary.ratios.first, unit: 'x', command },
    'wrap.listing_stable': { value: summary.isStable ? 1 : 0, unit: '1 if stable', command },
    'wrap.listing_servers': { value: rows.length, unit: 'servers', command },
    'wrap.listing_flagged': { value: summary.flagged, unit: 'definitions', command },
  });
}
process.exit(0);
