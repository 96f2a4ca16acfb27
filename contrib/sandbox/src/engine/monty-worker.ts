// The thread of one Python script.
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { Monty, MontyComplete, MontyError, type MontyNameLookup, MontySnapshot } from '@pydantic/monty';
import { isDeep } from './depth.ts';
import { failure, type Reason, type ScriptAnswer, type ScriptEnd } from './engine.ts';
import { MAX_MESSAGE_LENGTH } from './guest.ts';
import type { Order, Report } from './thread-messages.ts';

const { memory } = workerData as { memory: number };
const send = (report: Report): void => parentPort?.postMessage(report);

type Start = Extract<Order, { type: 'start' }>;
type Step = MontySnapshot | MontyNameLookup | MontyComplete;

/** The JSON of a Python value, whose dictionaries arrive as maps. A value without a JSON form is an error. */
function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (each instanceof Map) return Object.fromEntries(each);
    if (typeof each === 'number' && !Number.isFinite(each)) throw new TypeError('A number is not finite.');
    return each;
  });
}

const REASON_OF: Readonly<Record<string, Reason>> = {
  MemoryError: 'memory',
  RecursionError: 'stack',
  SyntaxError: 'syntax',
};

function failed(error: unknown): ScriptEnd {
  const { typeName, message } =
    error instanceof MontyError ? error.exception : { typeName: 'TypeError', message: 'The value is not JSON.' };
  // A script may raise a TimeoutError itself, with another message.
  if (typeName === 'TimeoutError' && message.startsWith('time limit exceeded')) return failure('time');
  const reason = REASON_OF[typeName] ?? 'threw';
  if (reason !== 'threw' && reason !== 'syntax') return failure(reason);
  return { status: 'failed', reason, message: `${typeName}: ${message}`.slice(0, MAX_MESSAGE_LENGTH), steps: 0 };
}

async function answerTo(index: number): Promise<ScriptAnswer> {
  for (;;) {
    const [order] = (await once(parentPort as NodeJS.EventEmitter, 'message')) as [Order];
    if (order.type === 'answer' && order.index === index) return order.answer;
  }
}

class PythonRun {
  readonly #order: Start;
  #calls = 0;
  #ran = 0;

  constructor(order: Start) {
    this.#order = order;
  }

  /** Runs the engine and measures the time. */
  #work<T>(work: () => T): T {
    const since = performance.now();
    try {
      return work();
    } finally {
      this.#ran += performance.now() - since;
    }
  }

  async play(): Promise<ScriptEnd> {
    const { source, input, limits } = this.#order;
    const given = {
      inputs: { input: JSON.parse(input) as unknown },
      limits: { maxMemory: memory, maxDurationSecs: limits.time / 1000, maxRecursionDepth: 200 },
    };
    let step: Step = this.#work(() => new Monty(source, { inputs: ['input'] }).start(given));
    while (!(step instanceof MontyComplete)) {
      if (step instanceof MontySnapshot && this.#calls >= limits.calls) return failure('calls');
      step = step instanceof MontySnapshot ? await this.#call(step) : this.#lookUp(step);
      if (this.#ran > limits.time) return failure('time');
    }
    const output = jsonOf(step.output ?? null);
    const isLong = Buffer.byteLength(output) > limits.outputBytes || isDeep(output);
    return isLong ? failure('output') : { status: 'done', output, steps: 0 };
  }

  #lookUp(step: MontyNameLookup): Step {
    return this.#work(() => step.resume());
  }

  async #call(step: MontySnapshot): Promise<Step> {
    const { functionName: name, args, kwargs } = step;
    if (!this.#order.functions.includes(name))
      return this.#work(() => step.resume({ exception: { type: 'NameError', message: 'There is no such function.' } }));
    const named = Object.keys(kwargs).length > 0 ? [kwargs] : [];
    const text = jsonOf([...args, ...named]);
    const index = this.#calls++;
    const isLong = Buffer.byteLength(text) > this.#order.limits.argumentBytes || isDeep(text);
    send({ type: 'call', call: { index, name, arguments: isLong ? undefined : text } });
    send({ type: 'idle', ran: this.#ran, answers: index });
    const answer = await answerTo(index);
    return this.#work(() =>
      step.resume(
        answer.ok
          ? { returnValue: JSON.parse(answer.json) as unknown }
          : { exception: { type: 'RuntimeError', message: answer.message } },
      ),
    );
  }
}

parentPort?.once('message', async (order: Start) => {
  try {
    send({ type: 'end', end: await new PythonRun(order).play() });
  } catch (error) {
    send({ type: 'end', end: failed(error) });
  }
});
send({ type: 'ready' });
