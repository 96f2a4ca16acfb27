import { getEventListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { ScriptEngine } from '../src/engine.ts';
import { quickjsEngine } from '../src/quickjs.ts';
import type { Ran } from './hostile/case.ts';
import { type Answer, PATIENT_LIMITS, runScript } from './hostile/rig.ts';

const LIMITS = { time: 20_000, total: 20_000 };
const ABORTED = { status: 'failed', reason: 'aborted' };

async function withEngine(spare: number, work: (engine: ScriptEngine) => Promise<void>): Promise<void> {
  const engine = quickjsEngine({ memory: PATIENT_LIMITS.memory, spare });
  try {
    await work(engine);
  } finally {
    await engine.close();
  }
}

/** What came of it, unless it hangs. */
async function soon(running: Promise<Ran>): Promise<unknown> {
  return Promise.race([running.then(({ end }) => end), pause(3000, 'hangs', { ref: false })]);
}

const SCRIPTS = [
  { title: 'a loop', payload: 'for (;;);' },
  { title: 'what never asks whether to go on', payload: 'const value = (1n << 500000n) - 1n; for (;;) value * value;' },
  { title: 'what waits for the host', payload: 'return hang();' },
];

describe('a signal ends a script', () => {
  test.each(SCRIPTS)('that runs: $title', ({ payload }) =>
    withEngine(1, async (engine) => {
      await runScript(engine, 'return 1;');
      const stop = new AbortController();
      const running = runScript(engine, payload, { limits: LIMITS, signal: stop.signal });
      await pause(100);
      stop.abort();
      expect(await soon(running)).toMatchObject(ABORTED);
    }),
  );

  test('before it begins', () =>
    withEngine(1, async (engine) => {
      const { end, calls } = await runScript(engine, 'return echo(1);', { signal: AbortSignal.abort() });
      expect(end).toMatchObject(ABORTED);
      expect(calls).toEqual([]);
    }));

  test('while its thread is made', () =>
    withEngine(0, async (engine) => {
      const stop = new AbortController();
      const running = runScript(engine, 'for (;;);', { limits: LIMITS, signal: stop.signal });
      stop.abort();
      expect(await soon(running)).toMatchObject(ABORTED);
    }));

  test('and is left alone when the script has ended', () =>
    withEngine(1, async (engine) => {
      const { signal } = new AbortController();
      for (let turn = 0; turn < 3; turn++) await runScript(engine, 'return 1;', { signal });
      expect(getEventListeners(signal, 'abort')).toEqual([]);
    }));
});

describe('close() ends', () => {
  test.each(SCRIPTS)('a script that runs: $title', ({ payload }) =>
    withEngine(1, async (engine) => {
      await runScript(engine, 'return 1;');
      const running = runScript(engine, payload, { limits: LIMITS });
      await pause(100);
      await engine.close();
      expect(await soon(running)).toMatchObject(ABORTED);
    }),
  );

  // A thread takes tens of milliseconds to be made, so that one of these meets it in the making.
  test.each([0, 1, 5, 10, 20, 40, 60, 80])('a script whose thread is made, after %i ms', (wait) =>
    withEngine(0, async (engine) => {
      const running = runScript(engine, 'for (;;);', { limits: LIMITS });
      if (wait > 0) await pause(wait);
      await engine.close();
      expect(await soon(running)).toMatchObject(ABORTED);
    }),
  );

  test('a script that was handed a thread just now', () =>
    withEngine(1, async (engine) => {
      await runScript(engine, 'return 1;');
      const running = runScript(engine, 'for (;;);', { limits: LIMITS });
      await engine.close();
      expect(await soon(running)).toMatchObject(ABORTED);
    }));

  test('all that comes after it', () =>
    withEngine(1, async (engine) => {
      await engine.close();
      await engine.close();
      expect((await runScript(engine, 'return 1;')).end).toMatchObject(ABORTED);
    }));
});

describe('a host that breaks its word does not break', () => {
  const HOSTS: readonly (readonly [string, Answer])[] = [
    ['rejects', () => Promise.reject(new Error('words of the host'))],
    [
      'throws',
      () => {
        throw new Error('words of the host');
      },
    ],
    ['answers what is no JSON', () => Promise.resolve({ ok: true, json: '{' })],
  ];
  test.each(HOSTS)('where a call %s', (_, answer) =>
    withEngine(1, async (engine) => {
      const { end } = await runScript(engine, 'return echo(1);', { answer });
      expect(end).toMatchObject({ status: 'failed' });
      expect(end).not.toMatchObject({ reason: 'time' });
      expect(JSON.stringify(end)).not.toContain('words of the host');
    }),
  );
});
