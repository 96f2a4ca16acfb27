import { getEventListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { ScriptEngine } from '../src/engine/engine.ts';
import { quickjsEngine } from '../src/engine/quickjs.ts';
import type { Ran } from './hostile/case.ts';
import { type Answer, PATIENT_LIMITS, runScript } from './hostile/rig.ts';

/** A script that is not stopped goes on until then, and ends for another reason. */
const LIMITS = { time: 30_000, total: 30_000 };
const ABORTED = { status: 'failed', reason: 'aborted' };

async function withEngine(spare: number, work: (engine: ScriptEngine) => Promise<void>): Promise<void> {
  const engine = quickjsEngine({ memory: PATIENT_LIMITS.memory, spare });
  try {
    await work(engine);
  } finally {
    await engine.close();
  }
}

/** Each calls the host once: then the test knows that it runs. */
const SCRIPTS = [
  { title: 'a loop', payload: 'hang(); for (;;);' },
  {
    title: 'what never asks whether to go on',
    payload: 'const value = (1n << 500000n) - 1n; hang(); for (;;) value * value;',
  },
  { title: 'what waits for the host', payload: 'return hang();' },
];

/** Starts a script, and waits until it runs. */
async function started(engine: ScriptEngine, source: string, signal?: AbortSignal): Promise<{ ended: Promise<Ran> }> {
  let isCalled = (): void => undefined;
  const called = new Promise<void>((resolve) => {
    isCalled = resolve;
  });
  const answer: Answer = () => {
    isCalled();
    return new Promise(() => undefined);
  };
  const ended = runScript(engine, source, { limits: LIMITS, answer, ...(signal === undefined ? {} : { signal }) });
  await Promise.race([called, ended]);
  return { ended };
}

describe('a signal ends a script', () => {
  test.each(SCRIPTS)('that runs: $title', ({ payload }) =>
    withEngine(1, async (engine) => {
      await runScript(engine, 'return 1;');
      const stop = new AbortController();
      const { ended } = await started(engine, payload, stop.signal);
      stop.abort();
      expect((await ended).end).toMatchObject(ABORTED);
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
      expect((await running).end).toMatchObject(ABORTED);
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
      const { ended } = await started(engine, payload);
      await engine.close();
      expect((await ended).end).toMatchObject(ABORTED);
    }),
  );

  // Real pauses: making a thread takes tens of milliseconds, and one of these meets it half made. The result must not
  // depend on where a pause ends.
  test.each([0, 1, 5, 10, 20, 40, 60, 80])('a script whose thread is made, after %i ms', (wait) =>
    withEngine(0, async (engine) => {
      const running = runScript(engine, 'for (;;);', { limits: LIMITS });
      if (wait > 0) await pause(wait);
      await engine.close();
      expect((await running).end).toMatchObject(ABORTED);
    }),
  );

  test('a script that was handed a thread just now', () =>
    withEngine(1, async (engine) => {
      await runScript(engine, 'return 1;');
      const running = runScript(engine, 'for (;;);', { limits: LIMITS });
      await engine.close();
      expect((await running).end).toMatchObject(ABORTED);
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
