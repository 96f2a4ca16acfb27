import { type CallTurn, digestText } from '@sallyport/core';
import { type Fields, isFields, textOf } from './part.ts';

/** What a call hands to its tool, as one object whatever the model made of it. */
function argumentsOf({ args, partialArgs }: Fields): Fields {
  if (isFields(args)) return args;
  const given = args ?? partialArgs;
  return given === undefined || given === null ? {} : { input: given };
}

/** Storage may change the order of keys; what a call is does not depend on it. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isFields(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, ordered(value[name])]));
}

/** Gives ids to calls that came without: what is called with what, and the how many-th time in the history that is. */
class Numbers {
  readonly #counts: Map<string, number>;

  constructor(counts: ReadonlyMap<string, number> = new Map()) {
    this.#counts = new Map(counts);
  }

  get counts(): ReadonlyMap<string, number> {
    return new Map(this.#counts);
  }

  /** The call as a turn. One with an id of its own is counted too: some servers give ids to some calls only. */
  turnOf(call: Fields): CallTurn {
    const tool = textOf(call.name) ?? 'unnamed';
    const given = argumentsOf(call);
    const kind = digestText(JSON.stringify([tool, ordered(given)])).slice(0, 32);
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    return { type: 'call', id: textOf(call.id) ?? `call-${kind}-${count}`, tool, arguments: given };
  }
}

/** The calls of one history, in its order, and which of them a result answers. */
export class Calls {
  readonly #numbers = new Numbers();
  readonly #tools = new Map<string, string>();
  #open: CallTurn[] = [];
  #before: ReadonlyMap<string, number> = new Map();
  #isModels = false;
  #strayCount = 0;

  /** The next message. What the model calls in several messages without a break, as a stream leaves them, is one turn. */
  next(isModels: boolean): void {
    if (isModels && !this.#isModels) {
      this.#open = [];
      this.#before = this.#numbers.counts;
    }
    this.#isModels = isModels;
  }

  call(fields: Fields): CallTurn {
    const turn = this.#numbers.turnOf(fields);
    this.#tools.set(turn.id, turn.tool);
    this.#open.push(turn);
    return turn;
  }

  /** The call that a result answers. Whatever name the result bears, it has the source of the tool that was called. */
  answered({ id: given, name }: Fields): { readonly id: string; readonly tool: string | undefined } {
    const own = textOf(given);
    const isKnown = own !== undefined && this.#tools.has(own);
    const at = this.#open.findIndex(({ id, tool }) => (isKnown ? id === own : tool === name));
    const [call] = at < 0 ? [] : this.#open.splice(at, 1);
    const id = (isKnown ? own : call?.id) ?? own ?? `stray-${++this.#strayCount}`;
    return { id, tool: this.#tools.get(id) ?? textOf(name) };
  }

  /** How often what was called before the turn that is still to be answered. */
  get settled(): ReadonlyMap<string, number> {
    return this.#isModels ? this.#before : this.#numbers.counts;
  }
}

/** The calls of the turn that a request brings: their ids are the ones that they will have in its history. */
export class Coming {
  #numbers = new Numbers();
  // The SDK hands the calls of one turn to every tool, and each call is the same object each time.
  readonly #turns = new WeakMap<object, CallTurn>();

  after(settled: ReadonlyMap<string, number>): void {
    this.#numbers = new Numbers(settled);
  }

  turnOf(call: object): CallTurn {
    const turn = this.#turns.get(call) ?? this.#numbers.turnOf(call as Fields);
    this.#turns.set(call, turn);
    return turn;
  }
}
