import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { quickjsEngine } from '../src/engine/quickjs.ts';
import { HostState } from './hostile/host.ts';
import { problemOfLimit } from './hostile/judge.ts';
import { LIMIT_CASES } from './hostile/limits.ts';
import { limitsOf, PATIENT_LIMITS, runScript } from './hostile/rig.ts';

const engine = quickjsEngine({ memory: PATIENT_LIMITS.memory, spare: 2 });
beforeAll(async () => {
  await runScript(engine, 'return 1;');
});
afterAll(() => engine.close());

describe('a script that wants more than it may have', () => {
  test('has a title of its own', () => {
    expect(new Set(LIMIT_CASES.map(({ title }) => title)).size).toBe(LIMIT_CASES.length);
    expect(LIMIT_CASES.length).toBeGreaterThan(200);
  });

  // time.test.ts checks when a script is ended; `npm run fuzz -- hostile` measures how late.
  test.each(LIMIT_CASES.map((each) => [each.title, each] as const))('%s', async (_, hostile) => {
    const state = new HostState();
    const limits = limitsOf(hostile);
    const ran = await runScript(engine, hostile.payload, { limits });
    expect(problemOfLimit(hostile, ran)).toBeUndefined();
    expect(ran.calls.length).toBeLessThanOrEqual(limits.calls);
    expect((await runScript(engine, 'return echo(1 + 1);')).end).toMatchObject({ status: 'done', output: '[2]' });
    expect(state.changes()).toEqual([]);
  });
});
