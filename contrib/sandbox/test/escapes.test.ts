import { afterAll, describe, expect, test } from 'vitest';
import { quickjsEngine } from '../src/engine/quickjs.ts';
import { ESCAPE_CASES } from './hostile/escapes.ts';
import { HostState } from './hostile/host.ts';
import { problemOfEscape } from './hostile/judge.ts';
import { limitsOf, PATIENT_LIMITS, runScript } from './hostile/rig.ts';

const engine = quickjsEngine({ memory: PATIENT_LIMITS.memory, spare: 2 });
afterAll(() => engine.close());

describe('a script that wants out', () => {
  test('has a title of its own', () => {
    expect(new Set(ESCAPE_CASES.map(({ title }) => title)).size).toBe(ESCAPE_CASES.length);
    expect(ESCAPE_CASES.length).toBeGreaterThan(200);
  });

  test.each(ESCAPE_CASES.map((each) => [each.title, each] as const))('%s', async (_, hostile) => {
    const state = new HostState();
    const ran = await runScript(engine, hostile.payload, { limits: limitsOf(hostile) });
    expect(problemOfEscape(hostile, ran)).toBeUndefined();
    expect(state.changes()).toEqual([]);
  });
});
