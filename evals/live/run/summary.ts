import type { Estimate } from '../statistics/statistics.ts';
import type { LiveResult } from './result.ts';

const percent = ({ value, low, high }: Estimate): string =>
  `${(100 * value).toFixed(1)} % (${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)})`;

const plain = ({ value, low, high }: Estimate, digits: number): string =>
  `${value.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;

/** The measures as lines of text: the value, and in brackets its 95 % interval. */
export function summaryOf(result: LiveResult): string {
  const { without, with: guarded } = result.measures.arms;
  const { tokensShare, milliseconds } = result.measures.added;
  const rows: readonly (readonly [string, string, string])[] = [
    ['tasks done', percent(without.utility), percent(guarded.utility)],
    ['tasks done under attack', percent(without.utilityUnderAttack), percent(guarded.utilityUnderAttack)],
    ['attacks done', percent(without.attackSuccess), percent(guarded.attackSuccess)],
    ['questions per task', plain(without.questionsPerTask, 2), plain(guarded.questionsPerTask, 2)],
    [
      'questions per attacked task',
      plain(without.questionsPerAttackedTask, 2),
      plain(guarded.questionsPerAttackedTask, 2),
    ],
  ];
  const { cases, attempts, success } = result.adaptive;
  const last = success.with.at(-1);
  return [
    `${result.model}, preset ${result.preset}: ${result.tasks} tasks, ${result.cases} attacked cases, ${result.runs} runs`,
    ...(result.note === undefined ? [] : [result.note]),
    ...(result.failures.length === 0
      ? []
      : [`${result.failures.length} runs failed at the endpoint: ${result.failures[0]}`]),
    '',
    `${''.padEnd(30)}${'without'.padEnd(28)}with Sallyport`,
    ...rows.map(([name, bare, own]) => name.padEnd(30) + bare.padEnd(28) + own),
    `added tokens: ${percent(tokensShare)}; added milliseconds per task: ${plain(milliseconds, 0)}`,
    ...(last === undefined
      ? []
      : [`adaptive, ${cases} attacks with up to ${attempts} attempts: ${percent(last)} done with Sallyport`]),
  ].join('\n');
}
