// Runs streams by their numbers.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { Stream } from './stream.mjs';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const SAMPLED = 25;
/** Megabytes that a stream may keep more at its end than at its half. */
const MAX_GROWTH = 24;

function heap() {
  collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

let current;
let streams = 0;
process.on('unhandledRejection', (error) => {
  current?.violations.push({
    rule: 'exception',
    detail: `unhandled: ${error?.stack ?? error}`,
    message: current.messages,
    line: '',
  });
});

async function runOne(number) {
  current = new Stream(workerData.seed, number);
  await current.run(heap);
  const { messages, kinds, counts, violations, samples } = current;
  const [, half, , end] = samples;
  if (end - half > MAX_GROWTH)
    violations.push({
      rule: 'memory',
      detail: `${samples.map(Math.round).join(', ')} MB`,
      message: messages,
      line: '',
    });
  current = undefined;
  const memory = ++streams % SAMPLED === 0 ? heap() : undefined;
  return { number, messages, kinds, counts, violations, memory };
}

parentPort.on('message', async (number) => parentPort.postMessage(await runOne(number)));
parentPort.postMessage({ ready: true });
