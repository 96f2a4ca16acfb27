import type { LimitCase } from './case.ts';

/** Loops that never end, wherever a script can have the engine run something of its own. All are ended by the count of steps. */
const ENDLESS: readonly (readonly [title: string, payload: string])[] = [
  ['for', 'for (;;);'],
  ['while', 'while (true) {}'],
  ['do while', 'do {} while (true);'],
  ['labelled continue', 'outer: for (;;) { for (;;) continue outer; }'],
  ['a finally that takes the return back', 'for (;;) { try { return 1; } finally { continue; } }'],
  ['a getter', 'return { get value() { for (;;); } }.value;'],
  ['a setter', '({ set value(given) { for (;;); } }).value = 1;'],
  ['toJSON of what is given back', 'return { toJSON() { for (;;); } };'],
  ['toJSON of an argument', 'return echo({ toJSON() { for (;;); } });'],
  ['a getter of what is given back', 'return { get value() { for (;;); } };'],
  ['then of what is given back', 'return { then() { for (;;); } };'],
  ['a getter of then', 'await { get then() { for (;;); } };'],
  ['an iterator that never ends', 'for (const each of { *[Symbol.iterator]() { for (;;) yield 1; } });'],
  [
    'return of an iterator',
    'for (const each of { *[Symbol.iterator]() { try { yield 1; } finally { for (;;); } } }) break;',
  ],
  ['a trap for get', 'return new Proxy({}, { get() { for (;;); } }).value;'],
  ['a trap for ownKeys', 'return Object.keys(new Proxy({}, { ownKeys() { for (;;); } }));'],
  ['a trap for getPrototypeOf', 'return new Proxy({}, { getPrototypeOf() { for (;;); } }) instanceof Array;'],
  ['a comparator', 'return [3, 2, 1].sort(() => { for (;;); });'],
  ['a callback of replace', "return 'a'.replace(/a/, () => { for (;;); });"],
  ['a callback of map', 'return [1].map(() => { for (;;); });'],
  ['a reviver', "return JSON.parse('[1]', () => { for (;;); });"],
  ['a replacer', 'return JSON.stringify([1], () => { for (;;); });'],
  ['valueOf', 'return 1 + { valueOf() { for (;;); } };'],
  ['toString of a key', 'return {}[{ toString() { for (;;); } }];'],
  ['Symbol.toPrimitive', 'return new Date({ [Symbol.toPrimitive]() { for (;;); } });'],
  ['Symbol.hasInstance', 'return 1 instanceof { [Symbol.hasInstance]() { for (;;); } };'],
  [
    'Symbol.species',
    'return [1].map.call(Object.assign([1], { constructor: { get [Symbol.species]() { for (;;); } } }), String);',
  ],
  ['a default of a parameter', 'return ((value = (() => { for (;;); })()) => value)();'],
  ['a static block', 'class Endless { static { for (;;); } }'],
  ['a computed name of a class', 'class Endless { [(() => { for (;;); })()]() {} }'],
  ['a tag of a template', 'const tag = () => { for (;;); }; return tag`text`;'],
  ['a constructor', 'class Endless { constructor() { for (;;); } } return new Endless();'],
  ['the message of what is thrown', 'throw Object.defineProperty(new Error(), "message", { get() { for (;;); } });'],
  ['the name of what is thrown', 'throw Object.defineProperty(new Error(), "name", { get() { for (;;); } });'],
  ['toJSON of what is thrown', 'throw { toJSON() { for (;;); } };'],
  [
    'the constructor that instanceof asks for',
    'Object.defineProperty(Error, Symbol.hasInstance, { value() { for (;;); } }); throw 1;',
  ],
  ['a stack that is prepared', 'Error.prepareStackTrace = () => { for (;;); }; return new Error("x").stack;'],
  ['after a call of the host', 'await echo(1); for (;;);'],
  ['in the reaction to a rejection', 'await fail().catch(() => { for (;;); });'],
  ['beside a call of the host', 'const answer = echo(1); for (;;); await answer;'],
  [
    'after the end, by then',
    'Promise.resolve().then(() => Promise.resolve()).then(() => { for (;;); }); await null; await null; await null; return 1;',
  ],
  ['a list that grows as it is walked', 'const list = [1]; for (const each of list) list.push(each);'],
  [
    'a set that grows as it is walked',
    'const set = new Set([1]); for (const each of set) { set.delete(each); set.add(each); }',
  ],
  [
    'exec that always finds',
    'const pattern = /x/g; pattern.exec = () => Object.assign(["x"], { index: 0 }); return "x".match(pattern);',
  ],
  ['an iterator that is drained', 'return Iterator.from({ next: () => ({ done: false }) }).every(() => true);'],
];

/** Work that renews itself instead of looping. */
const STORMS: readonly (readonly [title: string, payload: string])[] = [
  ['await in a loop', 'for (;;) await null;'],
  [
    'a reaction that adds one',
    'const again = () => Promise.resolve().then(again); again(); await new Promise(() => {});',
  ],
  ['queueMicrotask', 'const again = () => queueMicrotask(again); again(); await new Promise(() => {});'],
  ['an asynchronous generator', 'async function* endless() { for (;;) yield 1; } for await (const each of endless());'],
  [
    'a thenable that resolves to another',
    'const next = () => ({ then(resolve) { resolve(next()); } }); return next();',
  ],
  [
    'two that wake each other',
    'let wake; const turn = async () => { for (;;) { wake?.(); await new Promise((resolve) => { wake = resolve; }); } }; turn(); turn(); await new Promise(() => {});',
  ],
  ['a promise that is never done, beside a storm', 'const again = () => queueMicrotask(again); again(); await hang();'],
];

const LIMITS = { steps: 200_000 };

export const LOOPS: readonly LimitCase[] = [
  ...ENDLESS.map(([title, payload]) => ({
    title: `endless: ${title}`,
    payload,
    expected: 'steps' as const,
    limits: LIMITS,
  })),
  ...STORMS.map(([title, payload]) => ({
    title: `storm: ${title}`,
    payload,
    expected: 'steps' as const,
    limits: LIMITS,
  })),
  { title: 'endless: by time, for', payload: 'for (;;);', expected: 'time' },
  { title: 'endless: by time, after a call of the host', payload: 'await echo(1); for (;;);', expected: 'time' },
  {
    title: 'endless: by time, beside answers',
    payload: 'echo(1); echo(2); await echo(3); for (;;);',
    expected: 'time',
  },
  { title: 'storm: by time', payload: 'for (;;) await null;', expected: 'time' },
];
