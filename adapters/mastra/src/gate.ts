import type { Approval, Ask, Conversation, ToolCall } from '@sallyport/core';
import { canonicalJson, fieldsOf, isFields, listOf } from '@sallyport/core/adapter';
import { Calls, isSame, type Proposed } from './calls.ts';
import { type CallContext, contextOf, storedTurns } from './recall.ts';

const APPROVED: Approval = { by: 'approval in Mastra' };
const UNKNOWN =
  'The call was not made: it is not known what the model had read when it proposed the call. Do not repeat it.';

interface Checked {
  /** The text for the model if the call is not allowed; undefined if it is. */
  readonly refusal: string | undefined;
  readonly answer: Ask | undefined;
}

/** A schema may change the arguments: what runs is checked too, under an id that no history contains. */
function asItRuns(id: string, tool: string, given: unknown): ToolCall {
  return { id: `${id} as it runs`, tool, arguments: given };
}

/** The gate before the tools of one conversation. */
export class Gate {
  readonly #conversation: Conversation;
  readonly #ask: Ask | undefined;
  readonly #calls = new Calls();

  constructor(conversation: Conversation, ask: Ask | undefined) {
    this.#conversation = conversation;
    this.#ask = ask;
  }

  /**
   * Records the model's answer to a request that was rendered here: its calls, and what the provider's own tools returned, which
   * the model has read.
   */
  async recordAnswer(chunks: readonly unknown[]): Promise<void> {
    for (const chunk of chunks) {
      if (!isFields(chunk) || !isFields(chunk.payload)) continue;
      // A page that the provider's search used, of which the answer has only the address.
      if (chunk.type === 'source') this.#conversation.declareUnseen();
      const { toolCallId, toolName, args, result } = chunk.payload;
      const [id, tool] = [String(toolCallId), String(toolName)];
      if (chunk.type === 'tool-call') this.#calls.recordCall(id, { tool, arguments: args ?? null });
      if (chunk.type === 'tool-result') await this.#recordResult(id, tool, result);
    }
  }

  async #recordResult(id: string, tool: string, result: unknown): Promise<void> {
    this.#conversation.recordCall({ id, tool, arguments: this.#calls.get(id)?.arguments ?? null });
    const content = typeof result === 'string' ? result : { json: result ?? null };
    await this.#conversation.frame(this.#conversation.addToolResult({ id, tool, content }));
  }

  /**
   * Ends the wait of calls that were answered since the model's last answer, and not by their tools: a person has declined them, and
   * Mastra tells the model so.
   */
  async recordDeclined(prompt: readonly unknown[]): Promise<void> {
    const last = fieldsOf(prompt.at(-1));
    const results = last.role === 'tool' ? listOf(last.content).map(fieldsOf) : [];
    for (const { toolCallId } of results.filter(({ type }) => type === 'tool-result'))
      if (!this.#calls.hasReached(String(toolCallId))) await this.#conversation.decline(String(toolCallId));
  }

  /**
   * Tells Mastra to wait for a person before it runs a call. `isOwn`: the tool itself requires approval. `isHeard`:
   * Mastra follows this answer, so a call that runs was approved.
   */
  async isHeld(tool: string, given: unknown, isOwn: boolean, isHeard = true): Promise<boolean> {
    const call = { tool, arguments: given ?? null };
    const [id = ''] = this.#calls.idsOf(call);
    const known = this.#calls.get(id);
    const { outcome } = await this.#conversation.check(
      known === undefined ? { id: `approval of ${tool}`, ...call } : { id, tool, arguments: known.arguments },
    );
    // A process that did not make the request reads the history only when the tool is about to run.
    const isAsked = known === undefined ? outcome !== 'allow' : outcome === 'ask' && this.#ask === undefined;
    const isHeld = isOwn || isAsked;
    this.#calls.hold(call, isHeld && isHeard);
    // A second check would need, and count, a second approval. If the tool's own approval follows, time passes.
    if (known !== undefined && outcome === 'allow' && !isOwn) this.#calls.allow(id);
    return isHeld;
  }

  /** Records that a guarded tool was asked for its approval rule: an unknown call will reach it in this run. */
  expect(run: object | undefined, tool: string, given: unknown): void {
    const call = { tool, arguments: given ?? null };
    if (run !== undefined && this.#calls.idsOf(call).length === 0) this.#calls.expect(run, call);
  }

  /**
   * The refusal of a call before any tool, guarded or not: a name does not tell which tool runs. An allowed call is marked, so
   * that a guarded tool does not check it again.
   */
  async refusalBefore(tool: string, input: unknown, given: unknown): Promise<string | undefined> {
    const context = contextOf(given);
    const { id, run } = context;
    this.#calls.reach(id);
    const args = input ?? null;
    // In a process that did not make the request, Mastra passes the memory only to a guarded tool, which checks the call itself.
    if (this.#calls.takeExpected(run, { tool, arguments: args })) return undefined;
    const { refusal, answer } = await this.#check(tool, args, context);
    if (refusal === undefined) this.#calls.mark(id, { tool, argumentsJson: canonicalJson(args), answer });
    return refusal;
  }

  /** The refusal of a call before a guarded tool. */
  async refusalOf(tool: string, input: unknown, given: unknown): Promise<string | undefined> {
    const context = contextOf(given);
    this.#calls.reach(context.id);
    const args = input ?? null;
    const argumentsJson = canonicalJson(args);
    const mark = this.#calls.takeMark(context.id, tool, argumentsJson);
    if (mark === undefined) return (await this.#check(tool, args, context)).refusal;
    if (mark.argumentsJson === argumentsJson) return undefined;
    return this.#refusalTo([asItRuns(context.id, tool, args)], mark.answer);
  }

  async #check(tool: string, given: unknown, context: CallContext): Promise<Checked> {
    const { id } = context;
    const proposed = this.#calls.get(id) ?? (await this.#recall(tool, context));
    if (proposed === undefined) return { refusal: UNKNOWN, answer: undefined };
    const answer = this.#answerTo(id);
    const uses: ToolCall[] = [{ id, tool, arguments: proposed.arguments }];
    if (this.#calls.takeAllowed(id)) uses.pop();
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

  /** The answer of a person to a held call, asked once for all that is checked of it. */
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

  /** In a process that did not make the request, reads the thread from memory. Undefined if the call is not in it. */
  async #recall(tool: string, { id, stored }: CallContext): Promise<Proposed | undefined> {
    const turns = storedTurns(await stored());
    const calls = turns.filter((turn) => turn.type === 'call');
    if (!calls.some((call) => call.id === id)) return undefined;
    await this.#conversation.render(turns);
    for (const call of calls.filter((each) => this.#calls.get(each.id) === undefined))
      this.#calls.recordCall(call.id, { tool: call.tool, arguments: call.arguments });
    const proposed = this.#calls.get(id);
    if (proposed !== undefined) this.#calls.adopt(id, { ...proposed, tool });
    return proposed;
  }
}
