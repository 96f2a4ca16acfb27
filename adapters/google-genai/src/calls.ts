import type { FunctionCall } from '@google/genai';
import {
  type CallTurn,
  canonicalJson,
  digestText,
  type Fields,
  isFields,
  nonEmptyStringOf,
} from '@sallyport/core/adapter';
import { copyOf } from './copy.ts';

/** The arguments of a call as one object, whatever form the model gave them. */
function argumentsOf({ args, partialArgs }: Fields): Fields {
  if (isFields(args)) return args;
  const given = args ?? partialArgs;
  return given === undefined || given === null ? {} : { input: given };
}

interface ReadCall {
  readonly tool: string;
  readonly arguments: Fields;
  /** Tool and arguments as one text. It does not depend on the order of keys, which storage may change. */
  readonly kind: string;
}

function readCall(call: Fields): ReadCall {
  const tool = nonEmptyStringOf(call.name) ?? 'unnamed';
  const given = argumentsOf(call);
  return { tool, arguments: given, kind: canonicalJson([tool, given]) };
}

/** Gives ids to calls without one: a digest of the call's kind, and its count in the history. */
class CallIds {
  readonly #counts: Map<string, number>;

  constructor(counts: ReadonlyMap<string, number> = new Map()) {
    this.#counts = new Map(counts);
  }

  /** The number of calls of each kind, without some calls at the end. */
  without(kinds: readonly string[]): ReadonlyMap<string, number> {
    const counts = new Map(this.#counts);
    for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) - 1);
    return counts;
  }

  /** The id of a call. A call with its own id is counted too, because some servers give ids to some calls only. */
  idOf({ id }: Fields, kind: string): string {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    return nonEmptyStringOf(id) ?? `call-${digestText(kind).slice(0, 32)}-${count}`;
  }
}

/** Calls with one id or of one tool, in order, and how many of them need not be checked again. */
interface CallQueue {
  readonly calls: CallTurn[];
  passed: number;
}

/** The calls of a turn that wait for their results. */
class OpenCalls {
  readonly #byId = new Map<string, CallQueue>();
  readonly #byTool = new Map<string, CallQueue>();
  readonly #answered = new Set<CallTurn>();

  add(call: CallTurn): void {
    for (const [queues, name] of [[this.#byId, call.id] as const, [this.#byTool, call.tool] as const]) {
      const queue = queues.get(name) ?? { calls: [], passed: 0 };
      queue.calls.push(call);
      queues.set(name, queue);
    }
  }

  takeOfId(id: string): CallTurn | undefined {
    return this.#take(this.#byId.get(id));
  }

  takeOfTool(tool: string): CallTurn | undefined {
    return this.#take(this.#byTool.get(tool));
  }

  /** The first call of a queue that has no result yet. */
  #take(queue: CallQueue | undefined): CallTurn | undefined {
    while (queue !== undefined && queue.passed < queue.calls.length) {
      const call = queue.calls[queue.passed++] as CallTurn;
      if (this.#answered.has(call)) continue;
      this.#answered.add(call);
      return call;
    }
    return undefined;
  }
}

/** The calls of one history, in order. Finds the call of each result. */
export class Calls {
  readonly #ids = new CallIds();
  readonly #tools = new Map<string, string>();
  #open = new OpenCalls();
  // The kinds of the calls in the turn that may still be answered.
  #kinds: string[] = [];
  #isModels = false;
  #strayCount = 0;

  /** Starts the next message. Consecutive messages of the model, as a stream leaves them, are one turn. */
  next(isModels: boolean): void {
    if (isModels && !this.#isModels) {
      this.#open = new OpenCalls();
      this.#kinds = [];
    }
    this.#isModels = isModels;
  }

  call(fields: Fields): CallTurn {
    const { tool, arguments: given, kind } = readCall(fields);
    const turn: CallTurn = { type: 'call', id: this.#ids.idOf(fields, kind), tool, arguments: given };
    this.#tools.set(turn.id, tool);
    this.#open.add(turn);
    this.#kinds.push(kind);
    return turn;
  }

  /** The call of a result. Whatever name the result has, its source is the tool that was called. */
  answered({ id: given, name }: Fields): { readonly id: string; readonly tool: string | undefined } {
    const own = nonEmptyStringOf(given);
    const isKnown = own !== undefined && this.#tools.has(own);
    const call = isKnown ? this.#open.takeOfId(own) : this.#open.takeOfTool(nonEmptyStringOf(name) ?? '');
    const id = (isKnown ? own : call?.id) ?? own ?? `stray-${++this.#strayCount}`;
    return { id, tool: this.#tools.get(id) ?? nonEmptyStringOf(name) };
  }

  /** The number of calls of each kind before the turn that may still be answered. */
  get settled(): ReadonlyMap<string, number> {
    return this.#ids.without(this.#isModels ? this.#kinds : []);
  }
}

/** A copy of a call that is checked and then made. No other code has a reference to it, so what runs is what was checked. */
export interface CopiedCall {
  readonly call: FunctionCall;
  readonly turn: CallTurn;
}

/** The calls in the reply to a request. They get the ids that they will have in the history. */
export class ReplyCalls {
  #ids = new CallIds();
  // The SDK passes the calls of one turn to every tool, and each call is the same object each time.
  readonly #assigned = new WeakMap<object, { readonly key: string; readonly id: string }>();

  after(settled: ReadonlyMap<string, number>): void {
    this.#ids = new CallIds(settled);
  }

  copy(given: FunctionCall): CopiedCall {
    const call = copyOf(given) as FunctionCall & Fields;
    const { tool, arguments: args, kind } = readCall(call);
    // An object that was changed since is another call.
    const key = `${kind} ${call.id}`;
    const assigned = this.#assigned.get(given);
    const id = assigned?.key === key ? assigned.id : this.#ids.idOf(call, kind);
    this.#assigned.set(given, { key, id });
    return { call, turn: { type: 'call', id, tool, arguments: args } };
  }
}
