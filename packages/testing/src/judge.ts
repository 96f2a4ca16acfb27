import type { Judge, JudgeAnswer, JudgeQuestion } from '@sallyport/core';

/**
 * An answer of a scripted judge. Absent fields are as in `'yes'`: `{ careful: true }` fits, but a person is asked.
 *
 * @example
 * ```ts
 * const answers: readonly ScriptedAnswer[] = ['yes', 'no', { target: false, reason: 'Nobody named this account.' }];
 * ```
 */
export type ScriptedAnswer = 'yes' | 'no' | Partial<JudgeAnswer>;

/**
 * A judge that answers from a script and keeps the questions it received.
 *
 * @example
 * ```ts
 * const judge: ScriptedJudge = scriptedJudge(['yes']);
 * const boundary = createBoundary({ tools, judge });
 * ```
 */
export type ScriptedJudge = Judge & { readonly questions: readonly JudgeQuestion[] };

const YES: JudgeAnswer = { act: true, target: true, careful: false, reason: 'The test says yes.' };
const NO: JudgeAnswer = { act: false, target: false, careful: false, reason: 'The test says no.' };

function answerOf(given: ScriptedAnswer | undefined): JudgeAnswer {
  if (given === 'yes') return YES;
  if (given === 'no') return NO;
  if (typeof given !== 'object' || given === null)
    throw new TypeError(
      `A scripted judge answers 'yes', 'no' or an object such as { act: false }; received ${String(given)}.`,
    );
  return { ...YES, reason: 'The test says so.', ...given };
}

/**
 * Creates a judge for tests, without a model. It always gives one answer, or the answers of a list in order with the
 * last one repeated, or those of a function. A judge can be asked up to three times about a call, and each time takes
 * one answer. A function that throws is a judge that fails.
 *
 * @example
 * ```ts
 * const judge = scriptedJudge(({ tool }) => (tool.name === 'pay' ? 'no' : 'yes'));
 * const boundary = createBoundary({ tools, judge });
 * await runAgent(boundary);
 * console.log(judge.questions.map(({ messages, arguments: given }) => [messages, given]));
 * ```
 */
export function scriptedJudge(
  given: ScriptedAnswer | readonly ScriptedAnswer[] | ((question: JudgeQuestion) => ScriptedAnswer),
): ScriptedJudge {
  const answers = typeof given === 'function' ? given : [given].flat();
  const questions: JudgeQuestion[] = [];
  if (typeof answers !== 'function' && answers.map(answerOf).length === 0)
    throw new TypeError('A scripted judge needs an answer.');
  const judge: Judge = (question) => {
    questions.push(question);
    return answerOf(
      typeof answers === 'function' ? answers(question) : (answers[questions.length - 1] ?? answers.at(-1)),
    );
  };
  return Object.assign(judge, { questions });
}
