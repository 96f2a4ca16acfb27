import { done, type EscapeCase, failedBy, threw } from './case.ts';

/** Values that are handed to the host, where all that may cross is the JSON text of a list. */
const ARGUMENTS: readonly (readonly [title: string, expression: string, crossing: string])[] = [
  ['a proxy of a list', 'new Proxy([1, 2], {})', '[[1,2]]'],
  ['a proxy of an object', 'new Proxy({ a: 1 }, { get: (_, key) => (key === "toJSON" ? undefined : 2) })', '[{"a":2}]'],
  ['a getter', '{ get value() { return 1; } }', '[{"value":1}]'],
  ['toJSON that gives another list', '{ toJSON: () => [1, [2]] }', '[[1,[2]]]'],
  ['toJSON that gives text that looks like JSON', '{ toJSON: () => "],{" }', '["],{"]'],
  ['toJSON that gives nothing', '{ toJSON: () => undefined }', '[null]'],
  ['what is no JSON', 'undefined, () => 1, Symbol("x"), NaN, Infinity, -0', '[null,null,null,null,null,0]'],
  ['an object with then', '{ then: 1 }', '[{"then":1}]'],
  ['an object with a function then', '{ then(resolve) { resolve("mine"); } }', '[{}]'],
  ['a promise', 'Promise.resolve(1)', '[{}]'],
  ['a function that was offered', 'echo', '[null]'],
  ['the global object', '{ ...globalThis }', '[{"input":{"text":"hello","list":[1,2,3]}}]'],
  ['a name like of the prototype', 'JSON.parse(\'{"__proto__":{"polluted":1}}\')', '[{"__proto__":{"polluted":1}}]'],
  [
    'a name like of the constructor',
    '{ constructor: { prototype: { polluted: 1 } } }',
    '[{"constructor":{"prototype":{"polluted":1}}}]',
  ],
  ['halves of letters', '"\\ud800", "\\udc00\\ud800"', '["\\ud800","\\udc00\\ud800"]'],
  ['letters that end lines, and none', '"\\u2028\\u2029\\u0000"', '["\u2028\u2029\\u0000"]'],
  ['a typed array', 'new Uint8Array(2)', '[{"0":0,"1":0}]'],
  ['a map, a set and an error', 'new Map([[1, 2]]), new Set([1]), new Error("x")', '[{},{},{}]'],
  ['a boxed text that is another', 'Object.assign(Object("a"), { toString: () => "b" })', '["b"]'],
  ['a list with holes that claims to be longer', 'Object.assign([], { length: 3 })', '[[null,null,null]]'],
  [
    'text like a message of ours',
    '{ type: "end", end: { status: "done", output: "1" } }',
    '[{"type":"end","end":{"status":"done","output":"1"}}]',
  ],
];

/** Allocates all memory except a number of bytes, in which a text can be made but not copied out. */
function scarce(hole: number): string {
  return `const text = '\\u00e9'.repeat(9000);
  let hole = new Uint8Array(${hole});
  globalThis.kept = [];
  for (const size of [1e6, 1e5, 1e4, 1e3, 100, 10])
    try { for (;;) kept.push(new Uint8Array(size)); } catch {}
  hole = undefined;`;
}

const SCARCE: readonly EscapeCase[] = [20_000, 25_000, 30_000, 35_000, 40_000].flatMap((hole) =>
  ['return echo(text);', 'return text;'].map((rest) => ({
    title: `argument: with ${hole} bytes left, ${rest}`,
    payload: `${scarce(hole)} ${rest}`,
    expected: ({ end }) => end.status === 'done' || end.reason === 'memory' || end.message === 'Error: No.',
  })),
);

const ODD: readonly EscapeCase[] = [
  { title: 'argument: a big whole number', payload: 'return echo(1n);', expected: failedBy('threw') },
  {
    title: 'argument: what holds itself',
    payload: 'const list = []; list.push(list); return echo(list);',
    expected: failedBy('threw'),
  },
  {
    title: 'argument: a proxy that is revoked',
    payload: 'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return echo(proxy);',
    expected: failedBy('threw'),
  },
  {
    title: 'argument: toJSON that throws',
    payload: 'return echo({ toJSON() { throw new Error("mine"); } });',
    expected: threw('Error: mine'),
  },
  {
    title: 'argument: toJSON that calls the host',
    payload: 'return echo({ toJSON() { echo("inner"); return "outer"; } });',
    expected: done(['outer']),
    calls: ['echo ["inner"]', 'echo ["outer"]'],
  },
  {
    title: 'argument: too long',
    payload: 'return echo("x".repeat(70000));',
    expected: threw('Error: No.'),
    calls: ['echo undefined'],
  },
  {
    title: 'argument: too long only as bytes',
    payload: 'return echo("\\u20ac".repeat(30000));',
    expected: threw('Error: No.'),
    calls: ['echo undefined'],
  },
  {
    title: 'name: of another function, as this',
    payload: 'return [await echo.call({ name: "fail" }, 1), await Reflect.apply(echo, "fail", [2])];',
    expected: done([[1], [2]]),
    calls: ['echo [1]', 'echo [2]'],
  },
  {
    title: 'name: bound to others',
    payload: 'return echo.bind({ name: "secret" }, "secret")("more");',
    expected: done(['secret', 'more']),
    calls: ['echo ["secret","more"]'],
  },
  {
    title: 'name: none that was offered',
    payload: 'return secret(1);',
    expected: threw('ReferenceError: secret is not defined'),
  },
  {
    title: 'name: none that was offered, on the global object',
    payload: 'return globalThis.call("secret", "[1]");',
    expected: failedBy('threw'),
  },
  {
    title: 'answer: a name like of the prototype',
    payload:
      'const [answer] = await echo(JSON.parse(\'{"__proto__":{"polluted":1}}\')); return [{}.polluted, Object.keys(answer), Object.getPrototypeOf(answer) === Object.prototype];',
    expected: done([null, ['__proto__'], true]),
    calls: ['echo [{"__proto__":{"polluted":1}}]'],
  },
  {
    title: 'answer: an object with then is not followed',
    payload: 'const list = await echo({ then: "x" }); return list[0].then;',
    expected: done('x'),
    calls: ['echo [{"then":"x"}]'],
  },
  {
    title: 'answer: cannot be had without asking',
    payload: 'return Promise.race([new Promise(() => {}), echo(1)]);',
    expected: done([1]),
    calls: ['echo [1]'],
  },
];

export const BOUNDARY: readonly EscapeCase[] = [
  ...ARGUMENTS.map(([title, expression, crossing]) => ({
    title: `argument: ${title}`,
    payload: `return echo(${expression});`,
    expected: { status: 'done' as const, output: crossing },
    calls: [`echo ${crossing}`],
  })),
  ...SCARCE,
  ...ODD,
];
