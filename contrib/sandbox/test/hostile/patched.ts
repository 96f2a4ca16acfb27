import { done, type EscapeCase } from './case.ts';

/** What a script changes of its own machine before it calls. The call must cross as it was made, and the answer come back. */
const HARMLESS: readonly (readonly [title: string, change: string])[] = [
  ['JSON.stringify', 'JSON.stringify = () => "forged";'],
  ['JSON.parse', 'JSON.parse = () => "forged";'],
  ['JSON itself', 'globalThis.JSON = undefined;'],
  ['Object.defineProperty', 'Object.defineProperty = () => { throw 1; }; Object.freeze = undefined;'],
  [
    'methods of lists',
    'for (const name of ["push", "map", "forEach", "join", "slice", "indexOf"]) Array.prototype[name] = () => { throw 1; };',
  ],
  ['the iterator of lists', 'Array.prototype[Symbol.iterator] = function* () { yield "forged"; };'],
  [
    'methods of functions',
    'Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => "forged";',
  ],
  ['methods of maps and sets', 'Map.prototype.get = Map.prototype.set = Set.prototype.has = () => "forged";'],
  [
    'methods of texts',
    'for (const name of ["slice", "toString", "replace", "at"]) String.prototype[name] = () => "forged";',
  ],
  ['methods of patterns', 'RegExp.prototype.exec = RegExp.prototype.test = () => { throw 1; };'],
  [
    'setters for the fields of ours',
    'for (const name of ["resolve", "reject", "index", "text", "name"]) Object.defineProperty(Object.prototype, name, { set() { throw 1; }, get: () => "forged", configurable: true });',
  ],
  [
    'getters for the fields of descriptors',
    'for (const name of ["get", "set"]) Object.defineProperty(Object.prototype, name, { get: () => undefined, configurable: true });',
  ],
  [
    'the species of promises',
    'Object.defineProperty(Promise, Symbol.species, { value: class { constructor(run) { run(() => {}, () => {}); } } });',
  ],
  ['the constructor of promises', 'Promise.prototype.constructor = class {};'],
  ['Error', 'globalThis.Error = class { constructor() { throw 1; } };'],
  ['Symbol, Reflect and Proxy', 'globalThis.Symbol = globalThis.Reflect = globalThis.Proxy = undefined;'],
  ['the prototype of the global object', 'Object.setPrototypeOf(globalThis, null);'],
  [
    'everything, frozen',
    'for (const name of Object.getOwnPropertyNames(globalThis)) { Object.freeze(globalThis[name]); Object.freeze(globalThis[name]?.prototype); }',
  ],
];

/** Changes to the script's environment. They may end the script or forge what it sees, but the host sees the truth. */
const REACHING: readonly EscapeCase[] = [
  {
    title: 'changed: then of promises, before the end',
    payload: 'Promise.prototype.then = function (resolve) { resolve("forged"); resolve("again"); }; return "true";',
    expected: done('forged'),
  },
  {
    title: 'changed: then of promises, kept for later',
    payload:
      'const { then } = Promise.prototype; let finish; Promise.prototype.then = function (resolve) { finish = resolve; Promise.prototype.then = then; }; await null; finish(1); finish(2); echo(3); return 4;',
    expected: ({ end }) => end.status === 'done' && end.output === '1',
  },
  {
    title: 'changed: then of promises, to one that does nothing',
    payload: 'Promise.prototype.then = () => {}; return 1;',
    expected: { status: 'failed', reason: 'stuck' },
  },
  {
    title: 'changed: Promise, by one that hands out what settles',
    payload:
      'let settle; const True = Promise; globalThis.Promise = class { constructor(run) { run((value) => { settle = value; }, () => {}); } }; echo(1); globalThis.Promise = True; for (let turn = 0; turn < 5; turn++) await null; await slow(2); return settle;',
    expected: done([1]),
    calls: ['echo [1]', 'slow [2]'],
  },
  {
    title: 'changed: a setter for the first place of lists',
    payload:
      'let stolen; Object.defineProperty(Array.prototype, 0, { set(value) { stolen = value; }, configurable: true }); echo(1); delete Array.prototype[0]; stolen?.resolve("forged"); return typeof stolen;',
    expected: ({ end }) => end.status === 'failed' || end.output === '"object"' || end.output === '"undefined"',
  },
  {
    title: 'changed: toJSON of lists, which is asked for the arguments',
    payload: 'Array.prototype.toJSON = () => "forged"; return (await echo(1))[0];',
    expected: ({ end }) => end.status === 'failed' || end.output === '1',
  },
  {
    title: 'changed: toJSON of lists, to an object',
    payload: 'Array.prototype.toJSON = () => ({ length: 1, 0: "forged" }); return (await echo(1))[0];',
    expected: ({ end }) => end.status === 'failed' || end.output === '1',
  },
  {
    title: 'changed: toJSON of lists, to nothing, so that a number is left out',
    payload: 'Array.prototype.toJSON = () => undefined; echo(1); delete Array.prototype.toJSON; return echo(2);',
    expected: ({ end }) => end.status === 'failed' || end.output === '[2]',
  },
  {
    title: 'changed: toJSON of objects',
    payload: 'Object.prototype.toJSON = () => ["forged"]; return echo(1);',
    expected: ({ end }) => end.status === 'failed' || end.output === '[1]' || end.output === '["forged"]',
  },
  {
    title: 'changed: toJSON of texts and numbers',
    payload: 'String.prototype.toJSON = () => 1; Number.prototype.toJSON = () => "forged"; return ["text", 1];',
    expected: done(['text', 1]),
  },
  {
    title: 'changed: slice of texts, which shortens what is thrown',
    payload: 'String.prototype.slice = () => ({ length: 1 }); throw new Error("x".repeat(1000));',
    expected: { status: 'failed' },
  },
  {
    title: 'changed: what instanceof says of errors',
    payload:
      'Object.defineProperty(Error, Symbol.hasInstance, { value: () => true }); throw { name: "InternalError", message: "forged" };',
    expected: { status: 'failed', reason: 'threw', message: 'InternalError: forged' },
  },
];

export const PATCHED: readonly EscapeCase[] = [
  ...HARMLESS.map(([title, change]) => ({
    title: `changed: ${title}`,
    payload: `${change} return echo(1, [2], { three: "4" });`,
    expected: done([1, [2], { three: '4' }]),
    calls: ['echo [1,[2],{"three":"4"}]'],
  })),
  ...REACHING,
];
