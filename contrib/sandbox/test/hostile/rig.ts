import { setTimeout as pause } from 'node:timers/promises';
import type { ScriptAnswer, ScriptCall, ScriptEngine } from '../../src/engine/engine.ts';
import { checkLimits, type ScriptLimits } from '../../src/engine/limits.ts';
import type { EscapeCase, LimitCase, Ran } from './case.ts';

const MIB = 1024 * 1024;

/** What a script may use that neither time nor steps are to end. A machine may be busy: only what hangs takes so long. */
export const PATIENT_LIMITS: ScriptLimits = checkLimits({
  memory: 32 * MIB,
  time: 120_000,
  total: 150_000,
  steps: 2 ** 31 - 1,
});

/** What a script may use that time is to end. */
const SHORT = { time: 100, total: 400 };

/** The limits that a hostile script is run with. */
export function limitsOf({ expected, limits }: LimitCase | EscapeCase): ScriptLimits {
  const isTimed = expected === 'time' || (Array.isArray(expected) && expected.includes('time'));
  return checkLimits({ ...(isTimed ? SHORT : {}), ...limits }, PATIENT_LIMITS);
}

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
    limits: checkLimits(options.limits, PATIENT_LIMITS),
    now: NOW,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    call: (call) => {
      calls.push(call);
      return (options.answer ?? answerTo)(call);
    },
  });
  return { end, calls, milliseconds: performance.now() - started };
}
