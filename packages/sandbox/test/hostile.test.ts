import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { quickjsEngine } from '../src/quickjs.ts';
import type { LimitCase } from './hostile/case.ts';
import { HostState } from './hostile/host.ts';
import { problemOfLimit } from './hostile/judge.ts';
import { LIMIT_CASES } from './hostile/limits.ts';
import { BUSY, limitsOf, PATIENT_LIMITS, runScript } from './hostile/rig.ts';

/** Milliseconds past its limit within which a script must have been ended. */
const LATE = 250;

/** A machine may be busy: the best of so many runs counts. */
const TRIES = 5;

const engine = quickjsEngine({ memory: PATIENT_LIMITS.memory, spare: 2 });
beforeAll(async () => {
  await runScript(engine, 'return 1;');
});
afterAll(() => engine.close());

/** Milliseconds that a script took longer than it may, in the best of its runs. */
async function lateness(hostile: LimitCase): Promise<number> {
  const limits = limitsOf(hostile);
  const limit = hostile.isWaiting ? limits.total : limits.time;
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < TRIES && best > LATE; attempt++) {
    const ran = await runScript(engine, hostile.payload, { limits });
    expect(problemOfLimit(hostile, ran)).toBeUndefined();
    best = Math.min(best, ran.milliseconds - limit);
  }
  return best;
}

describe('a script that wants more than it may have', () => {
  test('has a title of its own', () => {
    expect(new Set(LIMIT_CASES.map(({ title }) => title)).size).toBe(LIMIT_CASES.length);
    expect(LIMIT_CASES.length).toBeGreaterThan(200);
  });

  test.each(LIMIT_CASES.map((each) => [each.title, each] as const))('%s', BUSY, async (_, hostile) => {
    const state = new HostState();
    const late = await lateness(hostile);
    expect(late, `${Math.round(late)} ms over its limit`).toBeLessThanOrEqual(LATE);
    expect((await runScript(engine, 'return echo(1 + 1);')).end).toMatchObject({ status: 'done', output: '[2]' });
    expect(state.changes()).toEqual([]);
  });
});
