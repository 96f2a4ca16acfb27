import { done, type EscapeCase } from './case.ts';

/** Ways from what a script holds to something that makes functions out of text. */
const ROADS: readonly (readonly [title: string, expression: string])[] = [
  ['an object', '({}).constructor.constructor'],
  ['a function', '(() => {}).constructor'],
  ['an asynchronous function', '(async () => {}).constructor'],
  ['a generator function', '(function* () {}).constructor'],
  ['an asynchronous generator function', '(async function* () {}).constructor'],
  ['a class', '(class {}).constructor'],
  ['a method', '({ method() {} }).method.constructor'],
  ['a function that is bound', '(() => {}).bind(null).constructor'],
  ['a function of the engine', 'Array.from.constructor'],
  ['a getter of the engine', "Object.getOwnPropertyDescriptor(Object.prototype, '__proto__').get.constructor"],
  ['an iterator', '[].values().next.constructor'],
  ['a generator', '(function* () {})().next.constructor'],
  ['a symbol', 'Symbol.iterator.constructor.constructor'],
  ['a promise', 'Promise.resolve(1).constructor.constructor'],
  [
    'an error of the engine',
    '(() => { try { null.value; } catch (error) { return error; } })().constructor.constructor',
  ],
  ['the global object', 'globalThis.constructor.constructor'],
  ['the input', 'input.constructor.constructor'],
  ['a list in the input', 'input.list.constructor.constructor'],
  ['a function that was offered', 'echo.constructor'],
  ['the prototype of a function that was offered', 'Reflect.getPrototypeOf(echo).constructor'],
  ['a proxy of a function that was offered', 'new Proxy(echo, {}).constructor'],
  ['a function that was offered, bound', 'echo.bind(null).constructor'],
  ['Function itself', 'Function'],
  ['Reflect.construct of it', '(text) => Reflect.construct(Function, [text])'],
  ['Reflect.construct of it, for a list', '(text) => Reflect.construct(Function, [text], Array)'],
  ['Reflect.apply of it', '(text) => Reflect.apply(Function, null, [text])'],
  ['a class that extends it', '(text) => new (class extends Function {})(text)'],
  ['eval', '(text) => eval(text)'],
  ['eval that is not direct', '(text) => (0, eval)(text)'],
  ['eval of the global object', '(text) => globalThis.eval(text)'],
  ['eval by Reflect', '(text) => Reflect.apply(globalThis.eval, null, [text])'],
];

function attempt(expression: string): string {
  return `const make = ${expression};
  try {
    return ['made', typeof make('return typeof process')];
  } catch (error) {
    return [error.name, error.message];
  }`;
}

const REFUSED = done(['TypeError', 'eval is not supported']);

/** The same from what came out of a call. */
const FROM_ANSWERS: readonly EscapeCase[] = [
  {
    title: 'walk: an answer of the host',
    payload: attempt('(await echo([1])).constructor.constructor'),
    expected: REFUSED,
    calls: ['echo [[1]]'],
  },
  {
    title: 'walk: the promise of an answer',
    payload: attempt('echo(1).then.constructor'),
    expected: REFUSED,
    calls: ['echo [1]'],
  },
  {
    title: 'walk: a failure of the host',
    payload: attempt('(await fail().catch((error) => error)).constructor.constructor'),
    expected: REFUSED,
    calls: ['fail []'],
  },
];

const OBJECTS: readonly EscapeCase[] = [
  {
    title: 'walk: every object that can be reached has a constructor of this machine',
    payload: `const seen = new Set();
    const strange = [];
    const walk = (value) => {
      if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return;
      seen.add(value);
      for (const link of [Object.getPrototypeOf(value), ...Object.values(Object.getOwnPropertyDescriptors(value)).flatMap(({ value, get, set }) => [value, get, set])])
        walk(link);
      if (typeof value === 'function' && !(value instanceof Function) && value !== Function.prototype) strange.push(value.name);
      else if (typeof value === 'object' && !(value instanceof Object) && Object.getPrototypeOf(value) !== null) strange.push(String(value));
    };
    walk(globalThis);
    walk(await fail().catch((error) => error));
    return [seen.size > 500, strange];`,
    expected: done([true, []]),
    calls: ['fail []'],
  },
  {
    title: 'walk: caller, callee and arguments of functions',
    payload: `const facts = [];
    for (const read of [() => echo.caller, () => echo.arguments, () => (function () { return arguments.callee; })(), () => (() => {}).caller])
      try { facts.push(String(read())); } catch (error) { facts.push(error.name); }
    return facts;`,
    expected: done(['TypeError', 'TypeError', 'TypeError', 'TypeError']),
  },
  {
    title: 'walk: this and the arguments of the script',
    payload:
      'const inner = function () { return typeof this; }; return [this === globalThis, inner(), typeof arguments];',
    expected: done([true, 'undefined', 'undefined']),
  },
  {
    title: 'walk: a function that was offered is frozen, and cannot be made to be another',
    payload: `const facts = [];
    for (const write of [
      () => Object.defineProperty(echo, 'name', { value: 'fail' }),
      () => { echo.secret = 1; },
      () => Object.setPrototypeOf(echo, null),
      () => { globalThis.echo = 1; },
      () => delete globalThis.echo,
      () => Object.defineProperty(globalThis, 'input', { value: 1 }),
      () => { input = 1; },
      () => new echo(),
    ])
      try { write(); facts.push('done'); } catch (error) { facts.push(error.name); }
    return facts;`,
    expected: done(new Array(8).fill('TypeError')),
  },
  {
    title: 'walk: the text of what was offered is of this machine',
    payload:
      'return [typeof String(echo), String(echo).includes("process"), String(echo).includes("require"), Object.getOwnPropertyNames(echo)];',
    expected: done(['string', false, false, ['length', 'name']]),
  },
];

export const WALKS: readonly EscapeCase[] = [
  ...ROADS.map(([title, expression]) => ({ title: `walk: ${title}`, payload: attempt(expression), expected: REFUSED })),
  ...FROM_ANSWERS,
  ...OBJECTS,
];
