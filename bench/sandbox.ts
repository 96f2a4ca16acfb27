// Measures the fixed cost of a script: cold, warm and per call, relative to a bare worker and the bare engine in the same run.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { QuickJS } from 'quickjs-wasi';
import { DEFAULT_LIMITS, quickjsEngine, type ScriptEngine } from '../contrib/sandbox/src/index.ts';
import { fail, progress, readOptions } from '../tools/command.mjs';
import { writeFigures, writeResult } from '../tools/figures.mjs';

const options = readOptions(
  `
Measures how long the sandbox takes from a script to its value: with a new engine (cold), with a thread that is ready
(warm), and per call of a function. Alternately with its baselines: a bare worker from its start to its first message, the bare
engine from a new machine to a value, and a message to a bare worker and back. Prints the ratios.

  npm run bench -- sandbox        measure, write evals/results/sandbox.json and its figures
  npm run bench -- sandbox --dry  write nothing
`,
  { dry: { type: 'boolean' } },
);

const ROUNDS = 15;
const CALLS = 500;
const limits = { ...DEFAULT_LIMITS, calls: CALLS + 1, steps: 1_000_000_000 };
const ECHO = `const { parentPort } = require('node:worker_threads');
parentPort.on('message', (message) => parentPort.postMessage(message));
parentPort.postMessage('ready');`;
const LOOP = `for (let count = 0; count < ${CALLS}; count++) await echo(count); return 1;`;
const wasmFile = createRequire(new URL('../contrib/sandbox/src/index.ts', import.meta.url)).resolve(
  'quickjs-wasi/quickjs.wasm',
);
const wasm = await (
  globalThis as unknown as { WebAssembly: { compile(bytes: Uint8Array): Promise<never> } }
).WebAssembly.compile(readFileSync(wasmFile));

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function runOn(engine: ScriptEngine, source: string): Promise<void> {
  const call = async ({ arguments: given = '[]' }: { arguments: string | undefined }) => ({
    ok: true as const,
    json: given,
  });
  const end = await engine.run({ source, input: 'null', functions: ['echo'], limits, now: 0, call });
  if (end.status !== 'done') fail(`a script did not end: ${JSON.stringify(end)}`, 'run the tests of contrib/sandbox');
}

async function cold(): Promise<number> {
  const engine = quickjsEngine({ spare: 0 });
  const spent = await milliseconds(() => runOn(engine, 'return 1'));
  await engine.close();
  return spent;
}

const ready = quickjsEngine({ spare: 1 });

async function warm(): Promise<number> {
  await pause(250);
  return milliseconds(() => runOn(ready, 'return 1'));
}

async function perCall(): Promise<number> {
  await pause(250);
  const start = await milliseconds(() => runOn(ready, 'return 1'));
  await pause(250);
  return ((await milliseconds(() => runOn(ready, LOOP))) - start) / CALLS;
}

async function bareWorker(): Promise<number> {
  let worker: Worker | undefined;
  const spent = await milliseconds(async () => {
    worker = new Worker(ECHO, { eval: true });
    await once(worker, 'message');
  });
  await worker?.terminate();
  return spent;
}

async function bareMessage(): Promise<number> {
  const worker = new Worker(ECHO, { eval: true });
  await once(worker, 'message');
  const spent = await milliseconds(async () => {
    for (let count = 0; count < CALLS; count++) {
      worker.postMessage({ type: 'answer', index: count, json: '[1]' });
      await once(worker, 'message');
    }
  });
  await worker.terminate();
  return spent / CALLS;
}

async function bareEngine(): Promise<number> {
  return milliseconds(async () => {
    const vm = await QuickJS.create({ wasm, memoryLimit: limits.memory });
    vm.evalCode('1').dispose();
    vm.dispose();
  });
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
const WORKS = { cold, warm, perCall, bareWorker, bareMessage, bareEngine };
const rounds: Record<keyof typeof WORKS, number>[] = [];
for (const work of Object.values(WORKS)) await work();
for (let round = 0; round < ROUNDS; round++) {
  progress(`[${round + 1}/${ROUNDS}] rounds`);
  const spent: Partial<Record<keyof typeof WORKS, number>> = {};
  for (const [name, work] of Object.entries(WORKS)) spent[name as keyof typeof WORKS] = await work();
  rounds.push(spent as Record<keyof typeof WORKS, number>);
}
await ready.close();

const ratio = (one: keyof typeof WORKS, other: keyof typeof WORKS): number =>
  Number(median(rounds.map((round) => round[one] / round[other])).toFixed(2));
const result = {
  rounds: ROUNDS,
  milliseconds: Object.fromEntries(
    Object.keys(WORKS).map((name) => [
      name,
      Number(median(rounds.map((round) => round[name as keyof typeof WORKS])).toFixed(3)),
    ]),
  ),
  ratios: {
    coldToBareWorker: ratio('cold', 'bareWorker'),
    coldToBareEngine: ratio('cold', 'bareEngine'),
    warmToBareWorker: ratio('warm', 'bareWorker'),
    warmToBareEngine: ratio('warm', 'bareEngine'),
    callToBareMessage: ratio('perCall', 'bareMessage'),
  },
};
console.log(JSON.stringify(result, null, 2));
if (!options.dry) {
  writeResult('sandbox', result);
  const command = 'npm run bench -- sandbox';
  writeFigures({
    'sandbox.cold_ratio': { value: result.ratios.coldToBareWorker, unit: 'x a bare worker', command },
    'sandbox.warm_ratio': { value: result.ratios.warmToBareEngine, unit: 'x the bare engine', command },
    'sandbox.call_ratio': {
      value: result.ratios.callToBareMessage,
      unit: 'x a message to a bare worker and back',
      command,
    },
  });
}
