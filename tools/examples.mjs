// Runs all examples; each asserts what it shows.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fail, inLanes, progress, readOptions, root, run, sourceOptions } from './command.mjs';

readOptions(`
Runs every examples/*/main.ts from source. Exit 1 when one of them exits non-zero, or when there is none to run.

  npm run examples
`);

const folder = join(root, 'examples');
if (!existsSync(folder)) {
  console.log('there is no examples folder: nothing was run');
  process.exit(0);
}
const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'main.ts')));
if (names.length === 0) fail('no examples/*/main.ts exists', 'add one, or remove the empty folder');

// Several at a time: an example spends most of its time waiting for the disk at its start.
const LANES = 3;
const failed = [];
await inLanes(names, LANES, async (name, index) => {
  progress(`[${index + 1}/${names.length}] ${name}`);
  const args = [...sourceOptions, join('examples', name, 'main.ts')];
  const { code, output } = await run(process.execPath, args, { timeout: 120_000 });
  if (code === 0) return;
  failed.push(name);
  console.error(`${output}\nexamples/${name} exited with ${code}`);
});
if (failed.length > 0)
  fail(
    `${failed.length} of ${names.length} examples fail: ${failed.join(', ')}`,
    'run one alone, as CONTRIBUTING.md shows',
  );
console.log(`OK - ${names.length} examples run and assert`);
