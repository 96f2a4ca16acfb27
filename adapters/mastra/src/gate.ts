import type { Approval, Ask, Conversation, ToolCall } from '@sallyport/core';
import { canonicalJson } from '@sallyport/core/adapter';
import { Calls, isSame, type Proposed } from './calls.ts';
import { isFields } from './part.ts';
import { type Surroundings, storedTurns, surroundingsOf } from './recall.ts';

const APPROVED: Approval = { by: 'approval in Mastra' };
const UNKNOWN =
  'The call was not made: nobody here knows what the model had read when it proposed it. Do not repeat it.';

interface Judged {
  /** Why a call may not be made, in words for the model; undefined where it may. */
  readonly refusal: string | undefined;
  readonly answer: Ask | undefined;
}

/** A schema may make something else of a call: what runs is judged too, under an id that no history has. */
function asItRuns(id: string, tool: string, given: unknown): ToolCall {
  return { id: `${id} as it runs`, tool, arguments: given };
}

/** What stands before the tools of one conversation. */
export class Gate {
  readonly #conversation: Conversation;
  readonly #ask: Ask | undefined;
  readonly #calls = new Calls();

  constructor(conversation: Conversation, ask: Ask | undefined) {
    this.#conversation = conversation;
    this.#ask = ask;
  }

  /** Takes note of what the model answered to a request that was rendered here. */
  note(chunks: readonly unknown[]): void {
    for (const chunk of chunks) {
      if (!isFields(chunk) || chunk.type !== 'tool-call' || !isFields(chunk.payload)) continue;
      const { toolCallId, toolName, args } = chunk.payload;
      this.#calls.note(String(toolCallId), { tool: String(toolName), arguments: args ?? null });
    }
  }

  /**
   * Whether Mastra is to wait for a person before it runs a call. `isOwn` says that the tool itself wants one, `isHeard` that
   * Mastra does as it is told here, so that a call that runs was approved.
   */
  async isHeld(tool: string, given: unknown, isOwn: boolean, isHeard = true): Promise<boolean> {
    const call = { tool, arguments: given ?? null };
    const [id = ''] = this.#calls.idsOf(call);
    const known = this.#calls.get(id);
    const { outcome } = await this.#conversation.check(
      known === undefined ? { id: `approval of ${tool}`, ...call } : { id, tool, arguments: known.arguments },
    );
    // A process that did not make the request learns of the history only when the tool is to run.
    const isAsked = known === undefined ? outcome !== 'allow' : outcome === 'ask' && this.#ask === undefined;
    const isHeld = isOwn || isAsked;
    this.#calls.hold(call, isHeld && isHeard);
    return isHeld;
  }

  /** A guarded tool is asked for its rule: a call that nobody here knows will come to it in this run. */
  expect(run: object | undefined, tool: string, given: unknown): void {
    const call = { tool, arguments: given ?? null };
    if (run !== undefined && this.#calls.idsOf(call).length === 0) this.#calls.expect(run, call);
  }

  /**
   * Why a call may not be made, before any tool, guarded or not: a name does not say which of them runs. What may be made is
   * marked, so that a guarded tool need not judge it again.
   */
  async refusalBefore(tool: string, input: unknown, context: unknown): Promise<string | undefined> {
    const surroundings = surroundingsOf(context);
    const { id, run } = surroundings;
    const given = input ?? null;
    const said = canonicalJson(given);
    // In a process that did not make the request only a guarded tool is told of the memory: it judges for itself.
    if (this.#calls.takeExpected(run, { tool, arguments: given })) return undefined;
    const { refusal, answer } = await this.#judge(tool, given, surroundings);
    if (refusal === undefined) this.#calls.mark(id, { tool, said, answer });
    return refusal;
  }

  /** Why a call may not be made, before a guarded tool. */
  async refusalOf(tool: string, input: unknown, context: unknown): Promise<string | undefined> {
    const surroundings = surroundingsOf(context);
    const given = input ?? null;
    const said = canonicalJson(given);
    const mark = this.#calls.takeMark(surroundings.id, tool, said);
    if (mark === undefined) return (await this.#judge(tool, given, surroundings)).refusal;
    return mark.said === said ? undefined : this.#refusalTo([asItRuns(surroundings.id, tool, given)], mark.answer);
  }

  async #judge(tool: string, given: unknown, surroundings: Surroundings): Promise<Judged> {
    const { id } = surroundings;
    const proposed = this.#calls.get(id) ?? (await this.#recall(tool, surroundings));
    if (proposed === undefined) return { refusal: UNKNOWN, answer: undefined };
    const answer = this.#answerTo(id);
    const uses: ToolCall[] = [{ id, tool, arguments: proposed.arguments }];
    if (!isSame(proposed.arguments, given)) uses.push(asItRuns(id, tool, given));
    return { refusal: await this.#refusalTo(uses, answer), answer };
  }

  async #refusalTo(uses: readonly ToolCall[], answer: Ask | undefined): Promise<string | undefined> {
    const decisions = await Promise.all(uses.map((use) => this.#conversation.check(use)));
    const denied = decisions.find(({ outcome }) => outcome === 'deny');
    if (denied !== undefined) return denied.result;
    for (const use of uses.filter((_, index) => decisions[index]?.outcome === 'ask')) {
      const { outcome, result } = await this.#conversation.check(use, { ask: answer });
      if (outcome !== 'allow') return result;
    }
    return undefined;
  }

  /** What a person says to a held call, once for all that is judged of it. */
  #answerTo(id: string): Ask | undefined {
    if (this.#calls.takeApproval(id)) return () => APPROVED;
    const ask = this.#ask;
    if (ask === undefined) return undefined;
    let answer: ReturnType<Ask>;
    return (decision) => {
      answer ??= ask(decision);
      return answer;
    };
  }

  /** In a process that did not make the request, memory says what the model had read: up to this very call, or not at all. */
  async #recall(tool: string, { id, stored }: Surroundings): Promise<Proposed | undefined> {
    const turns = storedTurns(await stored());
    const calls = turns.filter((turn) => turn.type === 'call');
    if (!calls.some((call) => call.id === id)) return undefined;
    await this.#conversation.render(turns);
    for (const call of calls.filter((each) => this.#calls.get(each.id) === undefined))
      this.#calls.note(call.id, { tool: call.tool, arguments: call.arguments });
    const proposed = this.#calls.get(id);
    if (proposed !== undefined) this.#calls.adopt(id, { ...proposed, tool });
    return proposed;
  }
}
