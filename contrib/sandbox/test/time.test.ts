import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ManualTime } from '../../../packages/core/test/fixture/time.ts';
import type { ScriptAnswer, ScriptEngine } from '../src/engine/engine.ts';
import { quickjsEngine } from '../src/engine/quickjs.ts';
import { type Answer, PATIENT_LIMITS, runScript } from './hostile/rig.ts';

/** Far longer than any of these scripts runs: they are ended from outside, by a timer that the test moves. */
const LIMITS = { time: 600_000, total: 900_000 };
/** Milliseconds in which a thread may end by itself once its time is over. */
const GRACE = 50;
const TIME = { status: 'failed', reason: 'time' };

let time: ManualTime;
let engine: ScriptEngine;
let calls: ((answer: ScriptAnswer) => void)[];
beforeEach(() => {
  time = new ManualTime();
  engine = quickjsEngine({ memory: PATIENT_LIMITS.memory, spare: 0, timer: time.timer });
  calls = [];
});
afterEach(() => engine.close());

const answer: Answer = () => new Promise((resolve) => calls.push(resolve));

/** Waits until the host was called `count` times. */
async function called(count: number): Promise<void> {
  await expect.poll(() => calls.length).toBe(count);
}

/** Enough turns of the event loop for everything that needs no timer. */
async function turns(): Promise<'not yet'> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  return 'not yet';
}

describe('a script whose time is over is ended from outside', () => {
  test.each([
    { title: 'a loop', payload: 'echo(1); for (;;);' },
    { title: 'what never asks whether to go on', payload: 'const a = (1n << 500000n) - 1n; echo(1); for (;;) a * a;' },
  ])('$title', async ({ payload }) => {
    const ended = runScript(engine, payload, { limits: LIMITS, answer });
    await called(1);
    expect(time.waiting).toEqual([LIMITS.time + GRACE, LIMITS.total]);
    time.advance(LIMITS.time + GRACE - 1);
    expect(await Promise.race([ended, turns()])).toBe('not yet');
    time.advance(1);
    expect((await ended).end).toMatchObject(TIME);
    expect(time.waiting).toEqual([]);
  });

  test('with what it used before an answer', async () => {
    const ended = runScript(engine, 'await echo(1); echo(2); for (;;);', { limits: LIMITS, answer });
    await called(1);
    // While it waits for the host, only the limit of the whole run counts.
    await expect.poll(() => time.waiting).toEqual([LIMITS.total]);
    calls[0]?.({ ok: true, json: '1' });
    await called(2);
    const [left = 0, total] = time.waiting;
    expect(left).toBeGreaterThan(GRACE);
    expect(left).toBeLessThan(LIMITS.time + GRACE);
    expect(total).toBe(LIMITS.total);
    time.advance(left);
    expect((await ended).end).toMatchObject(TIME);
  });
});

describe('the limit of the whole run', () => {
  test('ends a script that waits for the host', async () => {
    const ended = runScript(engine, 'return echo(1);', { limits: LIMITS, answer });
    await called(1);
    await expect.poll(() => time.waiting).toEqual([LIMITS.total]);
    time.advance(LIMITS.total - 1);
    expect(await Promise.race([ended, turns()])).toBe('not yet');
    time.advance(1);
    expect((await ended).end).toMatchObject(TIME);
    expect(time.waiting).toEqual([]);
  });

  test('ends one whose thread is not ready', async () => {
    const ended = runScript(engine, 'return 1;', { limits: LIMITS, answer });
    await expect.poll(() => time.waiting).toEqual([LIMITS.total]);
    time.advance(LIMITS.total);
    expect((await ended).end).toMatchObject(TIME);
  });

  test('is taken back when the script ends', async () => {
    expect((await runScript(engine, 'return 1;', { limits: LIMITS })).end).toMatchObject({ status: 'done' });
    expect(time.waiting).toEqual([]);
  });
});
