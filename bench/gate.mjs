// Measures the cost of checking a call after much has been read, and the cost of reading.
import * as core from '@sallyport/core';
import { fail, readOptions } from '../tools/command.mjs';
import { writeFigures, writeResult } from '../tools/figures.mjs';
import { measureShapes } from './gate-arguments.mjs';
import { numbersFrom } from './gate-shapes.mjs';

const options = readOptions(
  `
Measures CPU time to add and frame content (per megabyte), and to record and check a call with 50 arguments, after 100 KB, 1 MB
and 10 MB of content. Reading must not grow faster than the text, checking must grow more slowly. Then measures the CPU time to
record and check a call with one hostile argument of 64 kB, of 100,000 members or nested 1,000 deep, in several tools and both
presets, after 120 kB were read and the user wrote (bench/gate-shapes.mjs). The worst must not take more than 50 ms, and no
argument more than about twice as long as half of it. Exit 1 otherwise.

  npm run bench -- gate        measure, write evals/results/gate.json and its figures
  npm run bench -- gate --dry  write nothing
`,
  { dry: { type: 'boolean' } },
);

const RECORD = 100_000;
const SIZES = [100_000, 1_000_000, 10_000_000];
const ROUNDS = 61;
const ARGUMENTS = 50;
const median = (numbers) => numbers.sort((one, other) => one - other)[Math.floor(numbers.length / 2)];

// Words with a natural frequency: a few very often, most rarely.
const next = numbersFrom(7);
const VOCABULARY = Array.from({ length: 20_000 }, (_, index) => `w${index.toString(36)}`);
const word = () => VOCABULARY[Math.min(next(20_000), next(20_000), next(20_000))];

function recordText(place) {
  const parts = [];
  for (let length = 0; length < RECORD; length += parts.at(-1).length + 1)
    parts.push(
      next(40) === 0
        ? `Order ORDER-${place}-${parts.length} costs ${next(9000)}.99 at shop${next(500)}.example.`
        : word(),
    );
  return parts.join(' ').slice(0, RECORD);
}

async function cpu(work) {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

const tool = core.defineTool({ name: 'book', origin: 'workspace', effect: 'spend', modelText: ['note'] });
const shop = core.defineTool({ name: 'shop', origin: 'external', effect: 'read' });
const classifier = {
  specificationVersion: 'v1',
  id: 'none',
  doClassify: () => ({ spans: [{ start: 10, end: 90, likelihood: 'high', tag: 'imperative' }] }),
};

/** Values of calls: ids, amounts, addresses and prose from the content, and words that occur nowhere. */
function argumentsFrom(texts) {
  return Object.fromEntries(
    Array.from({ length: ARGUMENTS }, (_, index) => {
      const text = texts[next(texts.length)];
      const at = next(text.length - 200);
      const value = [
        () => /ORDER-\d+-\d+/.exec(text.slice(at))?.[0] ?? 'ORDER-1',
        () => text.slice(at, at + 60),
        () => `https://shop${next(500)}.example/items?id=${next(9000)}`,
        () => `Thank you for ${word()}, ${word()} and all the ${word()}.`,
        () => `${next(9000)}.99`,
      ][index % 5]();
      return [`argument${index}`, value];
    }),
  );
}

async function measure(size) {
  const boundary = core.createBoundary({
    key: new Uint8Array(32),
    tools: [tool, shop],
    classifier,
    limits: { maxBytes: 200_000 },
  });
  const conversation = boundary.conversation('bench');
  const texts = Array.from({ length: size / RECORD }, (_, place) => recordText(place));
  conversation.addContent({ source: core.source('user'), content: 'Book two of them for anna@home.example.' });
  for (const [index, text] of texts.entries())
    conversation.addToolResult({ id: `call-${index}`, tool: 'shop', content: text });
  const start = process.cpuUsage();
  await conversation.request();
  const { user, system } = process.cpuUsage(start);
  const calls = Array.from({ length: ROUNDS }, () => argumentsFrom(texts));
  const times = [];
  for (const [index, given] of calls.entries()) {
    const check = () =>
      conversation.check(conversation.recordCall({ id: `c${size}-${index}`, tool: 'book', arguments: given }));
    times.push(await cpu(check));
  }
  return { readMs: Math.round((user + system) / 1000), judgeMs: Number(median(times).toFixed(2)) };
}

await measure(SIZES[0]);
const measured = {};
for (const size of SIZES) {
  measured[size] = await measure(size);
  const { readMs, judgeMs } = measured[size];
  console.log(
    `${(size / 1e6).toFixed(1).padStart(5)} MB: read and framed in ${readMs} ms CPU, a call of ${ARGUMENTS} arguments checked in ${judgeMs} ms CPU`,
  );
}

const [small, middle, large] = SIZES.map((size) => measured[size]);
const growth = {
  // Above 1 means faster than the text; small sizes include fixed costs.
  read: Number((large.readMs / (10 * middle.readMs)).toFixed(2)),
  judge: Number((large.judgeMs / (100 * small.judgeMs)).toFixed(2)),
};
console.log(`growth: reading ${growth.read} of linear, checking ${growth.judge} of linear`);
const shapes = await measureShapes();
for (const { shape, place, preset, ms, growth: by } of shapes.slice(0, 10))
  console.log(
    `${ms.toFixed(1).padStart(7)} ms  ${shape} in ${place}, ${preset}${by === undefined ? '' : `, ${by} times half of it`}`,
  );
const [worst] = shapes;
const steepest = shapes.filter((each) => each.growth !== undefined).sort((one, other) => other.growth - one.growth)[0];
console.log(
  `worst argument ${worst.ms} ms, steepest growth ${steepest.growth} (${steepest.shape} in ${steepest.place})`,
);
if (!options.dry) {
  writeResult('gate', { arguments: ARGUMENTS, sizes: measured, growth, shapes });
  const command = 'npm run bench -- gate';
  writeFigures({
    'gate.ms_per_call_10mb': { value: large.judgeMs, unit: 'ms CPU', command },
    'gate.worst_argument_ms': { value: worst.ms, unit: 'ms CPU', command },
    'gate.hostile_arguments': { value: shapes.length, unit: 'shapes', command },
  });
}
if (growth.read > 1.5 || growth.judge > 0.5)
  fail(
    `the cost grows faster than allowed: read ${growth.read} (at most 1.5), check ${growth.judge} (at most 0.5)`,
    'profile packages/core/src/provenance/ledger.ts with the texts of this file',
  );
if (worst.ms > 50 || steepest.growth > 2.6)
  fail(
    `a hostile argument costs too much: ${worst.shape} in ${worst.place} ${worst.ms} ms (at most 50), growth ${steepest.growth} of ${steepest.shape} (at most 2.6)`,
    'profile it with node --cpu-prof, and charge the work in packages/core/src/provenance/effort.ts',
  );
console.log('OK');
