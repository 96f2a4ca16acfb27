// The evaluation with a live agent: reads the options, runs, writes the result, the figures and the report.
import { readFileSync, writeFileSync } from 'node:fs';
import { fail, readOptions, root } from '../../../tools/command.mjs';
import { writeFigures, writeResult } from '../../../tools/figures.mjs';
import { reportPage } from '../report/page.ts';
import { checkResult } from './check.ts';
import { evaluate } from './evaluate.ts';
import { type Given, HELP, OPTIONS, type Options, readLiveOptions } from './options.ts';
import { figuresOf, type LiveResult, resultOf } from './result.ts';
import { summaryOf } from './summary.ts';

const given = readOptions(HELP, OPTIONS) as Given;
const fileOf = (name: string): string => `${root}/evals/results/live-${name}.json`;
const load = (file: string): LiveResult => JSON.parse(readFileSync(file, 'utf8')) as LiveResult;

async function measured(options: Options): Promise<LiveResult> {
  const result = resultOf(options, await evaluate(options));
  if (given.dry) return result;
  writeResult(`live-${options.name}`, result);
  const isWhole = options.tasks ?? options.attacks ?? options.wordings ?? given.limit ?? given.adaptive;
  if (options.model === 'scripted' && options.preset === 'balanced' && isWhole === undefined)
    writeFigures(figuresOf(result));
  return load(fileOf(options.name));
}

async function main(): Promise<void> {
  if (given.check) {
    const problems = await checkResult(load(fileOf('scripted')));
    if (problems.length > 0) fail(problems.join('\n       '), 'run npm run eval -- live, and commit the result');
    return console.log('OK - the scripted model does what evals/results/live-scripted.json says');
  }
  const result = typeof given.from === 'string' ? load(given.from) : await measured(readLiveOptions(given));
  console.log(summaryOf(result));
  if (typeof given.report === 'string') writeFileSync(given.report, reportPage(result));
}

try {
  await main();
} catch (error) {
  fail(error instanceof Error ? error.message : String(error), 'see npm run eval -- live --help', 2);
}
