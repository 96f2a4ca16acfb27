import { done, type EscapeCase, failedBy, threw } from './case.ts';

/** Sources that want to be read as something else than the body of one function. */
const CLOSING: readonly EscapeCase[] = [
  {
    title: 'source: closes the function, and opens another',
    payload: '}); globalThis.outside = 1; (async () => { return [outside, typeof echo];',
    expected: done([1, 'function']),
  },
  {
    title: 'source: closes the function, and names others',
    payload:
      '}); Array.prototype[Symbol.iterator] = function* () { yield "secret"; }; (async () => { return secret(1);',
    expected: ({ end }) => end.status === 'failed',
  },
  {
    title: 'source: closes the function, and takes a name that is offered',
    payload: '}); Object.defineProperty(globalThis, "echo", { value: () => "forged" }); (async () => { return echo(1);',
    expected: failedBy('threw'),
  },
  {
    title: 'source: closes the function, and seals the global object',
    payload: '}); Object.preventExtensions(globalThis); (async () => { return 1;',
    expected: failedBy('threw'),
  },
  {
    title: 'source: closes the function, and gives a thenable of its own',
    payload: '}); (() => { return { then(resolve) { resolve("mine"); resolve("again"); } };',
    expected: done('mine'),
  },
  { title: 'source: closes the function, and gives no function', payload: '}); ({', expected: failedBy('threw') },
  {
    title: 'source: closes the function, and loops outside of it',
    payload: '}); for (;;); (async () => {',
    expected: failedBy('steps'),
    limits: { steps: 200_000 },
  },
  {
    title: 'source: closes the function, and throws outside of it',
    payload: '}); throw new Error("outside"); (async () => {',
    expected: threw('Error: outside'),
  },
  {
    title: 'source: closes the function, and is not strict outside of it',
    payload:
      '}); var found = (function () { return this === globalThis; })(); (async () => { return [found, (function () { return this === globalThis; })()];',
    expected: done([true, true]),
  },
  {
    title: 'source: closes the function, and calls the host before there is one',
    payload: '}); try { echo(1); } catch (error) { globalThis.caught = error.name; } (async () => { return caught;',
    expected: done('ReferenceError'),
  },
  { title: 'source: closes more than there is', payload: '}}}); (async () => {{{', expected: failedBy('syntax') },
  { title: 'source: only closes', payload: '})', expected: failedBy('syntax') },
  { title: 'source: a comment that swallows the end', payload: 'return 1; //', expected: done(1) },
  { title: 'source: a comment that is not closed', payload: 'return 1; /*', expected: failedBy('syntax') },
  { title: 'source: a template that is not closed', payload: 'return `', expected: failedBy('syntax') },
  { title: 'source: a text that is not closed', payload: "return '", expected: failedBy('syntax') },
];

const READING: readonly EscapeCase[] = [
  { title: 'source: a letter that ends lines, in a comment', payload: '// comment\u2028return 1;', expected: done(1) },
  { title: 'source: a letter that ends lines, in a text', payload: 'return "a\u2028b";', expected: done('a\u2028b') },
  {
    title: 'source: escapes in names',
    payload: 'const \\u0070rocess = 1; return [process, typeof \\u{72}equire];',
    expected: done([1, 'undefined']),
  },
  { title: 'source: an escape in a word of the language', payload: '\\u0072eturn 1;', expected: failedBy('syntax') },
  { title: 'source: comments of HTML', payload: '<!-- hidden\nreturn 1;\n--> hidden', expected: done(1) },
  {
    title: 'source: a first line of a program',
    payload: '#!/usr/bin/env node\nreturn 1;',
    expected: failedBy('syntax'),
  },
  { title: 'source: a mark of byte order', payload: '\ufeffreturn 1;', expected: done(1) },
  { title: 'source: a letter of nothing', payload: 'return "a\u0000b";', expected: done('a\u0000b') },
  {
    title: 'source: a letter of nothing, outside of a text',
    payload: 'return 1; \u0000 return 2;',
    expected: failedBy('syntax'),
  },
  { title: 'source: half a letter', payload: 'return "\ud800";', expected: done('\ud800') },
  { title: 'source: right to left', payload: 'return "a\u202eb";', expected: done('a\u202eb') },
  { title: 'source: nothing', payload: '', expected: done(null) },
  { title: 'source: with', payload: 'with ({}) {}', expected: failedBy('syntax') },
  { title: 'source: numbers of old', payload: 'return 010;', expected: failedBy('syntax') },
  { title: 'source: delete of a name', payload: 'const value = 1; delete value;', expected: failedBy('syntax') },
  {
    title: 'source: a name that is not declared',
    payload: 'undeclared = 1;',
    expected: threw('ReferenceError: undeclared is not defined'),
  },
  { title: 'source: a name that is reserved', payload: 'const eval = 1;', expected: failedBy('syntax') },
  { title: 'source: await as a name', payload: 'const await = 1;', expected: failedBy('syntax') },
  {
    title: 'source: labels and jumps',
    payload: 'outer: { inner: { break outer; } return 1; } return 2;',
    expected: done(2),
  },
  { title: 'source: a jump out of the function', payload: 'break;', expected: failedBy('syntax') },
  {
    title: 'source: yield, super and new.target',
    payload: 'return [() => super.x, new.target];',
    expected: failedBy('syntax'),
  },
  {
    title: 'source: the arguments of what stands around it',
    payload: 'return arguments.length;',
    expected: { status: 'failed' },
  },
  {
    title: 'source: a declaration with the name of a function that is offered',
    payload: 'const echo = () => "mine"; return [echo(), await globalThis.echo(1)];',
    expected: done(['mine', [1]]),
    calls: ['echo [1]'],
  },
  {
    title: 'source: declarations do not reach the global object',
    payload: 'var mine = 1; function other() {} return ["mine" in globalThis, "other" in globalThis];',
    expected: done([false, false]),
  },
];

export const SYNTAX: readonly EscapeCase[] = [...CLOSING, ...READING];
