import { isFields } from '../turns/part.ts';
import { type Gate, judge, UNCALLED } from './gate.ts';

type Method = (...given: readonly unknown[]) => unknown;

/** What a call of a method is as a call of the tool, and what is answered where it may not be made. */
interface Seam {
  readonly tool: string;
  readonly arguments: (given: readonly unknown[]) => unknown;
  readonly refused: (words: string) => unknown;
}

/** The same object with other methods. Its own are called on itself: a class may have private members. */
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

/** The ids of calls by what they ask for: the method that does it is told nothing else. */
const ids = new WeakMap<object, string>();

export function noteId(action: unknown, id: string | undefined): void {
  if (isFields(action) && id !== undefined) ids.set(action, id);
}

/**
 * A method that judges first. Where a person has approved the tool for always, nothing else judges the call; and one that is held
 * gets here only when somebody has let it pass.
 */
function judged(gate: Gate, inner: object, name: string, seam: Seam): Method {
  return async (...given) => {
    const [action] = given;
    const id = (isFields(action) ? ids.get(action) : undefined) ?? UNCALLED;
    const { outcome, result } = await judge(gate, { id, tool: seam.tool, arguments: seam.arguments(given) });
    return outcome === 'deny' ? seam.refused(result) : Reflect.apply(Reflect.get(inner, name), inner, given);
  };
}

function guardMethods<T extends object>(gate: Gate, inner: T, seams: Readonly<Record<string, Seam>>): T {
  const methods = Object.entries(seams).map(([name, seam]) => [name, judged(gate, inner, name, seam)]);
  return withMethods(inner, Object.fromEntries(methods));
}

const SHELL: Seam = {
  tool: 'shell',
  arguments: ([action]) => action,
  refused: (stderr) => ({ output: [{ stdout: '', stderr, outcome: { type: 'exit', exitCode: null } }] }),
};

const EDITOR: Seam = {
  tool: 'apply_patch',
  arguments: ([operation]) => operation,
  refused: (output) => ({ status: 'failed', output }),
};

/** An action of a computer, whose method takes the values of these names. Nothing can be answered in place of its screenshot. */
function actionOf(type: string, ...names: readonly string[]): Seam {
  return {
    tool: 'computer',
    arguments: (given) => ({
      actions: [{ type, ...Object.fromEntries(names.map((name, index) => [name, given[index]])) }],
    }),
    refused: (words) => {
      throw new Error(words);
    },
  };
}

const COMPUTER: Readonly<Record<string, Seam>> = {
  click: actionOf('click', 'x', 'y', 'button'),
  doubleClick: actionOf('double_click', 'x', 'y'),
  drag: actionOf('drag', 'path'),
  keypress: actionOf('keypress', 'keys'),
  move: actionOf('move', 'x', 'y'),
  scroll: actionOf('scroll', 'x', 'y', 'scroll_x', 'scroll_y'),
  type: actionOf('type', 'text'),
};

type Make = (about: unknown) => unknown;

/** Who makes a computer for each run, and may want it back. */
interface Maker {
  readonly create: Make;
  readonly dispose?: (about: unknown) => unknown;
}

function isMaker(given: object): given is Maker {
  return 'create' in given && !('screenshot' in given);
}

/** Computers by those that stand before them. */
const inners = new WeakMap<object, object>();

/** A computer, a function that makes one, or somebody who makes one and disposes of it. */
function guardComputer(gate: Gate, given: object | Make): object {
  const guardMade = async (made: unknown) => guardComputer(gate, (await made) as object);
  if (typeof given === 'function') return (about: unknown) => guardMade(given(about));
  if (isMaker(given))
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

/** What carries out the calls of a shell, an editor or a computer, judging each where it is made. */
export interface Performer {
  readonly shell?: object;
  readonly editor?: object;
  readonly computer?: object;
}

export function guardPerformer(gate: Gate, { shell, editor, computer }: Performer): Performer {
  if (shell !== undefined) return { shell: guardMethods(gate, shell, { run: SHELL }) };
  if (computer !== undefined) return { computer: guardComputer(gate, computer) };
  const seams = { createFile: EDITOR, updateFile: EDITOR, deleteFile: EDITOR };
  return editor === undefined ? {} : { editor: guardMethods(gate, editor, seams) };
}
