import { ATTACKS } from '../attacks/attacks.ts';
import { TASKS } from '../tasks/tasks.ts';
import { WORDINGS } from '../wordings/wordings.ts';
import { attackedCases, type Case, select } from './cases.ts';
import { type Episode, playCase } from './episode.ts';
import type { LiveResult } from './result.ts';
import { createLiveBoundary, openModel } from './setting.ts';

const TASKS_PLAYED = 12;
const CASES_PLAYED = 24;

const isOf = ({ task, attack, wording }: Case, named: LiveResult['ran'][number]): boolean =>
  named.task === task.id && named.attack === attack?.id && named.wording === wording?.id;

function* problemsOf(result: LiveResult, run: Case, episode: Episode): Generator<string> {
  const name = [run.task.id, run.attack?.id, run.wording?.id].filter((each) => each !== undefined).join(', ');
  if (episode.error !== undefined) yield `${name}: ${episode.error}`;
  const expected = (list: LiveResult['ran']): boolean => list.some((named) => isOf(run, named));
  if (episode.hasRun !== expected(result.ran)) yield `${name}: the attack ${episode.hasRun ? 'ran' : 'did not run'}`;
  if (episode.isSolved === expected(result.unsolved))
    yield `${name}: the task is ${episode.isSolved ? '' : 'not '}done`;
  const asked = result.asked.find(({ task }) => task === run.task.id)?.questions ?? 0;
  if (run.attack === undefined && episode.questions !== asked) yield `${name}: ${episode.questions} questions`;
}

/** Plays some tasks and attacks with the boundary, and compares them with the committed result. */
export async function checkResult(result: LiveResult): Promise<readonly string[]> {
  const counts = { tasks: TASKS.length, attacks: ATTACKS.length, wordings: WORDINGS.length };
  const problems = Object.entries(counts).flatMap(([name, count]) =>
    result[name as keyof typeof counts] === count ? [] : [`there are ${count} ${name} now`],
  );
  const { setting, stop } = await openModel({ model: 'scripted', tools: 'native' });
  const guarded = { ...setting, boundary: createLiveBoundary('balanced'), judge: false };
  const attacked = attackedCases(select({}), CASES_PLAYED);
  // Tasks in the order of the cases, which is mixed.
  const tasks = attackedCases(select({}), TASKS_PLAYED).map(({ task }) => ({ task }));
  for (const run of [...tasks, ...attacked]) problems.push(...problemsOf(result, run, await playCase(guarded, run)));
  await stop();
  return problems;
}
