import { endProgress, inLanes, occasionalProgress } from '../../../tools/command.mjs';
import { REWRITES } from '../wordings/rewrites.ts';
import { type AdaptiveRun, playAdaptive, rewritesBy } from './adaptive.ts';
import { attackedCases, type Case, type Selection, select } from './cases.ts';
import { ARMS, type Arm, type Episode, playCase, type Setting } from './episode.ts';
import { Journal } from './journal.ts';
import type { Options } from './options.ts';
import { createLiveBoundary, openModel, realModel } from './setting.ts';

export interface Evaluation {
  readonly selection: Selection;
  readonly episodes: readonly Episode[];
  readonly adaptive: readonly AdaptiveRun[];
  /** The most attempts of an adaptive attack. */
  readonly attempts: number;
}

interface Job {
  readonly arm: Arm;
  readonly run: Case;
  readonly mode: 'once' | 'adaptive';
}

/** Both arms of a case directly after one another, so that a slow hour of an endpoint meets both. */
const inBothArms = (runs: readonly Case[], mode: Job['mode']): readonly Job[] =>
  runs.flatMap((run) => ARMS.map((arm) => ({ arm, run, mode })));

/** Plays all tasks, all attacked cases and the adaptive attacks, in both arms. */
export async function evaluate(options: Options): Promise<Evaluation> {
  const selection = select(options);
  const attacked = attackedCases(selection, options.limit);
  const jobs = [
    ...inBothArms(
      selection.tasks.map((task) => ({ task })),
      'once',
    ),
    ...inBothArms(attacked, 'once'),
    ...inBothArms(attacked.slice(0, options.adaptive), 'adaptive'),
  ];
  const { setting, stop } = await openModel(options);
  const { attacker, attackerUrl: baseUrl } = options;
  const words =
    attacker === undefined ? undefined : realModel({ model: attacker, baseUrl, tools: 'native' }, 'attacker');
  const rewrites = words === undefined ? REWRITES : rewritesBy(words, REWRITES.length);
  const boundary = createLiveBoundary(options.preset);
  const settings: Record<Arm, Setting> = {
    without: { ...setting, boundary: undefined, judge: false },
    with: { ...setting, boundary, judge: options.judge },
  };
  const { model, preset, tools, judge } = options;
  const journal = new Journal(options.state);
  const show = occasionalProgress();
  let done = 0;
  const results = await inLanes(jobs, options.parallel, async ({ arm, run, mode }) => {
    const key = [model, tools, preset, judge, attacker, mode, arm, run.task.id, run.attack?.id, run.wording?.id].join(
      ' ',
    );
    const result = await journal.once<Episode | AdaptiveRun>(key, () =>
      mode === 'once'
        ? playCase(settings[arm], run)
        : playAdaptive(run, (planted) => playCase(settings[arm], run, planted), rewrites),
    );
    show(`${++done} of ${jobs.length}: ${mode} ${arm} ${run.task.id} ${run.attack?.id ?? ''}`);
    return { mode, result };
  });
  endProgress();
  await stop();
  return {
    selection,
    episodes: results.flatMap(({ mode, result }) => (mode === 'once' ? [result as Episode] : [])),
    adaptive: results.flatMap(({ mode, result }) => (mode === 'adaptive' ? [result as AdaptiveRun] : [])),
    attempts: rewrites.length + 1,
  };
}
