import { isFields } from '@sallyport/core/adapter';
import { check, type Gate, UNCALLED } from './gate.ts';
import { recordReached } from './offered.ts';

type Method = (...given: readonly unknown[]) => unknown;

/** How a method call maps to a call of the tool, and what it returns if the call is denied. */
interface MethodGuard {
  readonly tool: string;
  readonly arguments: (given: readonly unknown[]) => unknown;
  readonly refused: (text: string) => unknown;
}

/** The same object with some methods replaced. All others are called on the object itself, which may have private members. */
function withMethods<T extends object>(inner: T, methods: Readonly<Record<string, Method>>): T {
  // Not a proxy of the object itself, which may be frozen.
  return new Proxy(Object.create(Object.getPrototypeOf(inner)), {
    get(_, name) {
      if (typeof name === 'string' && Object.hasOwn(methods, name)) return methods[name];
      const value: unknown = Reflect.get(inner, name);
      return typeof value === 'function' ? value.bind(inner) : value;
    },
    set: (_, name, value) => Reflect.set(inner, name, value),
  });
}

/** The ids of calls by their action: the SDK passes only the action to the method. */
const ids = new WeakMap<object, string>();

export function recordId(action: unknown, id: string | undefined): void {
  if (isFields(action) && id !== undefined) ids.set(action, id);
}

/**
 * A method that checks the call first. If a person has approved the tool for all calls, nothing else checks the call; a held call
 * reaches this method only after it was approved.
 */
function guardMethod(gate: Gate, inner: object, name: string, guard: MethodGuard): Method {
  return async (...given) => {
    const [action] = given;
    const id = (isFields(action) ? ids.get(action) : undefined) ?? UNCALLED;
    recordReached(gate.conversation, id);
    const { outcome, result } = await check(gate, { id, tool: guard.tool, arguments: guard.arguments(given) });
    return outcome === 'deny' ? guard.refused(result) : Reflect.apply(Reflect.get(inner, name), inner, given);
  };
}

function guardMethods<T extends object>(gate: Gate, inner: T, guards: Readonly<Record<string, MethodGuard>>): T {
  const methods = Object.entries(guards).map(([name, guard]) => [name, guardMethod(gate, inner, name, guard)]);
  return withMethods(inner, Object.fromEntries(methods));
}

const SHELL: MethodGuard = {
  tool: 'shell',
  arguments: ([action]) => action,
  refused: (stderr) => ({ output: [{ stdout: '', stderr, outcome: { type: 'exit', exitCode: null } }] }),
};

const EDITOR: MethodGuard = {
  tool: 'apply_patch',
  arguments: ([operation]) => operation,
  refused: (output) => ({ status: 'failed', output }),
};

/** An action of a computer whose method takes these parameters. A denied action throws, because only a screenshot can be returned. */
function actionOf(type: string, ...names: readonly string[]): MethodGuard {
  return {
    tool: 'computer',
    arguments: (given) => ({
      actions: [{ type, ...Object.fromEntries(names.map((name, index) => [name, given[index]])) }],
    }),
    refused: (text) => {
      throw new Error(text);
    },
  };
}

const COMPUTER: Readonly<Record<string, MethodGuard>> = {
  click: actionOf('click', 'x', 'y', 'button'),
  doubleClick: actionOf('double_click', 'x', 'y'),
  drag: actionOf('drag', 'path'),
  keypress: actionOf('keypress', 'keys'),
  move: actionOf('move', 'x', 'y'),
  scroll: actionOf('scroll', 'x', 'y', 'scroll_x', 'scroll_y'),
  type: actionOf('type', 'text'),
};

type Make = (about: unknown) => unknown;

/** A factory that creates a computer for each run, and may dispose of it. */
interface Factory {
  readonly create: Make;
  readonly dispose?: (about: unknown) => unknown;
}

function isFactory(given: object): given is Factory {
  return 'create' in given && !('screenshot' in given);
}

/** The original computer of each guarded one. */
const inners = new WeakMap<object, object>();

/** A guarded computer, a function that returns one, or a factory of one. */
function guardComputer(gate: Gate, given: object | Make): object {
  const guardMade = async (made: unknown) => guardComputer(gate, (await made) as object);
  if (typeof given === 'function') return (about: unknown) => guardMade(given(about));
  if (isFactory(given))
    return withMethods(given, {
      create: (about) => guardMade(given.create(about)),
      dispose: (about) => {
        const { computer } = about as { readonly computer: object };
        return given.dispose?.({ ...(about as object), computer: inners.get(computer) });
      },
    });
  const computer = guardMethods(gate, given, COMPUTER);
  inners.set(computer, given);
  return computer;
}

/** The objects that run the calls of a shell, an editor or a computer. */
export interface Performer {
  readonly shell?: object;
  readonly editor?: object;
  readonly computer?: object;
}

export function guardPerformer(gate: Gate, { shell, editor, computer }: Performer): Performer {
  if (shell !== undefined) return { shell: guardMethods(gate, shell, { run: SHELL }) };
  if (computer !== undefined) return { computer: guardComputer(gate, computer) };
  const guards = { createFile: EDITOR, updateFile: EDITOR, deleteFile: EDITOR };
  return editor === undefined ? {} : { editor: guardMethods(gate, editor, guards) };
}
