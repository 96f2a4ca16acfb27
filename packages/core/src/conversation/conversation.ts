import type { SanitizedOutput } from '../address/defuse.ts';
import { OutputStream } from '../address/output-stream.ts';
import type { StoredApproval } from '../approval/approval-store.ts';
import type { TrustedValue } from '../approval/approvals.ts';
import type { CallApproval } from '../approval/approve.ts';
import type { StoredHeldCall } from '../approval/held-store.ts';
import { SallyportError } from '../base/errors.ts';
import { ProposedCall, readToolCall, type ToolCall } from '../call/call.ts';
import { readBy } from '../call/script.ts';
import { ToolBook } from '../call/tool-book.ts';
import type { Decision } from '../gate/decision.ts';
import type { Judge, JudgeOptions } from '../judge/judging.ts';
import { Transcript } from '../provenance/transcript.ts';
import { History } from './history.ts';
import { Inbound } from './inbound.ts';
import { Intake, type IntakeSettings } from './intake.ts';
import { type CheckOptions, Outbound, type OutboundSettings } from './outbound.ts';
import { type RenderingSettings, Renderings } from './renderings.ts';
import { sanitizeAnswer } from './sanitize.ts';
import { SNAPSHOT_VERSION, type Snapshot, storeRecord } from './snapshot.ts';

/** What a boundary hands to each of its conversations. */
export interface ConversationSettings extends IntakeSettings, RenderingSettings, OutboundSettings {}

/**
 * One conversation: the content it has received, how that content is shown to a model, and what the model may do.
 *
 * @example
 * ```ts
 * const conversation = boundary.conversation('chat-1');
 * conversation.addUserMessage('Summarise the page.');
 * conversation.addToolResult({ id: 'call-1', tool: 'fetch_page', content: page });
 * const { system, entries } = await conversation.request({ policy });
 * const decision = await conversation.check(toolCall, { ask });
 * if (decision.outcome === 'allow') await run(toolCall);
 * ```
 */
export class Conversation extends Inbound {
  readonly id: string;
  readonly #transcript: Transcript;
  readonly #intake: Intake;
  readonly #renderings: Renderings;
  readonly #outbound: Outbound;
  readonly #history: History;

  constructor(id: string, given: ConversationSettings) {
    const tools = new ToolBook(given.tools);
    const settings = { ...given, tools };
    const transcript = new Transcript(tools, settings.gate);
    const intake = new Intake(settings, transcript);
    const renderings = new Renderings(settings, intake, transcript);
    const outbound = new Outbound(id, settings, intake, renderings, transcript);
    const history = new History({ intake, renderings, outbound, transcript });
    super({ tools, transcript, intake, renderings, history });
    this.id = id;
    [this.#transcript, this.#intake, this.#renderings] = [transcript, intake, renderings];
    [this.#outbound, this.#history] = [outbound, history];
  }

  /**
   * Lets a judge say whether calls of this conversation fit what the user said, in place of the boundary's. Adapters do this with the
   * agent's own model, if their option `judge` is set.
   *
   * @example
   * ```ts
   * conversation.useJudge(judgeWith(generate));
   * ```
   */
  useJudge(judge: Judge | JudgeOptions): void {
    this.#outbound.useJudge(judge);
  }

  /**
   * Records a call that the model proposed, under everything that it was shown until now; its result inherits the call's origin.
   * check() does this itself: use it for calls that are not checked, such as those of a replayed log.
   *
   * @example
   * ```ts
   * const call = conversation.recordCall({ id: 'call-1', tool: 'fetch_page', arguments: { url } });
   * ```
   */
  recordCall(use: ToolCall): ProposedCall {
    return this.#history.record(use);
  }

  /**
   * Checks whether a call may run. With `ask`, a held call is put to a person first. The same call checked again, before more
   * content was shown, is the same call. If the outcome is not 'allow', give the model `decision.result` as the tool's result.
   *
   * @example
   * ```ts
   * const decision = await conversation.check({ id, tool: 'send_mail', arguments: input }, { ask });
   * return decision.outcome === 'allow' ? sendMail(input) : decision.result;
   * ```
   */
  async check(call: ToolCall | ProposedCall, options: CheckOptions = {}): Promise<Decision> {
    if (ProposedCall.is(call)) return this.#outbound.check(call, options);
    // A script may have read records that no model was shown. Their words are traced like any others.
    const use = readToolCall(call);
    if (use.script !== undefined) await Promise.all(readBy(use.script).map((recorded) => this.frame(recorded)));
    const proposed = options.record === false ? this.#outbound.read(use) : this.#history.propose(use);
    return this.#outbound.check(proposed, options);
  }

  /**
   * The calls that wait for a person, the oldest first. A call leaves the list when it is checked again, approved or rejected.
   *
   * @example
   * ```ts
   * for (const { call, reason } of conversation.pending()) console.log(`${call.id}: ${reason}`);
   * ```
   */
  pending(): readonly Decision[] {
    return this.#outbound.answers.pending;
  }

  /**
   * A person allows a held call: this tool with these arguments, once, or with these values for longer. Then check() the call
   * again. Pass the decision, or the id of a call that pending() lists. Resolves when the store has the approval.
   *
   * @example
   * ```ts
   * await conversation.approve(decision, { by: 'alice@example.com', scope: 'task' });
   * ```
   */
  approve(decision: Decision | string, approval: CallApproval): Promise<void> {
    return this.#outbound.answers.approve(decision, approval);
  }

  /**
   * A person declined a call in the framework's own approval, so it is not made and waits no longer. The adapters call it. A later
   * check of the same call says that it was declined.
   *
   * @example
   * ```ts
   * if (!response.approved) await conversation.decline(response.toolCallId);
   * ```
   */
  decline(callId: string): Promise<void> {
    return this.#outbound.answers.decline(callId);
  }

  /**
   * A held call as a store keeps it: the values that a person is asked about, and the digests that approvals of it are found by,
   * for each scope that it can be approved in. Use it if a person's answer reaches your store of approvals directly: an approval
   * that is kept under the digest of its scope is found by `take`.
   *
   * @example
   * ```ts
   * const { values, keys } = conversation.heldCall(decision);
   * ```
   */
  heldCall(decision: Decision): StoredHeldCall {
    return this.#outbound.answers.heldCall(decision);
  }

  /**
   * The approvals that are valid in this conversation now, and those that apply always for its owner.
   *
   * @example
   * ```ts
   * for (const { id, tool, scope, by } of await conversation.approvals()) console.log(id, tool, scope, by);
   * ```
   */
  approvals(): Promise<readonly StoredApproval[]> {
    return this.#outbound.answers.approvals();
  }

  /**
   * Ends one of the approvals that approvals() lists. False if there is none with this id.
   *
   * @example
   * ```ts
   * await conversation.revoke(approval.id);
   * ```
   */
  revoke(approvalId: string): Promise<boolean> {
    return this.#outbound.answers.revoke(approvalId);
  }

  /**
   * A person trusts a value in calls of one tool, until it expires.
   *
   * @example
   * ```ts
   * conversation.trustValue({ tool: 'send_mail', value: 'bob@example.com', by: 'alice@example.com' });
   * ```
   */
  trustValue(value: TrustedValue): void {
    this.#outbound.trustValue(value);
  }

  /**
   * Removes from the model's answer the addresses that could carry data to strangers when it is displayed. An image stays only if
   * a trusted source wrote its address; a link also stays if it occurs in content that nothing was flagged in.
   *
   * @example
   * ```ts
   * show(conversation.sanitizeOutput(answer).text);
   * ```
   */
  sanitizeOutput(text: string): SanitizedOutput {
    return sanitizeAnswer(text, this.#transcript);
  }

  /**
   * As sanitizeOutput(), for an answer that arrives in pieces. Only what may be the beginning of an address is held back.
   *
   * @example
   * ```ts
   * const output = conversation.outputStream();
   * for await (const delta of answer) show(output.push(delta));
   * show(output.end());
   * ```
   */
  outputStream(): OutputStream {
    return new OutputStream((text) => sanitizeAnswer(text, this.#transcript, true).text);
  }

  /**
   * Everything to store, as plain JSON: raw content, sources and digests. It holds no frame, no nonce and no key.
   *
   * @example
   * ```ts
   * await database.put(conversation.id, JSON.stringify(conversation.snapshot()));
   * ```
   */
  snapshot(): Snapshot {
    const records = this.records.map(storeRecord);
    return { version: SNAPSHOT_VERSION, conversation: this.id, records, choices: this.#transcript.choices };
  }

  /**
   * Fills a new conversation from a snapshot. A field that does not validate makes its record `unknown`.
   *
   * @example
   * ```ts
   * const conversation = boundary.conversation('chat-1').restore(JSON.parse(await database.get('chat-1')));
   * ```
   */
  restore(snapshot: unknown): this {
    if (this.hasRendered)
      throw new SallyportError(
        'ERR_INVALID_SNAPSHOT',
        'restore() needs a new conversation: this one has shown content to a model already.',
      );
    const { records, choices } = this.#intake.restore(snapshot);
    this.#renderings.restore(records);
    this.#transcript.restore(choices);
    return this;
  }
}
