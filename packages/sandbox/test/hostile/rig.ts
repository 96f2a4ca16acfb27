import { setTimeout as pause } from 'node:timers/promises';
import type { ScriptAnswer, ScriptCall, ScriptEngine } from '../../src/engine.ts';
import { checkLimits, type ScriptLimits } from '../../src/limits.ts';
import type { Ran } from './case.ts';

const MIB = 1024 * 1024;

/** What every hostile script may use. So many steps are never taken in that time: those that are to run into them have fewer. */
export const HOSTILE_LIMITS: ScriptLimits = checkLimits({
  memory: 32 * MIB,
  time: 300,
  total: 1500,
  steps: 2 ** 31 - 1,
});

export const NOW = 1_700_000_000_000;

const INPUT = '{"text":"hello","list":[1,2,3]}';

export const FUNCTIONS: readonly string[] = ['echo', 'fail', 'hang', 'slow'];

/** Gives back what it was given, at once or after a while, fails, or never answers. */
async function answerTo({ name, arguments: given }: ScriptCall): Promise<ScriptAnswer> {
  if (name === 'hang') return new Promise(() => {});
  if (name === 'slow') await pause(5);
  if (name === 'fail' || given === undefined) return { ok: false, message: 'No.' };
  return { ok: true, json: given };
}

/** What a host answers. */
export type Answer = (call: ScriptCall) => Promise<ScriptAnswer>;

export interface ScriptOptions {
  readonly limits?: Partial<ScriptLimits>;
  readonly input?: string;
  readonly signal?: AbortSignal;
  readonly answer?: Answer;
}

/** Runs a script, and writes down what reached the host. */
export async function runScript(engine: ScriptEngine, source: string, options: ScriptOptions = {}): Promise<Ran> {
  const calls: ScriptCall[] = [];
  const started = performance.now();
  const end = await engine.run({
    source,
    input: options.input ?? INPUT,
    functions: FUNCTIONS,
    limits: checkLimits(options.limits, HOSTILE_LIMITS),
    now: NOW,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    call: (call) => {
      calls.push(call);
      return (options.answer ?? answerTo)(call);
    },
  });
  return { end, calls, milliseconds: performance.now() - started };
}
