import { done, type EscapeCase, failedBy, threw } from './case.ts';
import { FUNCTIONS, NOW } from './rig.ts';

/** Every name that a script finds, and no other. */
const NAMES: readonly string[] = [
  ...[
    'Object',
    'Function',
    'Error',
    'EvalError',
    'RangeError',
    'ReferenceError',
    'SyntaxError',
    'TypeError',
    'URIError',
  ],
  ...['InternalError', 'AggregateError', 'SuppressedError', 'Iterator', 'Array', 'parseInt', 'parseFloat', 'isNaN'],
  ...['isFinite', 'queueMicrotask', 'decodeURI', 'decodeURIComponent', 'encodeURI', 'encodeURIComponent', 'escape'],
  ...['unescape', 'Infinity', 'NaN', 'undefined', 'eval', 'Number', 'Boolean', 'String', 'Math', 'Reflect', 'Symbol'],
  ...['DisposableStack', 'globalThis', 'BigInt', 'Date', 'RegExp', 'JSON', 'Proxy', 'Map', 'Set', 'WeakMap', 'WeakSet'],
  ...['ArrayBuffer', 'SharedArrayBuffer', 'Uint8ClampedArray', 'Int8Array', 'Uint8Array', 'Int16Array', 'Uint16Array'],
  ...['Int32Array', 'Uint32Array', 'BigInt64Array', 'BigUint64Array', 'Float16Array', 'Float32Array', 'Float64Array'],
  ...['DataView', 'Promise', 'AsyncDisposableStack', 'DOMException', 'btoa', 'atob', 'input', ...FUNCTIONS],
];

/** What other machines have, and this one must not. */
const ABSENT: readonly string[] = [
  ...['process', 'require', 'module', 'exports', '__dirname', '__filename', 'global', 'window', 'self', 'document'],
  ...[
    'Buffer',
    'setTimeout',
    'setInterval',
    'setImmediate',
    'fetch',
    'XMLHttpRequest',
    'WebSocket',
    'console',
    'print',
  ],
  ...['WebAssembly', 'Worker', 'MessageChannel', 'performance', 'crypto', 'WeakRef', 'FinalizationRegistry', 'Atomics'],
  ...['structuredClone', 'std', 'os', 'bjson', 'scriptArgs', 'navigator', 'Deno', 'Bun', 'Intl', 'gc', 'load'],
  ...['call', 'finish', 'start', 'settle', 'waiting', 'offer', 'describe', 'host_call', '__host'],
];

const CLOCK = new Date(NOW).toISOString();

export const GLOBALS: readonly EscapeCase[] = [
  {
    title: 'names: those of the global object, exactly',
    payload: 'return Object.getOwnPropertyNames(globalThis).sort();',
    expected: done([...NAMES].sort()),
  },
  {
    title: 'names: symbols of the global object, and what stands behind it',
    payload:
      'return [Object.getOwnPropertySymbols(globalThis).map(String), Object.getPrototypeOf(globalThis) === Object.prototype];',
    expected: done([['Symbol(Symbol.toStringTag)'], true]),
  },
  {
    title: 'names: what other machines have',
    payload: `return ${JSON.stringify(ABSENT)}.filter((name) => name in globalThis);`,
    expected: done([]),
  },
  {
    title: 'names: those of other machines, as variables',
    payload: `return [${ABSENT.map((name) => `typeof ${name}`).join(', ')}].filter((type) => type !== 'undefined');`,
    expected: done([]),
  },
  {
    title: 'clock: it stands still, and is the one that was given',
    payload:
      'const before = Date.now(); for (let turn = 0; turn < 1e5; turn++); await slow(1); return [before, Date.now(), new Date().toISOString(), new Date().getTimezoneOffset()];',
    expected: done([NOW, NOW, CLOCK, 0]),
    calls: ['slow [1]'],
  },
  {
    title: 'clock: the place is none',
    payload: 'return [new Date(0).toString(), new Date(2020, 6, 1).toISOString(), new Date(0).toLocaleString()];',
    expected: ({ end }) =>
      end.status === 'done' &&
      end.output.startsWith('["Thu Jan 01 1970 00:00:00 GMT+0000","2020-07-01T00:00:00.000Z",'),
  },
  {
    title: 'chance: it is the same each time',
    payload: 'return [Math.random(), Math.random(), Math.random()];',
    expected: done([0.6711372530266764, 0.7258461452833667, 0.303529299965799]),
  },
  {
    title: 'shared memory: none can wait on it',
    payload:
      'const shared = new Int32Array(new SharedArrayBuffer(8)); return [typeof Atomics, shared.length, await echo(shared)];',
    expected: done(['undefined', 2, [{ 0: 0, 1: 0 }]]),
    calls: ['echo [{"0":0,"1":0}]'],
  },
  {
    title: 'shared memory: a wait',
    payload: 'Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0);',
    expected: threw('ReferenceError: Atomics is not defined'),
  },
  ...['fs', 'node:fs', '/etc/passwd', 'https://example.com/x.js', 'machine.js', 'std', 'os', 'guest', 'script'].map(
    (name) => ({
      title: `modules: import of ${name}`,
      payload: `try { await import('${name}'); return 'imported'; } catch (error) { return [error.name, error.message]; }`,
      expected: done(['ReferenceError', `could not load module '${name}'`]),
    }),
  ),
  {
    title: 'modules: import with attributes',
    payload: 'return import("./data.json", { with: { type: "json" } });',
    expected: failedBy('threw'),
  },
  { title: 'modules: import.meta', payload: 'return import.meta.url;', expected: failedBy('syntax') },
  { title: 'modules: an import', payload: 'import fs from "fs"; return fs;', expected: failedBy('syntax') },
  { title: 'modules: an export', payload: 'export const value = 1;', expected: failedBy('syntax') },
  {
    title: 'modules: require',
    payload: 'return require("fs");',
    expected: threw('ReferenceError: require is not defined'),
  },
];
