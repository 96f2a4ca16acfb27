import type { Ask, Conversation, Endorser } from '@sallyport/core';
import { Calls, isSame, type Proposed } from './calls.ts';
import { isFields } from './part.ts';
import { type Surroundings, storedTurns, surroundingsOf } from './recall.ts';

const APPROVED: Endorser = { by: 'approval in Mastra' };
const UNKNOWN =
  'The call was not made: nobody here knows what the model had read when it proposed it. Do not repeat it.';

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

  /** Whether Mastra is to wait for a person before it runs a call. `isOwn` says that the tool itself wants one. */
  async isHeld(tool: string, given: unknown, isOwn: boolean): Promise<boolean> {
    const call = { tool, arguments: given ?? null };
    const [id = ''] = this.#calls.idsOf(call);
    const known = this.#calls.get(id);
    const { outcome } = await this.#conversation.decide(
      known === undefined ? { id: `approval of ${tool}`, ...call } : { id, tool, arguments: known.arguments },
    );
    // A process that did not make the request learns of the history only when the tool is to run.
    const isAsked = known === undefined ? outcome !== 'allow' : outcome === 'ask' && this.#ask === undefined;
    if (isOwn || isAsked) this.#calls.hold(call);
    return isOwn || isAsked;
  }

  /** Why a call may not be made, in words for the model; undefined where it may. */
  async refusalOf(tool: string, input: unknown, context: unknown): Promise<string | undefined> {
    const surroundings = surroundingsOf(context);
    const { id } = surroundings;
    const proposed = this.#calls.get(id) ?? (await this.#recall(tool, surroundings));
    if (proposed === undefined) return UNKNOWN;
    const answer = this.#answerTo(id);
    const uses = [{ id, tool, arguments: proposed.arguments }];
    // A schema may have made something else of it: what runs is judged too, under an id that no history has.
    if (!isSame(proposed.arguments, input ?? null))
      uses.push({ id: `${id} as it runs`, tool, arguments: input ?? null });
    const decisions = await Promise.all(uses.map((use) => this.#conversation.decide(use)));
    const denied = decisions.find(({ outcome }) => outcome === 'deny');
    if (denied !== undefined) return denied.result;
    for (const use of uses.filter((_, index) => decisions[index]?.outcome === 'ask')) {
      const { outcome, result } = await this.#conversation.decide(use, answer);
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
