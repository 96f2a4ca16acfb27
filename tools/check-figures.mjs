// The figures that documents may quote: all there, all measured by a command that exists, all within what is promised.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, readOptions, root } from './command.mjs';

readOptions(`
Checks evals/figures.json: every expected figure is there, is a number, names an npm script that measures it again
and the day it was measured, and lies within its bounds.

  node tools/check-figures.mjs
`);

const promises = {
  'core.coverage_branches': ['>= 95', (value) => value >= 95],
  'core.coverage_lines': ['>= 95', (value) => value >= 95],
  'core.frame_ratio_10kb': ['> 0', (value) => value > 0],
  'core.packed_kb': ['> 0', (value) => value > 0],
  'core.rerender_ratio': ['> 0', (value) => value > 0],
  'fuzz.cases': ['>= 10000000', (value) => value >= 10_000_000],
  'fuzz.violations': ['== 0', (value) => value === 0],
  'linear.worst_ms_1mb': ['< 1000', (value) => value < 1000],
  'mutate.killed': ['== mutate.total', (value, figures) => value === figures['mutate.total']?.value],
  'mutate.total': ['>= 25', (value) => value >= 25],
};

const file = join(root, 'evals', 'figures.json');
if (!existsSync(file))
  fail('evals/figures.json does not exist', 'run npm run coverage, pack:check, mutate and the others');
const figures = JSON.parse(readFileSync(file, 'utf8'));
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const tomorrow = Date.now() + 86_400_000;

function* problemsOf(id) {
  const { value, unit, command, measured } = figures[id];
  if (typeof value !== 'number' || !Number.isFinite(value)) yield `${id} is not a number`;
  if (typeof unit !== 'string' || unit === '') yield `${id} has no unit`;
  if (!/^\d{4}-\d\d-\d\d/.test(measured) || !(Date.parse(measured) < tomorrow))
    yield `${id} has no date of measurement`;
  const script = /^npm (?:run )?([\w:-]+)/.exec(command ?? '')?.[1];
  if (!script) yield `${id} names no npm script: ${command}`;
  else if (!Object.hasOwn(scripts, script)) yield `${id} names npm script ${script}, which package.json does not have`;
  const [bound, holds] = promises[id] ?? ['', () => true];
  if (!holds(value, figures)) yield `${id} is ${value}, but should be ${bound}`;
}

const ids = Object.keys(figures);
const missing = Object.keys(promises).filter((id) => !Object.hasOwn(figures, id));
const problems = [...missing.map((id) => `${id} is missing`), ...ids.flatMap((id) => [...problemsOf(id)])];
for (const problem of problems) console.error(problem);
if (problems.length > 0)
  fail(`${problems.length} problems`, 'run the npm script that measures the figure, and commit the file');
console.log(`OK - ${ids.length} figures are measured and within their bounds`);
