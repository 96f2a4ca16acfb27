// Measures framing, as a ratio to JSON.stringify of the same text in the same run: a ratio varies less than a time.
import * as core from '@sallyport/core';
import * as stages from '@sallyport/core/stages';
import { fail, readOptions } from '../tools/command.mjs';
import { writeFigures, writeResult } from '../tools/figures.mjs';

const options = readOptions(
  `
Measures framing (limit, quote with given spans, neutralize, frame) against JSON.stringify, and re-rendering a
conversation against joining strings that are already rendered. Prints the ratios; exit 1 when a text was classified twice.

  npm run bench -- core        measure, write evals/results/core.json and its figures
  npm run bench -- core --dry  write nothing
`,
  { dry: { type: 'boolean' } },
);

const LINE =
  'The quick brown fox jumps over the lazy dog, and the report of the third quarter (page 12) follows below.\n';
const ROUNDS = 15;
const GOALS = { frame: 3, rerender: 1.2 };
const key = stages.deriveKey(new Uint8Array(32).fill(1), 'bench');
const vocabulary = stages.vocabularyFor();
const outside = core.source('external', { name: 'web.fetch' });
const spans = [
  { start: 100, end: 220, likelihood: 'high', tag: 'role-override' },
  { start: 400, end: 460, likelihood: 'medium', tag: 'imperative' },
];
// A flat string each time: the first reader of a rope would pay for flattening it.
const textOf = (size) => Buffer.from(LINE.repeat(Math.ceil(size / LINE.length)).slice(0, size)).toString();
const median = (numbers) => numbers.sort((one, other) => one - other)[Math.floor(numbers.length / 2)];

function time(work, count) {
  const start = process.hrtime.bigint();
  let kept = 0;
  for (let index = 0; index < count; index++) kept += work().length;
  return { nanoseconds: Number(process.hrtime.bigint() - start) / count, kept };
}

/** Runs the two alternately for many rounds, so that noise affects both; returns the median of the rounds' ratios. */
function compare(work, baseline, count) {
  time(work, count);
  time(baseline, count);
  const rounds = Array.from({ length: ROUNDS }, () => {
    const base = time(baseline, count).nanoseconds;
    const own = time(work, count).nanoseconds;
    return { base, own, ratio: own / base };
  });
  return {
    ratio: Number(median(rounds.map(({ ratio }) => ratio)).toFixed(2)),
    microseconds: Number((median(rounds.map(({ own }) => own)) / 1000).toFixed(1)),
    baseline: Number((median(rounds.map(({ base }) => base)) / 1000).toFixed(1)),
  };
}

function frameWork(text) {
  const recorded = stages.record({ id: 'r', source: outside, content: text });
  const verdicts = [{ type: 'checked', spans }];
  const limits = { maxBytes: 2_000_000 };
  return () =>
    stages.frame(stages.quote(stages.classifyWith(stages.limit(recorded, limits), verdicts), vocabulary), key).text;
}

const framing = {};
for (const [name, size] of [
  ['1 KB', 1000],
  ['10 KB', 10_000],
  ['100 KB', 100_000],
  ['1 MB', 1_000_000],
]) {
  const text = textOf(size);
  framing[name] = compare(frameWork(text), () => JSON.stringify(text), Math.max(5, Math.round(3_000_000 / size)));
  const { ratio, microseconds, baseline } = framing[name];
  console.log(`framing ${name.padStart(6)}: ${ratio} x JSON.stringify (${microseconds} us against ${baseline} us)`);
}

let classified = 0;
const classifier = {
  specificationVersion: 'v1',
  id: 'counting',
  doClassify: () => {
    classified++;
    return { spans: [] };
  },
};
const conversation = core.createBoundary({ key: new Uint8Array(32), classifier }).conversation('bench');
for (let index = 0; index < 200; index++)
  conversation.addContent({ id: `call-${index}`, source: outside, content: `${index} ${textOf(10_000)}` });
const first = await conversation.request();
const expected = first.text;
const before = classified;
const strings = [first.system, ...first.entries.map(({ framed }) => framed.text)];
const rounds = [];
async function timed(work) {
  const start = process.hrtime.bigint();
  const text = await work();
  const nanoseconds = Number(process.hrtime.bigint() - start);
  if (text !== expected) fail('two renderings differ', 'framing must be deterministic');
  return nanoseconds;
}
const join = () => strings.join('\n\n');
const render = async () => (await conversation.request()).text;
// Alternately and in changing order: the second one pays for the garbage of the first.
for (let round = 0; round < ROUNDS * 6; round++) {
  const isFirst = round % 2 === 0;
  const early = await timed(isFirst ? join : render);
  const late = await timed(isFirst ? render : join);
  rounds.push(isFirst ? { base: early, own: late } : { base: late, own: early });
}
const rerender = Number((median(rounds.map(({ own }) => own)) / median(rounds.map(({ base }) => base))).toFixed(2));
console.log(
  `re-rendering 200 records of 10 KB: ${rerender} x joining the rendered strings, ${classified - before} new classifications`,
);
if (classified !== before) fail(`${classified - before} texts were classified twice`, 'the verdict cache is broken');

const frameRatio = framing['10 KB'].ratio;
if (!options.dry) {
  writeResult('core', { goals: GOALS, framing, rerender, newClassifications: classified - before });
  const command = 'npm run bench -- core';
  writeFigures({
    'core.frame_ratio_10kb': { value: frameRatio, unit: 'x JSON.stringify', command },
    'core.rerender_ratio': { value: rerender, unit: 'x joining strings', command },
  });
}
console.log(`goal for 10 KB: at most ${GOALS.frame} x, ${frameRatio <= GOALS.frame ? 'reached' : 'missed'}`);
console.log(`goal for re-rendering: at most ${GOALS.rerender} x, ${rerender <= GOALS.rerender ? 'reached' : 'missed'}`);
