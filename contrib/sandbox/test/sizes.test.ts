import { afterAll, describe, expect, test } from 'vitest';
import type { ScriptLimits } from '../src/engine/limits.ts';
import { quickjsEngine } from '../src/engine/quickjs.ts';
import { type Answer, runScript, type ScriptOptions } from './hostile/rig.ts';

const engine = quickjsEngine({ memory: 32 * 1024 * 1024 });
afterAll(() => engine.close());

interface Case {
  readonly title: string;
  readonly payload: string;
  readonly limits: Partial<ScriptLimits>;
  readonly options?: Omit<ScriptOptions, 'limits'>;
  readonly expected: object;
}

function long(count: number): Answer {
  return async () => ({ ok: true, json: JSON.stringify('x'.repeat(count - 2)) });
}

/** Each at its limit, one past it, and where only the bytes are past it. */
const CASES: readonly Case[] = [
  { title: 'source: at the limit', payload: 'return 1;', limits: { sourceBytes: 9 }, expected: { output: '1' } },
  {
    title: 'source: past it',
    payload: 'return 1;',
    limits: { sourceBytes: 8 },
    expected: { reason: 'source', steps: 0 },
  },
  {
    title: 'source: past it in bytes',
    payload: 'return "\u20ac";',
    limits: { sourceBytes: 11 },
    expected: { reason: 'source' },
  },
  {
    title: 'input: at the limit',
    payload: 'return input;',
    limits: { inputBytes: 4 },
    options: { input: '"ab"' },
    expected: { output: '"ab"' },
  },
  {
    title: 'input: past it',
    payload: 'return input;',
    limits: { inputBytes: 3 },
    options: { input: '"ab"' },
    expected: { reason: 'input', steps: 0 },
  },
  {
    title: 'input: past it in bytes',
    payload: 'return input;',
    limits: { inputBytes: 4 },
    options: { input: '"\u20ac"' },
    expected: { reason: 'input' },
  },
  {
    title: 'argument: at the limit',
    payload: 'return echo("abc");',
    limits: { argumentBytes: 7 },
    expected: { output: '["abc"]' },
  },
  {
    title: 'argument: past it',
    payload: 'return echo("abc");',
    limits: { argumentBytes: 6 },
    expected: { reason: 'threw', message: 'Error: No.' },
  },
  {
    title: 'argument: past it in bytes',
    payload: 'return echo("\u20ac");',
    limits: { argumentBytes: 6 },
    expected: { reason: 'threw', message: 'Error: No.' },
  },
  {
    title: 'result: at the limit',
    payload: 'return (await echo()).length;',
    limits: { resultBytes: 100 },
    options: { answer: long(100) },
    expected: { output: '98' },
  },
  {
    title: 'result: past it',
    payload: 'return (await echo()).length;',
    limits: { resultBytes: 99 },
    options: { answer: long(100) },
    expected: { reason: 'threw', message: 'Error: The answer is longer than it may be.' },
  },
  {
    title: 'result: past it in bytes',
    payload: 'return (await echo()).length;',
    limits: { resultBytes: 4 },
    options: { answer: async () => ({ ok: true, json: '"\u20ac"' }) },
    expected: { reason: 'threw', message: 'Error: The answer is longer than it may be.' },
  },
  { title: 'output: at the limit', payload: 'return "ab";', limits: { outputBytes: 4 }, expected: { output: '"ab"' } },
  { title: 'output: past it', payload: 'return "ab";', limits: { outputBytes: 3 }, expected: { reason: 'output' } },
  {
    title: 'output: past it in bytes',
    payload: 'return "\u20ac";',
    limits: { outputBytes: 4 },
    expected: { reason: 'output' },
  },
  {
    title: 'calls: at the limit',
    payload: 'for (let turn = 0; turn < 3; turn++) await echo(turn);',
    limits: { calls: 3 },
    expected: { output: 'null' },
  },
  {
    title: 'calls: past it',
    payload: 'for (let turn = 0; turn < 4; turn++) await echo(turn);',
    limits: { calls: 3 },
    expected: { reason: 'calls' },
  },
];

describe('a size is counted in bytes, and ends a script only past its limit', () => {
  test.each(CASES)('$title', async ({ payload, limits, options, expected }) => {
    expect((await runScript(engine, payload, { ...options, limits })).end).toMatchObject(expected);
  });
});

test('an input that the machine has no room for ends the script by memory', async () => {
  const input = JSON.stringify(new Array(1_000_000).fill('text'));
  const { end } = await runScript(engine, 'return input.length;', { input });
  expect(end).toMatchObject({ status: 'failed', reason: 'memory' });
});

test('an answer that the machine has no room for ends the script by memory', async () => {
  const limits = { resultBytes: 2 ** 30 };
  const { end } = await runScript(engine, 'return (await echo()).length;', { answer: long(30_000_000), limits });
  expect(end).toMatchObject({ status: 'failed', reason: 'memory' });
});

test.each([
  ['given back', 'return deep;', { reason: 'output' }],
  ['as arguments', 'return echo(deep);', { reason: 'threw', message: 'Error: No.' }],
])('what is nested deeper than a host can read is not handed out: %s', async (_, rest, expected) => {
  const source = `let deep = 1; for (let level = 0; level < 5000; level++) deep = [deep]; ${rest}`;
  expect((await runScript(engine, source)).end).toMatchObject(expected);
});
