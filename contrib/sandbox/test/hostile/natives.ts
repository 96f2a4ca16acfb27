import type { LimitCase } from './case.ts';

/** Single operations of the engine that take long, in which it hardly ever asks whether to go on. */
const SLOW: readonly (readonly [title: string, payload: string])[] = [
  ['products of big whole numbers', 'const value = (1n << 500000n) - 1n; for (;;) value * value;'],
  ['powers of big whole numbers', 'for (;;) 3n ** 600000n;'],
  [
    'quotients of big whole numbers',
    'const value = (1n << 1000000n) - 1n; const by = (1n << 500000n) - 3n; for (;;) value / by;',
  ],
  ['a big whole number as text', 'return ((1n << 1000000n) - 1n).toString().length;'],
  ['a text as a big whole number', 'return BigInt("9".repeat(300000)) > 0n;'],
  [
    'fill of a thousand million places',
    'return Array.prototype.fill.call({ length: 1e9 }, 0, 1e9 - 1).length + Array.prototype.fill.call(new Proxy({}, { get: () => 2 ** 53 - 1, set: () => true }), 0);',
  ],
  [
    'lastIndexOf on nothing, four thousand million long',
    'const list = []; list.length = 4e9; return list.lastIndexOf(1);',
  ],
  [
    'lastIndexOf on an object, as long as can be',
    'return Array.prototype.lastIndexOf.call({ length: 2 ** 53 - 1 }, 1);',
  ],
  ['indexOf on an object, as long as can be', 'return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);'],
  ['includes on an object, as long as can be', 'return Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1);'],
  ['reverse of an object, as long as can be', 'return Array.prototype.reverse.call({ length: 2 ** 53 - 1 });'],
  ['copyWithin an object, as long as can be', 'return Array.prototype.copyWithin.call({ length: 2 ** 53 - 1 }, 0, 1);'],
  ['unshift of an object, as long as can be', 'return Array.prototype.unshift.call({ length: 2 ** 53 - 2 }, 1);'],
  ['concat of what says it is long', 'return [].concat({ [Symbol.isConcatSpreadable]: true, length: 2 ** 53 - 1 });'],
  ['an iterator that is skipped through', 'return [].values.call({ length: 2 ** 53 - 1 }).drop(2 ** 52).next();'],
  ['every place of nothing', 'const list = []; list.length = 4e9; return list.every(() => true);'],
  ['shift of a long list', 'const list = new Array(1e6).fill(0); for (;;) { list.shift(); list.unshift(0); }'],
  [
    'a text that is looked for where it nearly is',
    'const text = "a".repeat(2e6); const part = "a".repeat(1e6) + "b"; for (;;) text.includes(part);',
  ],
  [
    'lastIndexOf of a text where it nearly is',
    'const text = "a".repeat(1e6); const part = "b" + "a".repeat(5e5); for (;;) text.lastIndexOf(part);',
  ],
  [
    'the order of a long list',
    'const list = Float64Array.from({ length: 1e6 }, (_, index) => Math.sin(index)); for (;;) list.slice().sort();',
  ],
  [
    'the order of many texts',
    'const list = Array.from({ length: 2000 }, (_, index) => "a".repeat(2000) + index); for (;;) list.slice().sort();',
  ],
  ['a pattern that tries everything', 'return /^(a+)+$/.test("a".repeat(40) + "b");'],
  ['a pattern with alternatives that overlap', 'return /^(a|aa|aaa)+$/.test("a".repeat(60) + "b");'],
  [
    'a pattern that looks back',
    'return /(?<=(a+)+)b/.test("a".repeat(40) + "c") + /(?<=^(a+)+)c/.test("b" + "a".repeat(40) + "c");',
  ],
  ['a pattern that names what it found', 'return /^(a*)*\\1*\\1*b$/.test("a".repeat(50));'],
  ['a pattern with huge counts', 'return /(?:(?:a{0,1000}){0,1000}){0,1000}b/.test("a".repeat(50));'],
  ['a pattern that begins anew at each place', 'return /a*a*a*b/.test("a".repeat(1e4));'],
  [
    'numbers out of long texts',
    'const text = "9".repeat(5e6); for (;;) { parseInt(text); parseFloat(text); Number(text); parseInt(text, 3); }',
  ],
  [
    'a long text to and from letters of addresses',
    'const text = "\\u20ac".repeat(3e5); for (;;) decodeURIComponent(encodeURIComponent(text));',
  ],
  [
    'a long text in other forms',
    'const text = "\\u1e9b\\u0323".repeat(1e5); for (;;) text.normalize("NFKC").toLowerCase().localeCompare(text);',
  ],
  [
    'a deep list as text, which is looked through for itself',
    'let list = []; for (let depth = 0; depth < 700; depth++) list = [list]; for (;;) { try { JSON.stringify(list); } catch {} }',
  ],
  [
    'many keys of one object',
    'const object = Object.fromEntries(Array.from({ length: 20000 }, (_, index) => ["key" + index, 1])); for (;;) { Object.keys(object); Reflect.ownKeys(object); ({ ...object }); }',
  ],
  [
    'copies of a long buffer',
    'const bytes = new Uint8Array(8e6); for (;;) { bytes.fill(1); bytes.slice(); bytes.reverse(); }',
  ],
  ['a list that is joined out of nothing', 'const list = []; list.length = 4e9; return list.join("").length;'],
];

/** The same kind of work where the host has been called before: it knows of the beginning by what it sends, and by nothing else. */
const AFTER_CALLS: readonly (readonly [title: string, before: string])[] = [
  ['one answer', 'await echo(1);'],
  ['two answers at once', 'const other = echo(2); await echo(1); await other;'],
  ['the second of two answers', 'echo(1); await echo(2);'],
  ['a failure', 'await fail().catch(() => 1);'],
  ['three rounds of answers', 'for (let turn = 0; turn < 3; turn++) await Promise.all([echo(1), echo(2)]);'],
];

const MULTIPLY = 'const value = (1n << 500000n) - 1n;';

export const NATIVES: readonly LimitCase[] = [
  ...SLOW.map(([title, payload]) => ({ title: `slow: ${title}`, payload, expected: 'time' as const })),
  ...AFTER_CALLS.map(([title, before]) => ({
    title: `slow: after ${title}`,
    payload: `${MULTIPLY} ${before} for (;;) value * value;`,
    expected: 'time' as const,
  })),
  {
    title: 'slow: a little after each of many answers',
    payload:
      'const value = (1n << 100000n) - 1n; for (let turn = 0; turn < 90; turn++) { await slow(1); value * value; }',
    expected: 'time',
  },
  {
    title: 'slow: a little after each of many answers, all asked for at once',
    payload:
      'const value = (1n << 100000n) - 1n; await Promise.all(new Array(90).fill(1).map(() => echo(1).then(() => value * value)));',
    expected: 'time',
  },
  {
    title: 'slow: while a call is under way',
    payload: `${MULTIPLY} hang(); for (;;) value * value;`,
    expected: 'time',
  },
  {
    title: 'slow: repeat up to the longest text',
    payload: 'return "x".repeat(2 ** 30 - 3).length;',
    expected: 'memory',
  },
  {
    title: 'slow: a source that takes long to read',
    payload: `return [${'/(?:a{0,999}){0,999}[^a-z]/u,'.repeat(2000)}].length`,
    expected: ['done', 'time'],
  },
];
