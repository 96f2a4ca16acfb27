import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { ManualTime } from '../../../packages/core/test/fixture/time.ts';
import {
  createScripts,
  DEFAULT_LIMITS,
  montyEngine,
  type Reason,
  type ScriptCall,
  type ScriptEngine,
  type Suspension,
} from '../src/index.ts';
import { TOOLS, talk } from './world.ts';

const engine = montyEngine();
afterAll(() => engine.close());

const limits = { ...DEFAULT_LIMITS, memory: 33_554_432, time: 60_000, calls: 5, outputBytes: 1000 };

async function play(source: string, time = limits.time, on: ScriptEngine = engine) {
  const calls: ScriptCall[] = [];
  const end = await on.run({
    ...{ source, limits: { ...limits, time }, input: '{"list":[1,2]}', functions: ['f'], now: 0 },
    call: async (call) => {
      calls.push(call);
      return call.name === 'f' && call.index < 3 ? { ok: true, json: '{"a":[1]}' } : { ok: false, message: 'no' };
    },
  });
  return { end, calls };
}

describe('Python', () => {
  it('is described with calls that do not wait by a keyword', async () => {
    const { conversation } = await talk();
    const readMail = { tool: TOOLS.readMail, description: 'reads a mail', run: () => 'x' };
    const { description } = createScripts({ conversation, engine, functions: { readMail } });
    expect(description).toContain('- readMail({ ... }) reads a mail');
    expect(description).not.toContain('- await ');
  });

  it('calls functions by position and by name, and gives its last value', async () => {
    const { end, calls } = await play('x = f("q", data=["a", {"k": 1}])\n[len(input["list"]), x["a"], (1, 2), None]');
    expect(end).toEqual({ status: 'done', output: '[2,[1],[1,2],null]', steps: 0 });
    expect(calls).toEqual([{ index: 0, name: 'f', arguments: '["q",{"data":["a",{"k":1}]}]' }]);
  });

  const CASES: readonly { title: string; payload: string; expected: Reason; time?: number }[] = [
    { title: 'a loop', payload: 'while True:\n  pass', expected: 'time', time: 300 },
    { title: 'memory', payload: 'x = []\nwhile True:\n  x.append("y" * 1000)', expected: 'memory' },
    { title: 'recursion', payload: 'def g(): return g()\ng()', expected: 'stack' },
    {
      title: 'calls',
      payload: 'for i in range(9):\n  try:\n    f(i)\n  except RuntimeError:\n    pass',
      expected: 'calls',
    },
    { title: 'output', payload: '"x" * 2000', expected: 'output' },
    { title: 'syntax', payload: 'x = 5 **', expected: 'syntax' },
    { title: 'an error', payload: '1 / 0', expected: 'threw' },
    { title: 'a function that is not offered', payload: 'g(1)', expected: 'threw' },
    { title: 'files', payload: 'open("/etc/passwd").read()', expected: 'threw' },
    { title: 'the system', payload: 'import os\nos.listdir("/")', expected: 'threw' },
    { title: 'processes', payload: 'import subprocess', expected: 'threw' },
    { title: 'eval', payload: 'eval("1")', expected: 'threw' },
    { title: 'a number that JSON has no form for', payload: '2 ** 64', expected: 'threw' },
    { title: 'one that is none', payload: 'float("nan")', expected: 'threw' },
  ];
  it.each(CASES)('ends at $title', async ({ payload, expected, time }) => {
    const { end } = await play(payload, time);
    expect(end).toMatchObject({ status: 'failed', reason: expected });
    expect(JSON.stringify(end)).not.toMatch(/file:|node_modules|\.js/);
  });

  it('is answered for in time where it cannot be interrupted', async () => {
    const time = new ManualTime();
    const other = montyEngine({ timer: time.timer });
    // Left alone it would end with a value, long before its time limit.
    const playing = play('a = 3 ** 6000000\n(a * a) % 7', 60_000, other);
    await expect.poll(() => time.waiting).toEqual([60_050, 120_000]);
    // A real pause: the thread cannot tell when it is inside the long operation. A pause that is too short fails nothing.
    await pause(200);
    time.advance(60_050);
    // The thread does not react to its termination, and the engine waits for it only 50 ms.
    const passing = setInterval(() => time.advance(50), 1);
    expect((await playing).end).toMatchObject({ status: 'failed', reason: 'time' });
    clearInterval(passing);
    await other.close();
  });

  it('waits for a person, and goes on from there, by the same journal', async () => {
    const { conversation } = await talk();
    const done: unknown[] = [];
    const scripts = createScripts({
      conversation,
      engine,
      functions: {
        readMail: { tool: TOOLS.readMail, run: () => 'four' },
        order: { tool: TOOLS.order, run: (given) => done.push(given) },
      },
    });
    const code = 'm = readMail()\norder(count=len(m) * 1000)\n"ordered"';
    const result = await scripts.run({ id: 's', source: code });
    expect([result.status, done.length]).toEqual(['suspended', 0]);
    const resumed = await scripts.resume((result as { suspension: Suspension }).suspension, () => ({ by: 'ann' }));
    expect(resumed).toMatchObject({ status: 'done', value: 'ordered' });
    expect(done).toEqual([{ count: 4000 }]);
  });
});
