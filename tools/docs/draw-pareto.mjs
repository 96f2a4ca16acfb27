// Draws the policies of evals/results/pareto.json.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, readOptions, root } from '../command.mjs';
import { drawScatter } from './draw/scatter.mjs';

const options = readOptions(
  `
Draws docs/pareto.svg from evals/results/pareto.json, which npm run eval -- pareto writes: for each policy of the gate, the
attacks that get through and the harmless conversations without a needless question.

  node tools/docs/draw-pareto.mjs           writes the picture
  node tools/docs/draw-pareto.mjs --check   writes nothing, and exits 1 when the committed picture is stale
`,
  { check: { type: 'boolean' } },
);

const FILE = 'docs/pareto.svg';
const RESULT = 'evals/results/pareto.json';

if (!existsSync(join(root, RESULT))) fail(`${RESULT} is missing`, 'run npm run eval -- pareto', 2);
const drawn = drawScatter(JSON.parse(readFileSync(join(root, RESULT), 'utf8')));
const file = join(root, FILE);
if (options.check) {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== drawn)
    fail(`stale: ${FILE}`, 'run node tools/docs/draw-pareto.mjs and look at the picture');
  console.log(`OK - ${FILE} is up to date`);
} else {
  writeFileSync(file, drawn);
  console.log(`OK - ${FILE} written`);
}
