// Measures where a wrapper spends its time: samples of a CPU profile by stage, while a client reads fresh texts.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RawClient } from '../apps/cli/conformance/raw.ts';
import { CLI, hasWrap } from '../apps/cli/conformance/target.ts';
import { endProgress, fail, progress, readOptions, root } from '../tools/command.mjs';
import { writeResult } from '../tools/figures.mjs';

const options = readOptions(
  `
Profiles sallyport wrap while a client reads texts of 64 B and of 10 KB, new ones each time, and prints the share of each stage.

  npm run bench -- wrap-profile        writes evals/results/wrap-profile.json
  npm run bench -- wrap-profile --dry  write nothing
`,
  { dry: { type: 'boolean' } },
);
if (!hasWrap()) fail('apps/cli is not built', 'run npm run build', 2);

const SIZES = [
  { name: '64 B', bytes: 64, calls: 6000 },
  { name: '10 KB', bytes: 10 * 1024, calls: 1000 },
] as const;

/** The stage of a sample is that of its innermost function in this table. */
const STAGES: readonly (readonly [stage: string, file: RegExp])[] = [
  ['cutting text into words', /(?:classifier\/dist\/language\/tokens|core\/dist\/text\/words)\.js/],
  ['classification', /packages\/classifier\/dist/],
  ['codes of frames', /core\/dist\/frame\/(?:code-table|live-codes|key|words)/],
  ['origin of values', /core\/dist\/(?:provenance|message|task)\//],
  ['decision', /core\/dist\/(?:gate|approval|call|consult)\//],
  ['decoding of text', /core\/dist\/text\//],
  ['records and frames', /core\/dist\//],
  ['protocol', /packages\/mcp-proxy\/dist/],
  ['start', /cli\/dist\/(?:commands|program|main)\.js|node:internal\/modules/],
  ['input and output', /packages\/cli\/dist/],
];

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** The share of each stage in percent. */
function sharesOf({ nodes, samples, timeDeltas }: Profile): Readonly<Record<string, number>> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const stageOf = (id: number | undefined): string => {
    for (let at = id; at !== undefined; at = parents.get(at)) {
      const { functionName, url } = byId.get(at)?.callFrame ?? { functionName: '', url: '' };
      if (functionName === '(garbage collector)') return 'garbage collection';
      const found = STAGES.find(([, file]) => file.test(url));
      if (found !== undefined) return found[0];
    }
    return 'input and output';
  };
  const times = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    if (byId.get(id)?.callFrame.functionName === '(idle)') continue;
    const stage = stageOf(id);
    times.set(stage, (times.get(stage) ?? 0) + (timeDeltas[index] ?? 0));
  }
  const { start: _, ...rest } = Object.fromEntries(times);
  const total = Object.values(rest).reduce((sum, time) => sum + (time ?? 0), 0);
  const sorted = Object.entries(rest).sort(([, one = 0], [, other = 0]) => other - one);
  return Object.fromEntries(sorted.map(([stage, time = 0]) => [stage, Math.round((1000 * time) / total) / 10]));
}

async function profiled(bytes: number, calls: number): Promise<Readonly<Record<string, number>>> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-profile-'));
  const flags = ['--cpu-prof', '--cpu-prof-dir', folder];
  const server = [process.execPath, join(root, 'bench', 'wrap-server.mjs')];
  const client = new RawClient([process.execPath, ...flags, CLI, 'wrap', '--server', 'words', ...server], {
    ...process.env,
    SALLYPORT_STATE: folder,
    SALLYPORT_DAEMON: 'off',
  });
  await client.initialize();
  await client.request('tools/list');
  for (let call = 0; call < calls; call++) await client.ask('tools/call', { name: 'words', arguments: { bytes } });
  await client.end();
  const files = readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'));
  const profiles = files.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Profile);
  rmSync(folder, { recursive: true, force: true });
  const [longest] = profiles.sort((one, other) => other.samples.length - one.samples.length);
  return longest === undefined ? fail('Node wrote no profile', 'run it on Linux or macOS', 1) : sharesOf(longest);
}

/** The shares before the work on speed. The stage that cuts text into words was part of the stages that read them. */
const BEFORE = {
  '64 B': {
    'input and output': 35.5,
    'records and frames': 14.5,
    'codes of frames': 11.3,
    'origin of values': 10.7,
    classification: 9.6,
    protocol: 5.6,
    'garbage collection': 5.6,
    'decoding of text': 4.1,
    decision: 3.1,
  },
  '10 KB': {
    classification: 31.3,
    'codes of frames': 18.5,
    'origin of values': 14.6,
    'input and output': 11.8,
    'records and frames': 8,
    'decoding of text': 8,
    'garbage collection': 3.9,
    protocol: 2.8,
    decision: 1.2,
  },
} as const;

const shares: Record<string, Readonly<Record<string, number>>> = {};
for (const { name, bytes, calls } of SIZES) {
  progress(`${name}: ${calls} calls`);
  shares[name] = await profiled(bytes, calls);
}
endProgress();
console.table(shares);
if (options.dry !== true)
  writeResult('wrap-profile', { unit: 'percent of CPU, without the start', before: BEFORE, shares });
process.exit(0);
