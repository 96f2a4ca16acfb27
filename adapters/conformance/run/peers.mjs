// Runs the scenarios with the lowest version of each framework that an adapter supports. The highest is the one in the lock file.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProgress, fail, progress, readOptions, root, run, typescriptOptions } from '../../../tools/command.mjs';
import { writeResult } from '../../../tools/figures.mjs';

const options = readOptions(
  `
Installs the lowest supported version of each framework in a folder of its own and plays all scenarios against it.
Takes several minutes and needs a registry. Exit 1 when a cell fails.

  npm run check -- conformance-peers                   all; writes evals/results/frameworks.json
  npm run check -- conformance-peers --only langchain  one adapter, writes nothing
  npm run check -- conformance-peers --dry             all; writes nothing
`,
  { only: { type: 'string' }, dry: { type: 'boolean' } },
);

const readJson = (...path) => JSON.parse(readFileSync(join(root, ...path), 'utf8'));
const all = readJson('adapters', 'conformance', 'run', 'peers.json');
const chosen = all.filter(({ adapter }) => options.only === undefined || adapter === options.only);
if (chosen.length === 0)
  fail(`no adapter ${options.only}`, `choose of ${all.map(({ adapter }) => adapter).join(', ')}`, 2);

async function install(dependencies) {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-peers-'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  const { code, output } = await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: folder,
  });
  if (code !== 0) fail(`npm install ${JSON.stringify(dependencies)} fails`, output.slice(-500), 2);
  return folder;
}

async function cellsOf(driver, folder, names) {
  const hooks = [...typescriptOptions, '--import', './adapters/conformance/run/resolve-from.mjs'];
  const args = [...hooks, '--conditions', '@sallyport/source', 'adapters/conformance/run/conformance.ts'];
  const env = { PEERS_FOLDER: folder, PEERS_NAMES: names.join(',') };
  const { output } = await run(process.execPath, [...args, '--only', driver, '--json'], { env, timeout: 300_000 });
  const line = output.split('\n').find((each) => each.startsWith('{'));
  if (line === undefined) return { failed: { start: output.slice(-600) } };
  const cells = Object.entries(JSON.parse(line)[driver]);
  const failed = cells.filter(([, cell]) => cell.type === 'failed').map(([id, { reason }]) => [id, reason]);
  return { passed: cells.filter(([, { type }]) => type === 'passed').length, failed: Object.fromEntries(failed) };
}

const results = {};
let failures = 0;
for (const { adapter, drivers, install: lowest } of chosen) {
  progress(`${adapter}: installing ${JSON.stringify(lowest)}`);
  const folder = await install(lowest);
  results[adapter] = { lowest, drivers: {} };
  for (const driver of drivers) {
    progress(`${driver} on ${JSON.stringify(lowest)}`);
    const cells = await cellsOf(driver, folder, Object.keys(lowest));
    results[adapter].drivers[driver] = cells;
    failures += Object.keys(cells.failed).length;
    console.log(`${driver}: ${cells.passed ?? 0} passed, failed: ${JSON.stringify(cells.failed)}`);
  }
  rmSync(folder, { recursive: true, force: true });
}
endProgress();
if (options.only === undefined && !options.dry) writeResult('frameworks', { results });
if (failures > 0) fail(`${failures} cells fail`, 'raise the lowest version in the package, or mend the adapter');
console.log(`OK - ${chosen.length} adapters on their lowest versions`);
