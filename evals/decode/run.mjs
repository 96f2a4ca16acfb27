// Runs every disguise and every pair of them against the gate, and counts where it does not find what the classifier reads.
import { endProgress, fail, progress, readOptions, runNode } from '../../tools/command.mjs';
import { writeFigures, writeResult } from '../../tools/figures.mjs';
import { COMBINATIONS, makeCase, nameOf, playCase } from './disagreements.mjs';

const options = readOptions(
  `
Writes instructions in every disguise of evals/spans/disguises.mjs and in every pair of them, reads them with the span classifier,
and asks the gate where the values of the flagged ranges come from. Exit 1 when one of them counts as the model's own, or as
content in which nothing was flagged.

  npm run eval -- decode            20 cases for each; writes evals/results/decode.json and its figures
  npm run eval -- decode --cases 5  fewer; writes nothing
  npm run eval -- decode --seed 7   other cases; writes nothing
`,
  { cases: { type: 'string' }, seed: { type: 'string' } },
);

const cases = Number(options.cases ?? 20);
const seed = Number(options.seed ?? 1);
if (!Number.isSafeInteger(cases) || cases < 1)
  fail(`--cases must be a whole number of at least 1; received ${options.cases}`, 'use --cases 20', 2);
if (!Number.isSafeInteger(seed) || seed < 0)
  fail(`--seed must be a whole number; received ${options.seed}`, 'use --seed 7', 2);
const { code, output } = await runNode('node_modules/typescript/bin/tsc', ['-b', 'packages/sallyport']);
if (code !== 0) fail(`the packages do not compile:\n${output}`, 'run npm run typecheck', 2);
const { createBoundary, defineTool, findSpans, source } = await import('sallyport');
const { readView, textWithin } = await import('@sallyport/decode');
const parts = { createBoundary, defineTool, findSpans, source, readView, textWithin };

/** The same numbers on every machine (mulberry32). */
function randomFrom(start) {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = randomFrom(seed);
const rows = [];
const problems = [];
for (const [index, combination] of COMBINATIONS.entries()) {
  const name = nameOf(combination);
  progress(`${index + 1}/${COMBINATIONS.length} ${name}`);
  const row = { name, cases, flagged: 0, values: 0, disagreements: 0 };
  for (let played = 0; played < cases; played++) {
    const result = await playCase(makeCase(combination, random), parts);
    if (result.isFlagged) row.flagged++;
    row.values += result.values;
    row.disagreements += result.disagreements.length;
    problems.push(...result.disagreements.map((each) => `${name}: ${each}`));
  }
  rows.push(row);
}
endProgress();

const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
if (sum('values') === 0)
  fail('no value was read in a flagged range: the check itself is broken', 'inspect one case', 2);
const read = rows.filter(({ values }) => values > 0).length;
if (options.cases === undefined && options.seed === undefined) {
  const command = 'npm run eval -- decode';
  writeResult('decode', { command, seed, disguises: rows });
  writeFigures({
    'decode.disguises': { value: COMBINATIONS.length, unit: 'disguises, alone and in pairs', command },
    'decode.disagreements': { value: problems.length, unit: 'values', command },
  });
}
for (const problem of problems.slice(0, 20)) console.error(problem);
if (problems.length > 0)
  fail(
    `${problems.length} values of flagged text are not traced to it`,
    'make the ledger read the layer that contains them',
  );
console.log(
  `OK - ${COMBINATIONS.length} disguises, alone and in pairs; ${sum('flagged')} of ${COMBINATIONS.length * cases} texts flagged; ` +
    `${sum('values')} values read in flagged text (in ${read} disguises), all of them traced to it`,
);
