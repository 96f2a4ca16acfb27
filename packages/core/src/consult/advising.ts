import { BoundedMap } from '../base/bounded-map.ts';
import { canonicalJson } from '../base/canonical-json.ts';
import type { Timer } from '../base/timer.ts';
import type { ToolRegistry } from '../call/tool.ts';
import type { Report } from '../event.ts';
import type { Advice } from '../gate/advice.ts';
import { argumentsOf, causeOf } from '../gate/cause.ts';
import type { Decision } from '../gate/decision.ts';
import { readable } from '../gate/excerpt.ts';
import { advised, settled } from '../gate/settled.ts';
import { surfaceOf } from '../record/part.ts';
import type { Recorded } from '../record/record.ts';
import { outlineOf } from '../task/authorize.ts';
import { saidIn } from '../task/own-words.ts';
import { type Adviser, canSettle } from './adviser.ts';
import { askInTime } from './ask-in-time.ts';

export interface AdvisingSettings {
  readonly tools: ToolRegistry;
  readonly onEvent: Report;
  readonly adviser: Adviser | undefined;
  readonly timer: Timer;
}

const MAX_REASON_LENGTH = 290;
const MAX_ANSWERS = 1000;

/** What the user said for themselves, message by message. */
function messagesIn(records: readonly Recorded[]): readonly string[] {
  const ofUser = (recorded: Recorded): string =>
    saidIn(recorded.parts.filter((part) => recorded.originOf(part) === 'user').map(surfaceOf));
  return records.map(ofUser).filter((text) => text !== '');
}

function checkAdvice(given: unknown): Advice {
  const { fits, reason } = (given ?? {}) as Partial<Advice>;
  if (typeof fits !== 'boolean' || typeof reason !== 'string')
    throw new TypeError('An adviser must return { fits, reason }.');
  return Object.freeze({ fits, reason: readable(reason, MAX_REASON_LENGTH) });
}

function decidingIn(decision: Decision): readonly string[] {
  const { evidence } = decision;
  return evidence.length > 0 ? evidence.map(({ value }) => value) : [causeOf(decision)];
}

/** What the adviser said about a call: undefined if it failed. */
interface Answer {
  readonly given: string;
  readonly advice: Advice | undefined;
}

/**
 * Asks the adviser about held calls. Until the user writes again, a no holds for every call of the tool that the same values
 * decide, so that another wording gets no second chance; a yes holds for the same call only.
 */
export class Advising {
  readonly #settings: AdvisingSettings;
  /** The last answer, by what decides the call. */
  readonly #answers = new BoundedMap<string, Promise<Answer>>(MAX_ANSWERS);

  constructor(settings: AdvisingSettings) {
    this.#settings = settings;
  }

  /** The decision with the adviser's answer: still a question, or settled if the application lets the adviser do that. */
  async advise(decision: Decision, records: () => readonly Recorded[]): Promise<Decision> {
    const { adviser, onEvent } = this.#settings;
    const messages = adviser === undefined ? [] : messagesIn(records());
    // Who did not hear the user cannot say what they want.
    if (adviser === undefined || decision.outcome !== 'ask' || messages.length === 0) return decision;
    const { id: callId, tool } = decision.call;
    const key = canonicalJson([tool, decidingIn(decision), messages]);
    const answer = this.#answerAfter(this.#answers.get(key), decision, () => this.#ask(adviser, decision, messages));
    this.#answers.set(key, answer);
    const { advice } = await answer;
    if (advice === undefined) return decision;
    const isSettled = advice.fits && canSettle(decision, adviser.settles);
    onEvent({ type: 'advised', callId, tool, fits: advice.fits, isSettled });
    return isSettled ? settled(decision, advice) : advised(decision, advice);
  }

  /** One question after the other, so that calls at the same time get no more chances. */
  async #answerAfter(
    before: Promise<Answer> | undefined,
    { call }: Decision,
    ask: () => Promise<Advice | undefined>,
  ): Promise<Answer> {
    const known = await before;
    const given = argumentsOf(call);
    const isKnown = known !== undefined && (known.given === given || known.advice?.fits === false);
    return isKnown ? known : { given, advice: await ask() };
  }

  async #ask(adviser: Adviser, { call }: Decision, messages: readonly string[]): Promise<Advice | undefined> {
    const { tools, timer, onEvent } = this.#settings;
    const tool = tools.get(call.tool);
    if (tool === undefined) return undefined;
    const question = { messages, tool: outlineOf(tool), arguments: call.argumentsJson };
    return askInTime({
      ask: (signal) => adviser.advise(question, { signal }),
      read: checkAdvice,
      timer,
      timeout: adviser.timeout,
      onFailed: (cause) => onEvent({ type: 'advise-failed', callId: call.id, cause }),
    });
  }
}
