import type { LimitCase } from './case.ts';

/** More than may come out: of the script's end, and of its calls. */
const OUTPUTS: readonly LimitCase[] = [
  { title: 'output: a long string', payload: 'return "x".repeat(65535);', expected: 'output' },
  { title: 'output: a string of long letters', payload: 'return "\\u20ac".repeat(22000);', expected: 'output' },
  { title: 'output: a string that is escaped', payload: 'return "\\u0001".repeat(11000);', expected: 'output' },
  { title: 'output: halves of letters', payload: 'return "\\ud800".repeat(11000);', expected: 'output' },
  { title: 'output: a long list', payload: 'return new Array(40000).fill(0);', expected: 'output' },
  { title: 'output: a long list of nothing', payload: 'return new Array(20000);', expected: 'output' },
  { title: 'output: long names', payload: 'return { ["x".repeat(70000)]: 1 };', expected: 'output' },
  {
    title: 'output: ten million letters',
    payload: 'return "x".repeat(1e7);',
    expected: 'output',
  },
  {
    title: 'output: toJSON that makes it long',
    payload: 'return { toJSON: () => "x".repeat(1e6) };',
    expected: 'output',
  },
  { title: 'output: a message of an error', payload: 'throw new Error("x".repeat(1e6));', expected: 'threw' },
  {
    title: 'output: a name of an error',
    payload: 'throw Object.assign(new Error(""), { name: "x".repeat(1e6) });',
    expected: 'threw',
  },
  { title: 'output: what is thrown', payload: 'throw "x".repeat(1e6);', expected: 'threw' },
  {
    title: 'output: a message that the script makes longer once more',
    payload: 'String.prototype.slice = () => "y".repeat(5e6); throw new Error("x".repeat(1000));',
    expected: ['threw', 'output', 'time', 'memory'],
  },
  {
    title: 'output: a message of halves of letters that the script makes longer once more',
    payload: 'String.prototype.slice = () => "\\ud800".repeat(2e6); throw new Error("x".repeat(1000));',
    expected: ['threw', 'output', 'time', 'memory'],
  },
];

const CALLS: readonly LimitCase[] = [
  { title: 'calls: one after the other', payload: 'for (;;) await echo(1);', expected: 'calls' },
  { title: 'calls: all at once', payload: 'for (;;) echo(1);', expected: 'calls' },
  {
    title: 'calls: Promise.all',
    payload: 'return Promise.all(new Array(10000).fill(1).map((each) => echo(each)));',
    expected: 'calls',
  },
  {
    title: 'calls: in the reaction to one',
    payload: 'const again = () => echo(1).then(again); await again();',
    expected: 'calls',
  },
  {
    title: 'calls: in the reaction to a failure',
    payload: 'const again = () => fail().catch(again); await again();',
    expected: 'calls',
  },
  {
    title: 'calls: of what fails, all caught',
    payload: 'for (;;) { try { await fail(); } catch {} }',
    expected: 'calls',
  },
  {
    title: 'calls: from toJSON of an argument',
    payload: 'const again = { toJSON: () => { echo(again); return 1; } }; return echo(again);',
    expected: ['calls', 'stack'],
  },
  {
    title: 'calls: with long arguments',
    payload: 'for (;;) await echo("x".repeat(60000));',
    expected: ['calls', 'time'],
  },
  {
    title: 'calls: with arguments that are too long',
    payload: 'for (;;) await echo("x".repeat(70000)).catch(() => 1);',
    expected: ['calls', 'time'],
  },
  {
    title: 'calls: with arguments that are far too long',
    payload: 'for (;;) await echo("x".repeat(3e6)).catch(() => 1);',
    expected: ['calls', 'time'],
  },
  {
    title: 'calls: after the end',
    payload: 'for (let turn = 0; turn < 1000; turn++) echo(1); return 1;',
    expected: 'calls',
  },
  { title: 'calls: of what never answers', payload: 'for (;;) hang();', expected: 'calls' },
];

const CATCHING: readonly LimitCase[] = [
  {
    title: 'caught: memory, again and again',
    payload: 'for (;;) { try { const list = []; for (;;) list.push(new Uint8Array(1e6)); } catch {} }',
    expected: ['time', 'memory'],
  },
  {
    title: 'caught: memory of small things, again and again',
    payload: 'for (;;) { try { const list = []; for (;;) list.push({}); } catch {} }',
    expected: ['time', 'memory'],
  },
  {
    title: 'caught: memory, kept',
    payload: 'const list = []; for (;;) { try { for (;;) list.push([1, 2, 3]); } catch {} }',
    expected: ['time', 'memory'],
  },
  {
    title: 'caught: memory, and a call of the host in the need',
    payload: 'const list = []; try { for (;;) list.push([1, 2, 3]); } catch {} return echo("text");',
    expected: ['memory', 'done'],
  },
  {
    title: 'caught: memory, in finally',
    payload: 'const list = []; try { for (;;) list.push("x".repeat(1000)); } finally { for (;;); }',
    expected: 'time',
  },
  {
    title: 'caught: the stack, again and again',
    payload: 'const deep = () => { try { deep(); } catch { deep(); } }; deep();',
    expected: 'steps',
    limits: { steps: 20_000 },
  },
  {
    title: 'caught: the stack, in finally',
    payload: 'const deep = () => { try { deep(); } finally { deep(); } }; for (;;) { try { deep(); } catch {} }',
    expected: 'steps',
    limits: { steps: 20_000 },
  },
  {
    title: 'caught: steps cannot be',
    payload: 'for (;;) { try { for (;;); } catch {} finally { continue; } }',
    expected: 'steps',
    limits: { steps: 1_000_000 },
  },
  {
    title: 'caught: calls cannot be',
    payload: 'for (;;) { try { await echo(1); } catch {} }',
    expected: 'calls',
  },
];

const NEVER: readonly LimitCase[] = [
  { title: 'never: a promise without an end', payload: 'await new Promise(() => {});', expected: 'stuck' },
  { title: 'never: a thenable without an end', payload: 'return { then() {} };', expected: 'stuck' },
  {
    title: 'never: a promise that waits for itself',
    payload: 'const wait = Promise.resolve().then(() => wait); return wait;',
    expected: 'threw',
  },
  {
    title: 'never: a generator that waits',
    payload: 'async function* numbers() { await new Promise(() => {}); } for await (const each of numbers());',
    expected: 'stuck',
  },
  { title: 'never: the host', payload: 'return hang();', expected: 'time', isWaiting: true },
  {
    title: 'never: the host, beside what answers',
    payload: 'await echo(1); return Promise.all([echo(2), hang()]);',
    expected: 'time',
    isWaiting: true,
  },
];

export const FLOODS: readonly LimitCase[] = [...OUTPUTS, ...CALLS, ...CATCHING, ...NEVER];
