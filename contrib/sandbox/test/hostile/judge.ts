import { isDeepStrictEqual } from 'node:util';
import type { ScriptCall } from '../../src/engine/engine.ts';
import type { EscapeCase, LimitCase, Ran } from './case.ts';
import { FUNCTIONS } from './rig.ts';

/** What no script may ever see: where the host lies, and that it is one. */
const OUTSIDE = /file:\/\/|node:internal|node_modules|wasm:\/\/|wasm-function|quickjs-worker|worker_threads/;

function isList(text: string | undefined): boolean {
  if (text === undefined) return true;
  try {
    return Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function problemOfCalls(calls: readonly ScriptCall[]): string | undefined {
  for (const [place, { index, name, arguments: given }] of calls.entries()) {
    if (index !== place) return `call ${place} came under the number ${index}`;
    if (!FUNCTIONS.includes(name)) return `there is no function ${name.slice(0, 100)} to call`;
    if (!isList(given)) return `the arguments of call ${place} are no list: ${given?.slice(0, 100)}`;
  }
  return undefined;
}

/** What holds for whatever a script did. */
export function problemOfRun({ end, calls }: Ran): string | undefined {
  const words = end.status === 'done' ? end.output : end.message;
  if (OUTSIDE.test(words)) return `it was told of the host: ${words.slice(0, 500)}`;
  if (end.status === 'done' && !isJson(words)) return `what it gave back is no JSON: ${words.slice(0, 100)}`;
  return problemOfCalls(calls);
}

/** In which way a script was not held, if any. */
export function problemOfLimit({ expected }: LimitCase, ran: Ran): string | undefined {
  const ending = ran.end.status === 'done' ? 'done' : ran.end.reason;
  if (![expected].flat().includes(ending)) return `ended by ${ending} instead of ${[expected].flat().join(' or ')}`;
  return problemOfRun(ran);
}

/** What came out of a script that wanted out, if not what had to. */
export function problemOfEscape({ expected, calls }: EscapeCase, ran: Ran): string | undefined {
  const problem = problemOfRun(ran);
  if (problem !== undefined) return problem;
  const called = ran.calls.map(({ name, arguments: given }) => `${name} ${given}`);
  const due = calls ?? (typeof expected === 'function' ? called : []);
  if (!isDeepStrictEqual(called, due)) return `called ${JSON.stringify(called)}`;
  const isExpected =
    typeof expected === 'function' ? expected(ran) : isDeepStrictEqual({ ...ran.end, ...expected }, ran.end);
  return isExpected ? undefined : `ended with ${JSON.stringify(ran.end).slice(0, 1000)}`;
}
