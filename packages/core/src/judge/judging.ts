import { BoundedMap } from '../base/bounded-map.ts';
import { canonicalJson } from '../base/canonical-json.ts';
import { digestText } from '../base/digest.ts';
import { checkOptionNames, describeValue, refuse } from '../base/errors.ts';
import { type AbortSignalLike, checkTimeout, type TimeLimit, withTimeLimit } from '../base/time-limit.ts';
import type { Timer } from '../base/timer.ts';
import type { ProposedCall } from '../call/call.ts';
import type { Tool } from '../call/tool.ts';
import { causeName, type Report } from '../event.ts';
import { readable } from '../facts/excerpt.ts';
import type { Facts, JudgeAnswer } from '../facts/facts.ts';
import { decide, fits, hasOthers, isTrustedCall } from '../gate/decide.ts';
import type { Gate } from '../gate/gate.ts';
import { isGrave } from '../gate/table.ts';
import { type JudgeContext, type JudgeQuestion, questionAbout } from './question.ts';

/**
 * Says whether a call fits what the user said. `judgeWith()` makes one from a model.
 *
 * @example
 * ```ts
 * const judge: Judge = ({ tool }) => ({ act: tool.name !== 'pay', target: true, careful: false, reason: 'Payments are for people.' });
 * ```
 */
export type Judge = (
  question: JudgeQuestion,
  options: { readonly signal: AbortSignalLike },
) => PromiseLike<JudgeAnswer> | JudgeAnswer;

/**
 * When the judge is asked, once others were read: about `every` call with an effect; not about ordinary calls whose `values` are all
 * trusted; or only about those that the `table` would hold.
 */
const JUDGED_CALLS = ['every', 'values', 'table'] as const;

/**
 * The second key: a model that says whether the user's words ask for a call.
 *
 * @example
 * ```ts
 * const judge: JudgeOptions = { ask: judgeWith(generate), votes: 2 };
 * const boundary = createBoundary({ tools, judge });
 * ```
 */
export interface JudgeOptions {
  readonly ask: Judge;
  /** Maximum number of milliseconds for one answer. @default 20000 */
  readonly timeout?: number;
  /** How many answers a call with a grave effect needs. With 2, one objection is enough to ask a person. @default 1 */
  readonly votes?: 1 | 2;
  /** Which calls it is asked about. The others save its cost; the table decides them. @default 'every' */
  readonly calls?: (typeof JUDGED_CALLS)[number];
}

/** Checks the options once. */
export function checkJudge(given: Judge | JudgeOptions | undefined): Required<JudgeOptions> | undefined {
  if (given === undefined) return undefined;
  const options = typeof given === 'function' ? { ask: given } : given;
  if (typeof options?.ask !== 'function')
    refuse(`\`judge\` must be a function such as judgeWith(generate), or { ask }; received ${describeValue(given)}.`);
  checkOptionNames(options, ['ask', 'timeout', 'votes', 'calls'], 'judge');
  const { ask, timeout = 20_000, votes = 1, calls = 'every' } = options;
  if (votes !== 1 && votes !== 2) refuse(`\`judge.votes\` must be 1 or 2; received ${describeValue(votes)}.`);
  if (!JUDGED_CALLS.includes(calls))
    refuse(`\`judge.calls\` must be one of ${JUDGED_CALLS.join(', ')}; received ${describeValue(calls)}.`);
  return { ask, timeout: checkTimeout(timeout, 'judge.timeout'), votes, calls };
}

const LATE: unique symbol = Symbol('late');
const MAX_REASON = 290;
const MAX_ANSWERS = 1000;
const YES: JudgeAnswer = { act: true, target: true, careful: false, reason: '' };
const NO: JudgeAnswer = { act: false, target: false, careful: true, reason: '' };

function checkAnswer(given: unknown): JudgeAnswer {
  const { act, target, careful, reason } = (given ?? {}) as Partial<JudgeAnswer>;
  if (![act, target, careful].every((each) => typeof each === 'boolean') || typeof reason !== 'string')
    throw new TypeError('A judge must return { act, target, careful, reason }.');
  return Object.freeze({ act, target, careful, reason: readable(reason, MAX_REASON) } as JudgeAnswer);
}

/** A call, and what is known about it. */
export interface JudgedCall {
  readonly call: ProposedCall;
  readonly tool: Tool | undefined;
  readonly facts: Facts;
  /** A digest of what the user has said: an answer holds until the user writes again. */
  readonly task: string;
}

type Answered = NonNullable<Facts['judge']>;

export interface JudgingSettings {
  readonly onEvent: Report;
  readonly judge: Required<JudgeOptions> | undefined;
  readonly timer: Timer;
}

/** Asks the judge about the calls that it can settle, each once. */
export class Judging {
  readonly #settings: JudgingSettings;
  #judge: Required<JudgeOptions> | undefined;
  /** The answers about calls that are checked again, such as after a person was asked. */
  readonly #byCall = new WeakMap<ProposedCall, { readonly under: string; readonly answer: Answered }>();
  readonly #answers = new BoundedMap<string, Promise<Answered>>(MAX_ANSWERS);

  constructor(settings: JudgingSettings) {
    this.#settings = settings;
    this.#judge = settings.judge;
  }

  /** Another judge, such as the agent's own model. */
  use(judge: Judge | JudgeOptions): void {
    this.#judge = checkJudge(judge);
  }

  /** The facts with the judge's answer, or as they were if there is nothing that it could settle. */
  async addAnswer(judged: JudgedCall, gate: Gate, context: () => JudgeContext): Promise<Facts> {
    const { facts, call, tool } = judged;
    const judge = this.#judge;
    if (judge === undefined || tool === undefined || !this.#isInDoubt(judge, facts, gate)) return facts;
    const told = context();
    // Without a message of the user, a judge cannot say what they want.
    if (told.messages.length === 0) return facts;
    // A yes from before a text addressed the model says nothing now.
    const under = canonicalJson([judged.task, facts.isAlarmed]);
    const known = this.#byCall.get(call);
    const answer = known?.under === under ? known.answer : await this.#answer(judge, judged, tool, gate, told);
    if (!('failed' in answer)) this.#byCall.set(call, { under, answer });
    return { ...facts, judge: answer };
  }

  /** The judge's answer would decide: a yes would let the call pass, and a no would hold it. */
  #isInDoubt({ calls }: Required<JudgeOptions>, facts: Facts, { rules, preset }: Gate): boolean {
    if (preset === 'strict' || facts.effect === 'read' || !hasOthers(facts)) return false;
    if (calls === 'values' && isTrustedCall(facts)) return false;
    if (calls === 'table' && decide(facts, rules).outcome === 'allow') return false;
    const [yes, no] = [YES, NO].map((judge) => decide({ ...facts, judge }, rules).outcome);
    return yes === 'allow' && no === 'ask';
  }

  async #answer(
    judge: Required<JudgeOptions>,
    { facts, call, task }: JudgedCall,
    tool: Tool,
    { rules }: Gate,
    context: JudgeContext,
  ): Promise<Answered> {
    // What decides: after a no, another wording gets no second chance.
    const deciding = facts.values.filter(({ isFree }) => isFree !== true).map(({ path, value }) => [path, value]);
    const [no, yes] = [[deciding], [call.argumentsJson, facts.isAlarmed]].map((about) =>
      digestText(canonicalJson([task, call.tool, ...about])),
    );
    const known = (await this.#answers.get(no as string)) ?? (await this.#answers.get(yes as string));
    if (known !== undefined) return known;
    const question = questionAbout(facts, tool, call.argumentsJson, context);
    const isHeld = decide(facts, rules).outcome !== 'allow';
    const answer = await this.#look(judge, question, { call, isHeld, facts });
    if ('failed' in answer) return answer;
    // A grave call is judged each time: a payment that was right once may be wrong the second time.
    if (!fits(answer)) this.#answers.set(no as string, Promise.resolve(answer));
    else if (!isGrave(facts.effect)) this.#answers.set(yes as string, Promise.resolve(answer));
    return answer;
  }

  /**
   * A yes that the table agrees with is enough. Otherwise two of three answers count. Once a text has addressed the model, and with two
   * votes for a grave effect, two yeses are needed from the start.
   */
  async #look(
    judge: Required<JudgeOptions>,
    question: JudgeQuestion,
    { call, isHeld, facts }: { readonly call: ProposedCall; readonly isHeld: boolean; readonly facts: Facts },
  ): Promise<Answered> {
    const first = await this.#ask(judge, question, call);
    if ('failed' in first) return first;
    const needsBoth = facts.isAlarmed || (judge.votes === 2 && isGrave(facts.effect));
    if (fits(first) && !isHeld && !needsBoth) return first;
    if (!fits(first) && needsBoth) return first;
    const second = await this.#ask(judge, { ...question, look: 2 }, call);
    if ('failed' in second || needsBoth || fits(second) === fits(first)) return second;
    return this.#ask(judge, { ...question, look: 3 }, call);
  }

  async #ask(
    { ask, timeout }: Required<JudgeOptions>,
    question: JudgeQuestion,
    { id, tool }: ProposedCall,
  ): Promise<Answered> {
    const { timer, onEvent } = this.#settings;
    const fail = (cause = 'Error'): Answered => {
      onEvent({ type: 'judge-failed', callId: id, cause });
      return { failed: cause };
    };
    let answer: JudgeAnswer;
    try {
      const limit: TimeLimit<typeof LATE> = { timer, timeout, late: LATE };
      const given = await withTimeLimit<unknown, typeof LATE>(async (signal) => ask(question, { signal }), limit);
      if (given === LATE) return fail('TimeoutError');
      answer = checkAnswer(given);
    } catch (cause) {
      return fail(causeName(cause));
    }
    const { act, target, careful } = answer;
    onEvent({ type: 'judged', callId: id, tool, act, target, careful, look: question.look });
    return answer;
  }
}
