import type { LimitCase } from './case.ts';

/** Scripts that take memory until there is none. */
const TAKING: readonly (readonly [title: string, payload: string])[] = [
  ['numbers in a list', 'const list = []; for (;;) list.push(1.5);'],
  ['lists in lists', 'let list = []; for (;;) list = [list, [], []];'],
  ['objects', 'const list = []; for (;;) list.push({ one: 1, two: 2, three: 3 });'],
  ['names of properties', 'const keys = {}; for (let index = 0; ; index++) keys["key" + index] = index;'],
  ['a long list that is filled', 'return new Array(1e8).fill(0).length;'],
  ['a list from a length', 'return Array.from({ length: 1e8 }, () => 0).length;'],
  ['concat that doubles', 'let list = [1, 2, 3]; for (;;) list = list.concat(list);'],
  ['spread that doubles', 'let list = [1, 2, 3]; for (;;) list = [...list, ...list];'],
  [
    'flat of what is shared',
    'let list = [1, 2]; for (let depth = 0; depth < 40; depth++) list = [list, list]; return list.flat(Infinity).length;',
  ],
  ['strings', 'const list = []; for (let index = 0; ; index++) list.push("text".repeat(100) + index);'],
  ['repeat', 'const list = []; for (;;) list.push("x".repeat(1e6));'],
  ['padEnd', 'const list = []; for (;;) list.push("".padEnd(1e6, "ab"));'],
  [
    'a join that is longer than all',
    'const list = new Array(1000).fill("x".repeat(1e5)); return list.join(list.join("")).length;',
  ],
  ['split into letters', 'return "x".repeat(5e6).split("").length;'],
  ['entries of a string', 'return Object.entries("x".repeat(2e6)).length;'],
  ['typed arrays', 'const list = []; for (;;) list.push(new Uint8Array(1e6));'],
  ['small typed arrays', 'const list = []; for (;;) list.push(new Float64Array(16));'],
  [
    'a buffer that is resized',
    'const buffer = new ArrayBuffer(1, { maxByteLength: 1e9 }); buffer.resize(1e9); return buffer.byteLength;',
  ],
  [
    'a buffer that is handed on and grows',
    'let buffer = new ArrayBuffer(1e6); for (;;) buffer = buffer.transfer(buffer.byteLength * 2);',
  ],
  ['shared buffers', 'const list = []; for (;;) list.push(new SharedArrayBuffer(1e6));'],
  ['a map', 'const map = new Map(); for (let index = 0; ; index++) map.set(index, index);'],
  ['a set', 'const set = new Set(); for (let index = 0; ; index++) set.add(index);'],
  [
    'a weak map whose keys are kept',
    'const map = new WeakMap(); const keys = []; for (;;) { const key = {}; keys.push(key); map.set(key, key); }',
  ],
  ['big whole numbers', 'const list = []; let value = 1n << 100000n; for (;;) list.push((value += 1n));'],
  ['symbols', 'const list = []; for (let index = 0; ; index++) list.push(Symbol("symbol" + index));'],
  ['closures', 'const list = []; for (let index = 0; ; index++) list.push(() => index);'],
  ['bound functions', 'let bound = () => 1; for (;;) bound = bound.bind(null, 1, 2, 3);'],
  [
    'generators that have begun',
    'function* numbers() { yield 1; } const list = []; for (;;) { const each = numbers(); each.next(); list.push(each); }',
  ],
  ['promises', 'const list = []; for (;;) list.push(Promise.resolve(1));'],
  ['Promise.all of a million', 'return (await Promise.all(new Array(1e6).fill(null).map(async () => [1]))).length;'],
  [
    'microtasks that become more',
    'const twice = () => { queueMicrotask(twice); queueMicrotask(twice); }; twice(); await new Promise(() => {});',
  ],
  [
    'asynchronous generators that are asked ahead',
    'async function* numbers() { await new Promise(() => {}); } const each = numbers(); for (;;) each.next();',
  ],
  ['errors with their stacks', 'const list = []; for (;;) list.push(new Error("x".repeat(100)));'],
  ['causes of errors', 'let error = new Error("first"); for (;;) error = new Error("next", { cause: error });'],
  ['proxies around proxies', 'let inner = {}; for (;;) inner = new Proxy(inner, {});'],
  ['a chain of prototypes', 'let object = {}; for (;;) object = Object.create(object);'],
  ['classes', 'let Base = class {}; for (;;) Base = class extends Base { one() {} two() {} };'],
  [
    'regular expressions',
    'const list = []; for (let index = 0; ; index++) list.push(new RegExp("(a|b){1,9}" + index));',
  ],
  [
    'matches with many groups',
    'const pattern = new RegExp("()".repeat(200), "g"); const list = []; for (;;) list.push(...("x".repeat(100)).matchAll(pattern));',
  ],
  ['indentation', 'return JSON.stringify(new Array(1e6).fill([]), null, 10).length;'],
  ['a parse of a long text', 'return JSON.parse("[" + "[],".repeat(2e6) + "0]").length;'],
  ['encodeURIComponent', 'let text = "%"; for (;;) text = encodeURIComponent(text + text);'],
  ['letters that grow in upper case', 'return "\\u0390".repeat(6e6).toUpperCase().length;'],
];

const SHARED = 'let list = [1, 2]; for (let depth = 0; depth < 40; depth++) list = [list, list];';

/** They would take all memory too, if they had the time. */
const SLOWLY: readonly (readonly [title: string, payload: string])[] = [
  ['replaceAll with what it found', 'let text = "aa"; for (;;) text = text.replaceAll("a", "$&$&$&");'],
  ['the table of symbols', 'for (let index = 0; ; index++) Symbol.for("symbol" + index);'],
  ['a stringify of what is shared', `${SHARED} return JSON.stringify(list).length;`],
  ['an output of what is shared', `${SHARED} return list;`],
  ['an argument of what is shared', `${SHARED} return echo(list);`],
  ['a toJSON that grows', 'return { toJSON() { return [1, 2].map(() => ({ toJSON: this.toJSON })); } };'],
];

const MIB = 1024 * 1024;

export const ALLOCATIONS: readonly LimitCase[] = [
  ...TAKING.map(([title, payload]) => ({
    title: `memory: ${title}`,
    payload,
    expected: 'memory' as const,
  })),
  ...SLOWLY.map(([title, payload]) => ({
    title: `memory: ${title}`,
    payload,
    expected: ['memory', 'time', 'stack'] as const,
  })),
  {
    // Where its last bytes go decides whether the engine finds out of its own error: otherwise it is ended from outside.
    title: 'memory: asynchronous functions that wait',
    payload: 'const never = new Promise(() => {}); const waiting = async () => { await never; }; for (;;) waiting();',
    expected: ['memory', 'time'],
  },
  {
    title: 'memory: normal forms that grow',
    payload: 'return "\\ufdfa".repeat(1e6).normalize("NFKD").length;',
    expected: ['memory', 'threw'],
  },
  {
    title: 'memory: ropes that are as long as a string can be, and then flat',
    payload: 'let text = "x"; for (let turn = 0; turn < 29; turn++) text += text; return text.charCodeAt(5);',
    expected: 'memory',
  },
  {
    title: 'memory: a rope that is longer than a string can be',
    payload: 'let text = "x"; for (;;) text += text;',
    expected: ['threw', 'memory'],
  },
  {
    title: 'memory: a big whole number past its longest',
    payload: 'let value = 3n; for (;;) value = value ** 3n;',
    expected: ['threw', 'time'],
  },
  {
    title: 'memory: a shift past the longest whole number',
    payload: 'return (1n << 2n ** 40n) > 0n;',
    expected: 'threw',
  },
  {
    title: 'memory: arguments past what a call can have',
    payload: 'return Math.max(...new Array(1e6).fill(1));',
    expected: ['threw', 'stack', 'memory'],
  },
  {
    title: 'memory: a machine of the least size',
    payload: 'const list = []; for (;;) list.push({});',
    expected: 'memory',
    limits: { memory: 4 * MIB },
  },
];
