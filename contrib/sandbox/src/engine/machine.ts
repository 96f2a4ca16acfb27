import { Intrinsics, type JSValueHandle, MAX_STACK_SIZE, QuickJS, type QuickJSOptions } from 'quickjs-wasi';
import { isDeep } from './depth.ts';
import { failure, type Reason, type ScriptEnd } from './engine.ts';
import { asFunction, GUEST, MAX_MESSAGE_LENGTH } from './guest.ts';
import type { Order, Report } from './thread-messages.ts';
import { type MachineMemory, wasiImports } from './wasi-host.ts';
import { type WasmModule, wasm } from './wasm.ts';

/** The engine calls the interrupt handler once in this number of steps. */
const STEPS_PER_TICK = 10_000;

/** Half of the engine's maximum: reporting an overflow needs stack too. */
const STACK_BYTES = MAX_STACK_SIZE / 2;

/** Without timers, without objects that reveal garbage collection, and without a compiler. */
const GUEST_INTRINSICS = Intrinsics.ALL & ~(Intrinsics.EVAL | Intrinsics.PERFORMANCE | Intrinsics.WEAK_REF);

const MAX_NAME_LENGTH = 64;
const UNSHOWN = 'threw something that cannot be shown';
/** The share of its memory at which a machine counts as full. */
const FULL_SHARE = 0.9;

/** Thrown through the engine to leave it at once. A script cannot catch it, and its machine is not used again. */
const STOP = new Error('stop');

const REASON_OF: readonly (readonly [RegExp, Reason])[] = [
  [/^InternalError: out of memory|wasm_malloc failed|^<null>/, 'memory'],
  [/^(?:InternalError|RangeError): (?:stack overflow|Maximum call stack size exceeded)/, 'stack'],
];

function failed(message: string, steps: number, otherwise: Reason): ScriptEnd {
  const reason = REASON_OF.find(([pattern]) => pattern.test(message))?.[1] ?? otherwise;
  if (reason !== 'threw' && reason !== 'syntax') return failure(reason, steps);
  return { status: 'failed', reason, message: message.slice(0, MAX_MESSAGE_LENGTH), steps };
}

/** The text of an error from the engine. Reading it may run code of the script, which may throw again. */
function textOf(error: unknown): string {
  try {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return text.replace(/^Error: (?:Compilation|Job execution) error: /, '');
  } catch {
    // The error's own getters threw: there is no text to keep.
    return UNSHOWN;
  }
}

/** Distinguishes a failure of the engine from one of the script. */
function isBreakdown(error: unknown): boolean {
  return error instanceof wasm.RuntimeError;
}

/** The JSON text from a machine, or undefined if it is too long, too deep or not valid. */
function jsonIn(text: JSValueHandle, maxBytes: number, isValid: (value: unknown) => boolean): string | undefined {
  if (text.length > maxBytes) return undefined;
  try {
    const json = text.toString();
    const isShort = Buffer.byteLength(json) <= maxBytes && !isDeep(json);
    return isShort && isValid(JSON.parse(json)) ? json : undefined;
  } catch {
    // Not JSON, or no memory to copy it. The caller turns undefined into a failure.
    return undefined;
  }
}

/** One QuickJS for one script. The script can reach one function of the host, which takes a name and JSON text. */
export class Machine {
  readonly #send: (report: Report) => void;
  readonly #compiler: QuickJS;
  readonly #vm: QuickJS;
  readonly #guest: JSValueHandle;
  readonly #memory: number;
  /** Bytes of memory that the machine has allocated. It never shrinks. */
  readonly #size: () => number;
  #order: Extract<Order, { type: 'start' }> | undefined;
  #end: ScriptEnd | undefined;
  #ticks = 0;
  #ran = 0;
  #since = 0;
  #calls = 0;
  #waiting = 0;
  #answers = 0;

  private constructor(
    send: (report: Report) => void,
    { compiler, vm, memory, size }: { compiler: QuickJS; vm: QuickJS; memory: number; size: () => number },
  ) {
    this.#send = send;
    this.#memory = memory;
    this.#size = size;
    this.#compiler = compiler;
    this.#vm = vm;
    const make = vm.evalBytecode(compiler.compile(GUEST, 'guest'));
    const call = vm.newFunction('call', (name, text) => this.#safely(() => this.#call(name, text)));
    const finish = vm.newFunction('finish', (ok, text) => this.#safely(() => this.#finish(ok, text)));
    this.#guest = vm.callFunction(make, vm.undefined, call, finish);
  }

  /** Creates two machines: one compiles the script, the other runs it and has no compiler. */
  static async create(module: WasmModule, memory: number, send: (report: Report) => void): Promise<Machine> {
    let machine: Machine | undefined;
    // The second machine, which runs the script, sets it last.
    let used: MachineMemory = { buffer: new ArrayBuffer(0) };
    const shared: QuickJSOptions = {
      wasm: module as unknown as QuickJSOptions['wasm'],
      memoryLimit: memory,
      maxStackSize: STACK_BYTES,
      timezoneOffset: 0,
      interruptHandler: () => (machine === undefined ? false : machine.#interrupt()),
      wasi: (own: MachineMemory) => {
        used = own;
        return wasiImports(() => (machine === undefined ? 0 : machine.#now), own);
      },
    };
    const compiler = await QuickJS.create(shared);
    const vm = await QuickJS.create({ ...shared, intrinsics: GUEST_INTRINSICS });
    machine = new Machine(send, { compiler, vm, memory, size: () => used.buffer.byteLength });
    return machine;
  }

  start(order: Extract<Order, { type: 'start' }>): void {
    this.#order = order;
    const vm = this.#vm;
    let bytecode: Uint8Array = new Uint8Array();
    this.#attempt('syntax', () => {
      bytecode = this.#compiler.compile(asFunction(order.source), 'script');
    });
    this.#compiler.dispose();
    this.#attempt('threw', () => {
      const given = [vm.newString(JSON.stringify(order.functions)), vm.newString(order.input)];
      vm.callFunction(this.#guest.getProp('start'), vm.undefined, vm.evalBytecode(bytecode), ...given);
      vm.executePendingJobs();
    });
    this.#report();
  }

  answer({ index, answer }: Extract<Order, { type: 'answer' }>): void {
    const vm = this.#vm;
    this.#waiting--;
    this.#answers++;
    this.#attempt('threw', () => {
      const given = [answer.ok ? vm.true : vm.false, vm.newString(answer.ok ? answer.json : answer.message)];
      vm.callFunction(this.#guest.getProp('settle'), vm.undefined, vm.newNumber(index), ...given);
      vm.executePendingJobs();
    });
    this.#report();
  }

  get #now(): number {
    return this.#order?.now ?? 0;
  }

  get #steps(): number {
    return this.#ticks * STEPS_PER_TICK;
  }

  /** Runs the engine. If it throws, the script has ended. */
  #attempt(otherwise: Reason, work: () => void): void {
    if (this.#end !== undefined) return;
    this.#since = performance.now();
    try {
      work();
    } catch (error) {
      this.#end ??= failed(textOf(error), this.#steps, isBreakdown(error) ? 'crashed' : otherwise);
    }
    this.#ran += performance.now() - this.#since;
  }

  #report(): void {
    const maximum = this.#order?.limits.time ?? 0;
    if (this.#ran > maximum) this.#end ??= failure('time', this.#steps);
    if (this.#waiting === 0) this.#end ??= failure('stuck', this.#steps);
    this.#send(
      this.#end === undefined
        ? { type: 'idle', ran: this.#ran, answers: this.#answers }
        : { type: 'end', end: this.#end },
    );
  }

  #interrupt(): boolean {
    this.#ticks++;
    const limits = this.#order?.limits;
    if (limits === undefined) return false;
    if (this.#steps > limits.steps) this.#end ??= failure('steps', this.#steps);
    else if (this.#ran + performance.now() - this.#since > limits.time) this.#end ??= failure('time', this.#steps);
    if (this.#end !== undefined) throw STOP;
    return false;
  }

  /** Never throws into the engine, which would expose our stack to the script. If memory is full, even reading a value throws. */
  #safely(work: () => JSValueHandle): JSValueHandle {
    try {
      if (this.#end === undefined) return work();
    } catch {
      // Only a full memory makes reading throw. The reason is the record of the error.
      this.#end ??= failure('memory', this.#steps);
    }
    return this.#vm.undefined;
  }

  #call(name: JSValueHandle | undefined, text: JSValueHandle | undefined): JSValueHandle {
    const order = this.#order;
    const called = name?.isString === true && name.length <= MAX_NAME_LENGTH ? name.toString() : '';
    // A script may reach this function directly, so the name is checked here.
    if (order === undefined || text?.isString !== true || !order.functions.includes(called))
      return this.#vm.newNumber(-1);
    const index = this.#calls++;
    if (index >= order.limits.calls) this.#end ??= failure('calls', this.#steps);
    else {
      this.#waiting++;
      const given = jsonIn(text, order.limits.argumentBytes, (value) => Array.isArray(value));
      this.#send({ type: 'call', call: { index, name: called, arguments: given } });
    }
    return this.#vm.newNumber(index);
  }

  #finish(ok: JSValueHandle | undefined, text: JSValueHandle | undefined): JSValueHandle {
    if (text?.isString !== true) return this.#vm.undefined;
    if (ok?.toBoolean() === true) this.#end = this.#endWith(text);
    else this.#end = this.#endBy(text.length > MAX_MESSAGE_LENGTH ? UNSHOWN : text.toString());
    return this.#vm.undefined;
  }

  /** The engine throws null if it has no memory left for an error. */
  #endBy(message: string): ScriptEnd {
    const isFull = this.#size() > FULL_SHARE * this.#memory;
    return message === 'threw null' && isFull ? failure('memory', this.#steps) : failed(message, this.#steps, 'threw');
  }

  #endWith(text: JSValueHandle): ScriptEnd {
    const maximum = this.#order?.limits.outputBytes ?? 0;
    if (text.length > maximum) return failure('output', this.#steps);
    const output = jsonIn(text, maximum, () => true);
    if (output !== undefined) return { status: 'done', output, steps: this.#steps };
    // Without memory to copy a text, the engine returns '<null>'.
    return failure(text.toString() === '<null>' ? 'memory' : 'output', this.#steps);
  }
}
