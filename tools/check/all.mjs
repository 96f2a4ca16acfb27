// The small checks of the repository, one after the other: each takes seconds, and each is a program of its own.
import { join } from 'node:path';
import { fail, readOptions, run } from '../command.mjs';

const check = (name) => [join('tools', 'check', `${name}.mjs`)];
const program = (group, name) => [join('tools', 'run.mjs'), group, name, '--check'];

/** What `node` is started with, by the name of the check. */
const CHECKS = {
  layers: check('layers'),
  source: check('source'),
  exports: check('exports'),
  dependencies: check('dependencies'),
  workflows: check('workflows'),
  promises: check('promises'),
  structure: program('check', 'structure'),
  settings: program('check', 'settings'),
  'type mistakes': program('check', 'type-mistakes'),
  tables: ['--import', 'tsx', 'packages/core/generate/tables.ts', '--check'],
  console: ['--import', 'tsx', '--conditions', '@sallyport/source', 'apps/console/generate/write.ts', '--check'],
  bundle: program('bench', 'bundle'),
  figures: program('check', 'figures'),
};

readOptions(`
Runs every small check, also after one has failed, and names those that failed: ${Object.keys(CHECKS).join(', ')}.
The last one reads every document: links, snippets, tables and figures.

  node tools/check/all.mjs
`);

const failed = [];
for (const [name, args] of Object.entries(CHECKS)) {
  const started = performance.now();
  const { code, output } = await run(process.execPath, args);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (code === 0) console.log(`ok ${name}, ${seconds} s: ${output.trim().split('\n').at(-1)}`);
  else failed.push(name);
  if (code !== 0) console.log(`FAILED ${name}, ${seconds} s\n${output.trimEnd()}`);
}
if (failed.length > 0)
  fail(
    `${failed.length} of ${Object.keys(CHECKS).length} checks failed: ${failed.join(', ')}`,
    'correct what each names above',
  );
console.log(`OK - ${Object.keys(CHECKS).length} checks passed`);
