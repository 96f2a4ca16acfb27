// One replica of the gateway, as a process of its own: settings from the environment, its port on standard output.
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';

// Its threads, so that a test can kill one. Before the gateway is loaded, which takes the class from the module.
const workers = new Set();
threads.Worker = class extends threads.Worker {
  constructor(...given) {
    super(...given);
    workers.add(this);
    this.on('exit', () => workers.delete(this));
  }
};
syncBuiltinESMExports();
const { createGateway, createLog, readConfig } = await import('@sallyport/gateway');

// A clock that jumps when it is told to, as a machine's does that was asleep.
const now = Date.now;
let shift = 0;
Date.now = () => now() + shift;
process.on('SIGUSR2', () => {
  shift = shift === 0 ? Number(process.env.CLOCK_SHIFT ?? 0) : 0;
});

const gateway = createGateway({ config: { ...readConfig(process.env), port: 0 }, log: createLog('silent') });
const port = await gateway.listen();
console.log(JSON.stringify({ port }));
process.on('SIGTERM', async () => {
  await gateway.drain();
  process.exit(0);
});
// The longest time in which the event loop did nothing else, since the last question.
const EVERY = 5;
let [block, last] = [0, performance.now()];
setInterval(() => {
  const now = performance.now();
  block = Math.max(block, now - last - EVERY);
  last = now;
}, EVERY).unref();
// What it uses, for who asks: bytes, and milliseconds of processor since its start.
process.on('message', ({ kill }) => {
  if (kill === 'threads') {
    for (const worker of workers) worker.terminate();
    return;
  }
  globalThis.gc?.();
  const { rss, heapUsed: heap } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  process.send?.({ rss, heap, cpu: (user + system) / 1000, block });
  block = 0;
});
