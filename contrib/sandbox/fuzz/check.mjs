// What must hold whatever program a script is.
import { isDeepStrictEqual } from 'node:util';
import { root } from '../../../tools/command.mjs';
import { REASONS } from '../src/engine/engine.ts';
import { HostState } from '../test/hostile/host.ts';
import { problemOfRun } from '../test/hostile/judge.ts';
import { runScript } from '../test/hostile/rig.ts';

const MIB = 1024 * 1024;
export const LIMITS = { memory: 16 * MIB, steps: 2_000_000, time: 300, total: 1500, calls: 20 };
/** Milliseconds past the whole time after which a script counts as one that hangs. */
const PATIENCE = 1000;
const MAX_MESSAGE_LENGTH = 500;
const OUTPUT_BYTES = 64 * 1024;

function problemOfEnd(end) {
  if (typeof end !== 'object' || end === null) return 'the end is not an object';
  if (!Number.isSafeInteger(end.steps) || end.steps < 0) return `it took ${end.steps} steps`;
  if (end.status === 'done')
    return Buffer.byteLength(end.output) > OUTPUT_BYTES ? 'the output is longer than it may be' : undefined;
  if (end.status !== 'failed' || !REASONS.includes(end.reason)) return `it ended as ${end.status} by ${end.reason}`;
  if (typeof end.message !== 'string' || end.message.length > MAX_MESSAGE_LENGTH) return 'the message is too long';
  return undefined;
}

function problemOf(ran) {
  const problem = problemOfEnd(ran.end) ?? problemOfRun(ran);
  if (problem !== undefined) return problem;
  if (ran.calls.length > LIMITS.calls) return `it made ${ran.calls.length} calls`;
  return JSON.stringify(ran.end).includes(root) ? 'it was told where the host lies' : undefined;
}

async function runOnce(engine, source) {
  let timer;
  const hang = new Promise((resolve) => {
    timer = setTimeout(resolve, LIMITS.total + PATIENCE, { problem: 'it hangs' });
  });
  const running = runScript(engine, source, { limits: LIMITS }).then(
    (ran) => ({ ran, problem: problemOf(ran) }),
    (error) => ({ problem: `the run was rejected: ${error?.stack ?? error}` }),
  );
  const came = await Promise.race([running, hang]);
  clearTimeout(timer);
  return came;
}

/** Ends by time depend on the machine; all others must be the same each time. */
function differenceOf(one, other) {
  const isTimed = [one, other].some(({ end }) => end.reason === 'time');
  if (isTimed || (isDeepStrictEqual(one.end, other.end) && isDeepStrictEqual(one.calls, other.calls))) return undefined;
  const [first, second] = [one, other].map((ran) => JSON.stringify({ end: ran.end, calls: ran.calls }).slice(0, 600));
  return `it ended differently the second time:\n    ${first}\n    ${second}`;
}

/** Runs a program, twice where that is asked for, and says how it ended and which rule it broke. */
export async function check(engine, source, isTwice) {
  const state = new HostState();
  const { ran, problem } = await runOnce(engine, source);
  const ending = ran === undefined ? 'none' : (ran.end.reason ?? ran.end.status);
  if (problem !== undefined) return { ending, problem };
  const again = isTwice ? await runOnce(engine, source) : { ran };
  const difference = again.problem ?? differenceOf(ran, again.ran);
  const changes = state.changes();
  return { ending, problem: changes.length > 0 ? `it changed ${changes.join(', ')} of the host` : difference };
}
