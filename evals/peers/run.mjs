// Runs the deterministic tier of every peer that installs from npm, over the same held-out records as our classifier.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endProgress, fail, progress, readOptions, root, run } from '../../tools/command.mjs';
import { writeResult } from '../../tools/figures.mjs';
import { describe, installed, measure } from './peer.mjs';
import { directory, LEVELS, readRecords } from './records.mjs';

const INSTALL = 'npm install --ignore-scripts --prefix evals/peers';
/** Peers that the registry did not have; each run checks again. */
const ABSENT = [
  'prompt-protection',
  '@stackone/defender',
  'ai-sdk-guardrails',
  'agent-sanitizer',
  'taintmcp',
  'open-mcp-guardrails',
];

const options = readOptions(
  `
Runs the peers over the test records of ../shared/data/spans, each in a separate process, one after the other, and
writes evals/results/peers.json: what each flags, and its CPU time on plain English. Slow peers get a seeded sample.
The whole takes about an hour and a half, most of it rebuff and hai-guardrails.

  ${INSTALL}
  node evals/peers/run.mjs                            all peers
  node evals/peers/run.mjs --only vard                one peer; its entry in the result is replaced
  node evals/peers/run.mjs --only vard --limit 20     a trial on 20 records of each kind; writes nothing
  node evals/peers/run.mjs --dry                      all peers; writes nothing

Exit codes: 0 done, 1 a peer failed that should not have, 2 misuse, or no peers or records to run.
`,
  { only: { type: 'string' }, limit: { type: 'string' }, dry: { type: 'boolean' } },
);

const limit = options.limit === undefined ? undefined : Number(options.limit);
if (limit !== undefined && !(Number.isInteger(limit) && limit > 0))
  fail(`--limit must be a number of records; received ${options.limit}`, 'use --limit 20', 2);

const files = readdirSync(new URL('adapters/', import.meta.url)).filter((name) => name.endsWith('.mjs'));
const names = files.map((name) => name.slice(0, -'.mjs'.length)).sort();
const chosen = names.filter((name) => options.only === undefined || options.only === name);
if (chosen.length === 0) fail(`--only must be a peer; received ${options.only}`, `use one of: ${names.join(', ')}`, 2);
if (!existsSync(new URL('node_modules/', import.meta.url))) fail('the peers are not installed', `run ${INSTALL}`, 2);
const records = readRecords();
if (records.length === 0) fail(`no test records in ${directory}`, 'put the span data there, see its MANIFEST.md', 2);

const writes = !options.dry && limit === undefined;
const line = (text) => {
  endProgress();
  process.stdout.write(`${text}\n`);
};

/** Earlier entries stay until their peer is run again. */
function readEarlier() {
  const file = join(root, 'evals', 'results', 'peers.json');
  if (!existsSync(file)) return { peers: [], absent: [] };
  const { peers, absent } = JSON.parse(readFileSync(file, 'utf8'));
  return { peers, absent };
}

async function whyAbsent(name) {
  const { code, output } = await run('npm', ['view', name, 'version'], { timeout: 60_000 });
  if (code === 0) return 'is on the registry now, but has no adapter yet';
  return output.includes('E404') ? 'the registry answers 404 Not Found' : 'the registry could not be asked';
}

const percent = ({ flagged, total }) => `${((100 * flagged) / total).toFixed(1)}%`;

function summary({ n, sampled, injection, benign, notinject, mail, times }) {
  const rates = `recall ${percent(injection)}, benign ${percent(benign)}, notinject ${percent(notinject)}`;
  const size = sampled ? `sample of ${n}` : `all ${n}`;
  return `${rates}, mail ${percent(mail)}, ${times['10 KB']?.cpuMs ?? 'over 90,000'} ms per 10 KB, ${size}`;
}

/** @returns {Promise<{ entry: object, failed: boolean }>} */
async function runPeer(name) {
  const file = `${name}.mjs`;
  const described = await describe(file);
  const measured = new Date().toISOString();
  if (described.error !== undefined) return { entry: { name, measured, error: described.error }, failed: true };
  const { version, error } = installed(described.package);
  const head = { name, package: described.package, version, measured, note: described.note };
  if (error !== undefined) return { entry: { ...head, error }, failed: true };
  const configurations = [];
  let failed = false;
  for (const [index, configuration] of described.configurations.entries()) {
    line(`${name} ${version}: ${configuration.name}`);
    const { knownFailure, ...shown } = configuration;
    const figures = await measure(file, index, limit);
    configurations.push({ ...shown, ...(figures.error && knownFailure ? { knownFailure } : {}), ...figures });
    if (figures.error === undefined) line(`  ${summary(figures)}`);
    else line(`  did not run: ${knownFailure ?? figures.error}`);
    failed ||= figures.error !== undefined && knownFailure === undefined;
  }
  return { entry: { ...head, configurations }, failed };
}

const earlier = readEarlier();
const entries = new Map(earlier.peers.map((entry) => [entry.name, entry]));
/** Leaves out an infinite limit. */
const finite = (counts) => Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== Infinity));
const data = {
  records: records.length,
  injections: records.filter(({ label }) => label === 'injection').length,
  levels: Object.fromEntries(LEVELS.map(({ name, ...counts }) => [name, finite(counts)])),
};
let { absent } = earlier;
const save = () =>
  writes && writeResult('peers', { command: 'node evals/peers/run.mjs', data, peers: [...entries.values()], absent });

line(`peers: ${chosen.length}, records: ${records.length}, of them injections: ${data.injections}`);
const failures = [];
for (const name of chosen) {
  const { entry, failed } = await runPeer(name);
  entries.set(name, entry);
  if (failed) failures.push(name);
  if (entry.error !== undefined) line(`${name} did not run: ${entry.error}`);
  save();
}
if (options.only === undefined) {
  absent = [];
  for (const name of ABSENT) {
    progress(`asking the registry for ${name}`);
    absent.push({ package: name, reason: await whyAbsent(name) });
  }
  save();
  for (const { package: name, reason } of absent) line(`${name}: ${reason}`);
}
if (failures.length > 0)
  fail(`${failures.join(', ')} failed`, `run ${INSTALL}, then node evals/peers/run.mjs --only ${failures[0]}`);
line(`OK - ${chosen.join(', ')}${writes ? ', evals/results/peers.json is written' : ''}`);
