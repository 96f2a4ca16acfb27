// One thread for one script in JavaScript.
import { parentPort, workerData } from 'node:worker_threads';
import { Machine } from './machine.ts';
import type { Order, Report } from './thread-messages.ts';
import type { WasmModule } from './wasm.ts';

const { module, memory } = workerData as { module: WasmModule; memory: number };
const tell = (report: Report): void => parentPort?.postMessage(report);
const machine = await Machine.create(module, memory, tell);
parentPort?.on('message', (order: Order) => {
  if (order.type === 'start') machine.start(order);
  else machine.answer(order);
});
tell({ type: 'ready' });
