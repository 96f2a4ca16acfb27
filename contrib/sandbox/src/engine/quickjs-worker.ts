// The thread of one JavaScript script.
import { parentPort, workerData } from 'node:worker_threads';
import { Machine } from './machine.ts';
import type { Order, Report } from './thread-messages.ts';
import type { WasmModule } from './wasm.ts';

const { module, memory } = workerData as { module: WasmModule; memory: number };
const send = (report: Report): void => parentPort?.postMessage(report);
const machine = await Machine.create(module, memory, send);
parentPort?.on('message', (order: Order) => {
  if (order.type === 'start') machine.start(order);
  else machine.answer(order);
});
send({ type: 'ready' });
