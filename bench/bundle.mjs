// Measures the size of a protected agent as a bundle, minified and gzipped. Core alone and the entry chunk fit Vercel Edge
// (1 MB gzipped); everything with the weights fits Cloudflare Workers free (3 MB gzipped).
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { fail, readOptions, root } from '../tools/command.mjs';
import { writeFigures, writeResult } from '../tools/figures.mjs';

const options = readOptions(
  `
Bundles the agent in bench/bundle/agent.mjs with esbuild, once with @sallyport/core alone and once with sallyport, which includes
the classifier and its weights. Prints the sizes in kB (1000 bytes), minified and gzipped, and the chunks of the second bundle:
the weights are in a separate chunk, which is loaded with the first text.

  npm run bench -- bundle            measure, write evals/results/bundle.json and its figures
  npm run bench -- bundle --dry      write nothing
  npm run bench -- bundle --check    write nothing; exit 1 when a committed figure is off by more than 5 %, or the weights
                                     are part of the entry chunk
`,
  { dry: { type: 'boolean' }, check: { type: 'boolean' } },
);

const TOLERANCE = 0.05;
const kilobytes = (bytes) => Number((bytes / 1000).toFixed(1));

/**
 * The output files of a bundle, the entry first.
 * @param {string} library what the agent imports as `sallyport`
 * @param {boolean} splitting whether a dynamic import becomes a separate file
 */
async function bundle(library, splitting) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [join('bench', 'bundle', 'agent.mjs')],
    outdir: 'bundle',
    alias: library === 'sallyport' ? {} : { sallyport: library },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    metafile: true,
    legalComments: 'none',
    logLevel: 'silent',
    splitting,
  });
  return outputFiles
    .map(({ path, contents }) => {
      const name = path.slice(path.lastIndexOf('bundle'));
      const { entryPoint, inputs } = metafile.outputs[name];
      return {
        file: entryPoint === undefined || !entryPoint.endsWith('agent.mjs') ? 'chunk' : 'entry',
        holdsWeights: Object.keys(inputs).some((input) => input.endsWith('model/weights.js')),
        minified_kb: kilobytes(contents.length),
        gz_kb: kilobytes(gzipSync(contents, { level: 9 }).length),
      };
    })
    .sort((one, other) => Number(other.file === 'entry') - Number(one.file === 'entry'));
}

async function bundleWhole(library) {
  const [whole] = await bundle(library, false);
  return whole;
}

if (!existsSync(join(root, 'packages', 'sallyport', 'dist', 'index.js')))
  fail('sallyport is not built', 'run npx tsc -b', 2);
const core = await bundleWhole('@sallyport/core');
const full = await bundleWhole('sallyport');
const chunks = await bundle('sallyport', true);

for (const [name, { minified_kb, gz_kb }] of Object.entries({ '@sallyport/core': core, sallyport: full }))
  console.log(`${name.padEnd(16)} ${minified_kb} kB minified, ${gz_kb} kB gzipped`);
for (const { file, holdsWeights, gz_kb } of chunks)
  console.log(`sallyport, split: ${file}${holdsWeights ? ' with the weights' : ''}, ${gz_kb} kB gzipped`);

if (core.holdsWeights || !full.holdsWeights || chunks[0].holdsWeights || !chunks.some((each) => each.holdsWeights))
  fail(
    'the weights are in the wrong file',
    'import packages/classifier/src/model/weights.ts dynamically, and only there',
  );

const measured = { 'house.bundle_gz_kb_core': core.gz_kb, 'house.bundle_gz_kb_full': full.gz_kb };
if (options.check) {
  const figures = JSON.parse(readFileSync(join(root, 'evals', 'figures.json'), 'utf8'));
  const wrong = Object.entries(measured).filter(
    ([id, value]) => !(Math.abs(value - figures[id]?.value) <= TOLERANCE * figures[id]?.value),
  );
  for (const [id, value] of wrong) console.error(`${id} is ${value} kB; evals/figures.json has ${figures[id]?.value}`);
  if (wrong.length > 0)
    fail(`${wrong.length} figures are off by more than 5 %`, 'run npm run bench -- bundle and commit the result');
} else if (!options.dry) {
  writeResult('bundle', { core, full, chunks });
  const figure = (value) => ({ value, unit: 'kB', command: 'npm run bench -- bundle' });
  writeFigures(Object.fromEntries(Object.entries(measured).map(([id, value]) => [id, figure(value)])));
}
console.log('OK - the weights are in a separate chunk');
