import type { FunctionCall } from '@google/genai';
import { type CallTurn, canonicalJson, digestText } from '@sallyport/core/adapter';
import { copyOf } from './copy.ts';
import { type Fields, isFields, textOf } from './part.ts';

/** What a call hands to its tool, as one object whatever the model made of it. */
function argumentsOf({ args, partialArgs }: Fields): Fields {
  if (isFields(args)) return args;
  const given = args ?? partialArgs;
  return given === undefined || given === null ? {} : { input: given };
}

interface Said {
  readonly tool: string;
  readonly arguments: Fields;
  /** What is called with what. Storage may change the order of keys; what a call is does not depend on it. */
  readonly kind: string;
}

function saidBy(call: Fields): Said {
  const tool = textOf(call.name) ?? 'unnamed';
  const given = argumentsOf(call);
  return { tool, arguments: given, kind: digestText(canonicalJson([tool, given])).slice(0, 32) };
}

/** Gives ids to calls that came without: what is called with what, and the how many-th time in the history that is. */
class Numbers {
  readonly #counts: Map<string, number>;

  constructor(counts: ReadonlyMap<string, number> = new Map()) {
    this.#counts = new Map(counts);
  }

  /** How often what was called, but for some calls at the end. */
  without(kinds: readonly string[]): ReadonlyMap<string, number> {
    const counts = new Map(this.#counts);
    for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) - 1);
    return counts;
  }

  /** The id of a call. One with an id of its own is counted too: some servers give ids to some calls only. */
  idOf({ id }: Fields, kind: string): string {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    return textOf(id) ?? `call-${kind}-${count}`;
  }
}

/** Calls of one id or of one tool, in their order, and how many of them need not be looked at again. */
interface Line {
  readonly calls: CallTurn[];
  passed: number;
}

/** The calls of a turn that wait for their results. */
class Open {
  readonly #byId = new Map<string, Line>();
  readonly #byTool = new Map<string, Line>();
  readonly #answered = new Set<CallTurn>();

  add(call: CallTurn): void {
    for (const [lines, name] of [[this.#byId, call.id] as const, [this.#byTool, call.tool] as const]) {
      const line = lines.get(name) ?? { calls: [], passed: 0 };
      line.calls.push(call);
      lines.set(name, line);
    }
  }

  takeOfId(id: string): CallTurn | undefined {
    return this.#take(this.#byId.get(id));
  }

  takeOfTool(tool: string): CallTurn | undefined {
    return this.#take(this.#byTool.get(tool));
  }

  /** The first of a line that no result has answered. */
  #take(line: Line | undefined): CallTurn | undefined {
    while (line !== undefined && line.passed < line.calls.length) {
      const call = line.calls[line.passed++] as CallTurn;
      if (this.#answered.has(call)) continue;
      this.#answered.add(call);
      return call;
    }
    return undefined;
  }
}

/** The calls of one history, in its order, and which of them a result answers. */
export class Calls {
  readonly #numbers = new Numbers();
  readonly #tools = new Map<string, string>();
  #open = new Open();
  // What the turn calls that may still be answered.
  #kinds: string[] = [];
  #isModels = false;
  #strayCount = 0;

  /** The next message. What the model calls in several messages without a break, as a stream leaves them, is one turn. */
  next(isModels: boolean): void {
    if (isModels && !this.#isModels) {
      this.#open = new Open();
      this.#kinds = [];
    }
    this.#isModels = isModels;
  }

  call(fields: Fields): CallTurn {
    const { tool, arguments: given, kind } = saidBy(fields);
    const turn: CallTurn = { type: 'call', id: this.#numbers.idOf(fields, kind), tool, arguments: given };
    this.#tools.set(turn.id, tool);
    this.#open.add(turn);
    this.#kinds.push(kind);
    return turn;
  }

  /** The call that a result answers. Whatever name the result bears, it has the source of the tool that was called. */
  answered({ id: given, name }: Fields): { readonly id: string; readonly tool: string | undefined } {
    const own = textOf(given);
    const isKnown = own !== undefined && this.#tools.has(own);
    const call = isKnown ? this.#open.takeOfId(own) : this.#open.takeOfTool(textOf(name) ?? '');
    const id = (isKnown ? own : call?.id) ?? own ?? `stray-${++this.#strayCount}`;
    return { id, tool: this.#tools.get(id) ?? textOf(name) };
  }

  /** How often what was called before the turn that is still to be answered. */
  get settled(): ReadonlyMap<string, number> {
    return this.#numbers.without(this.#isModels ? this.#kinds : []);
  }
}

/** A call that is to be judged and made: nobody else holds it, so that what runs is what was judged. */
export interface Arrived {
  readonly call: FunctionCall;
  readonly turn: CallTurn;
}

/** The calls of the turn that a request brings: their ids are the ones that they will have in its history. */
export class Coming {
  #numbers = new Numbers();
  // The SDK hands the calls of one turn to every tool, and each call is the same object each time.
  readonly #known = new WeakMap<object, { readonly said: string; readonly id: string }>();

  after(settled: ReadonlyMap<string, number>): void {
    this.#numbers = new Numbers(settled);
  }

  arrived(given: FunctionCall): Arrived {
    const call = copyOf(given) as FunctionCall & Fields;
    const { tool, arguments: args, kind } = saidBy(call);
    // An object that says something else by now is another call.
    const said = `${kind} ${call.id}`;
    const known = this.#known.get(given);
    const id = known?.said === said ? known.id : this.#numbers.idOf(call, kind);
    this.#known.set(given, { said, id });
    return { call, turn: { type: 'call', id, tool, arguments: args } };
  }
}
