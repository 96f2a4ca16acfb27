import { type Measures, measure } from '../statistics/measures.ts';
import type { Estimate } from '../statistics/statistics.ts';
import { type AdaptiveRun, successByAttempt } from './adaptive.ts';
import type { Arm, Episode } from './episode.ts';
import type { Evaluation } from './evaluate.ts';
import type { Options } from './options.ts';

interface Named {
  readonly task: string;
  readonly attack?: string | undefined;
  readonly wording?: string | undefined;
}

/** What evals/results/live-NAME.json contains. */
export interface LiveResult {
  readonly measured?: string;
  readonly model: string;
  readonly note?: string | undefined;
  readonly preset: string;
  readonly judge: boolean;
  readonly tools: string;
  readonly tasks: number;
  readonly attacks: number;
  readonly wordings: number;
  /** Conversations, in both arms and all modes; an adaptive attack has one for each attempt. */
  readonly runs: number;
  /** Attacked cases, each run in both arms. */
  readonly cases: number;
  readonly failures: readonly string[];
  readonly measures: Measures;
  readonly adaptive: {
    readonly cases: number;
    readonly attempts: number;
    readonly attacker: string;
    readonly success: Readonly<Record<Arm, readonly Estimate[]>>;
    /** The attacks that ran with the boundary, with the wording that did it. */
    readonly ran: readonly (Named & { readonly ranWith?: string | undefined })[];
  };
  /** Attacks that ran with the boundary. */
  readonly ran: readonly Named[];
  /** Tasks that were not done with the boundary. */
  readonly unsolved: readonly Named[];
  /** Tasks without an attack in which the person was asked, and how often. */
  readonly asked: readonly { readonly task: string; readonly questions: number; readonly approved: number }[];
}

const rounded = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value, (_, each) => (typeof each === 'number' ? Number(each.toFixed(4)) : each))) as Value;

const named = ({ task, attack, wording }: Episode): Named => ({ task, attack, wording });

export function resultOf(options: Options, { selection, episodes, adaptive, attempts }: Evaluation): LiveResult {
  const guarded = episodes.filter(({ arm, error }) => arm === 'with' && error === undefined);
  const of = (arm: Arm): readonly AdaptiveRun[] => adaptive.filter((each) => each.arm === arm);
  const success = (arm: Arm): readonly Estimate[] => (adaptive.length === 0 ? [] : successByAttempt(of(arm), attempts));
  const failed = [...episodes, ...adaptive].flatMap(({ error }) => (error === undefined ? [] : [error]));
  const { model, note, preset, judge, tools } = options;
  return rounded({
    ...{ model, note, preset, judge, tools },
    tasks: selection.tasks.length,
    attacks: selection.attacks.length,
    wordings: selection.wordings.length,
    runs: episodes.length + adaptive.reduce((total, run) => total + run.attempts, 0),
    cases: episodes.filter(({ arm, attack }) => arm === 'with' && attack !== undefined).length,
    failures: failed,
    measures: measure(episodes),
    adaptive: {
      cases: of('with').length,
      attempts,
      attacker: options.attacker ?? 'templates',
      success: { without: success('without'), with: success('with') },
      ran: of('with')
        .filter(({ ranWith }) => ranWith !== undefined)
        .map(({ task, attack, ranWith }) => ({ task, attack, ranWith })),
    },
    ran: guarded.filter(({ hasRun }) => hasRun).map(named),
    unsolved: guarded.filter(({ isSolved }) => !isSolved).map(named),
    asked: guarded
      .filter(({ attack, questions }) => attack === undefined && questions > 0)
      .map(({ task, questions, approved }) => ({ task, questions, approved })),
  });
}

const percent = ({ value }: Estimate): number => Math.round(value * 1000) / 10;

/** The figures that documents quote, of a whole run of the scripted model. */
export function figuresOf(result: LiveResult): Record<string, { value: number; unit: string; command: string }> {
  const { arms, added } = result.measures;
  const [bare, last] = [result.adaptive.success.without.at(-1), result.adaptive.success.with.at(-1)];
  const values: Record<string, readonly [number, string]> = {
    'live.tasks': [result.tasks, 'tasks'],
    'live.attacks': [result.attacks, 'attacks'],
    'live.wordings': [result.wordings, 'wordings'],
    'live.scripted.cases': [result.cases, 'cases'],
    'live.scripted.utility_without_pct': [percent(arms.without.utility), '%'],
    'live.scripted.utility_with_pct': [percent(arms.with.utility), '%'],
    'live.scripted.attacked_utility_without_pct': [percent(arms.without.utilityUnderAttack), '%'],
    'live.scripted.attacked_utility_with_pct': [percent(arms.with.utilityUnderAttack), '%'],
    'live.scripted.attack_success_without_pct': [percent(arms.without.attackSuccess), '%'],
    'live.scripted.attack_success_with_pct': [percent(arms.with.attackSuccess), '%'],
    'live.scripted.questions_per_task': [Math.round(arms.with.questionsPerTask.value * 100) / 100, 'questions'],
    'live.scripted.added_tokens_pct': [percent(added.tokensShare), '%'],
    ...(bare && { 'live.scripted.adaptive_success_without_pct': [percent(bare), '%'] as const }),
    ...(last && { 'live.scripted.adaptive_success_with_pct': [percent(last), '%'] as const }),
    'live.scripted.adaptive_attempts': [result.adaptive.attempts, 'attempts'],
  };
  const command = 'npm run eval -- live';
  return Object.fromEntries(Object.entries(values).map(([id, [value, unit]]) => [id, { value, unit, command }]));
}
