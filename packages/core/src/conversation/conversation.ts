import type { SanitizedOutput } from '../address/defuse.ts';
import { SallyportError } from '../base/errors.ts';
import { ProposedCall, readToolCall, type ToolCall } from '../call/call.ts';
import { readBy } from '../call/script.ts';
import type { Framed } from '../frame/frame.ts';
import type { StoredApproval } from '../gate/approval-store.ts';
import type { CallApproval, TrustedValue } from '../gate/approvals.ts';
import type { Decision } from '../gate/decision.ts';
import { joinLabels } from '../label/label.ts';
import { source } from '../label/source.ts';
import type { ModelRequest, RequestOptions } from '../prompt/request.ts';
import { Transcript } from '../provenance/transcript.ts';
import { type Content, surfaceOf } from '../record/part.ts';
import type { Recorded } from '../record/record.ts';
import type { TaskDefinition } from '../task/definition.ts';
import type { ContentInput, ToolResult, UserMessageOptions } from './admit.ts';
import type { Derivation } from './expectations.ts';
import { History } from './history.ts';
import { Intake, type IntakeSettings } from './intake.ts';
import { contentOfMemory, type SavedMemory, saveMemory } from './memory.ts';
import { type CheckOptions, Outbound, type OutboundSettings } from './outbound.ts';
import { type RenderingSettings, Renderings } from './renderings.ts';
import { SNAPSHOT_VERSION, type Snapshot, storeRecord } from './snapshot.ts';
import type { Turn } from './turn.ts';

const USER = source('user');

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
export class Conversation {
  readonly id: string;
  readonly #transcript: Transcript;
  readonly #intake: Intake;
  readonly #renderings: Renderings;
  readonly #outbound: Outbound;
  readonly #history: History;

  constructor(id: string, settings: ConversationSettings) {
    this.id = id;
    const transcript = new Transcript(settings.tools, settings.gate);
    const intake = new Intake(settings, transcript);
    const renderings = new Renderings(settings, intake, transcript);
    const outbound = new Outbound(id, settings, intake, renderings, transcript);
    this.#history = new History({ intake, renderings, outbound, transcript });
    [this.#transcript, this.#intake, this.#renderings, this.#outbound] = [transcript, intake, renderings, outbound];
  }

  /** The records of this conversation, in the order in which they were added. */
  get records(): readonly Recorded[] {
    return this.#intake.records;
  }

  /**
   * Whether content was shown to a model, through request(), render() or frame(). Until then, and after restore(), every call
   * with an effect is denied: what the model has read is unknown.
   */
  get hasRendered(): boolean {
    return this.#transcript.hasSeen;
  }

  /**
   * Adds a message that the user wrote. It is trusted and not framed: do not put other content into it.
   *
   * @example
   * ```ts
   * conversation.addUserMessage('Pay the invoice in my inbox.');
   * ```
   */
  addUserMessage(content: Content, options: UserMessageOptions = {}): Recorded {
    return this.#intake.add({ ...options, source: USER, content });
  }

  /**
   * Says what the user authorized, in place of the words by which the gate would recognise it. It counts until the next call of
   * task(), whatever the user says in the meantime. A later call replaces the tools and the delegates; people and values stay,
   * like what the user typed. It is not part of a snapshot: give it again after restore().
   *
   * @example
   * ```ts
   * conversation.task({ tools: ['pay'], values: [form.iban, form.amount] });
   * ```
   */
  task(definition: TaskDefinition): void {
    this.#transcript.give(definition);
  }

  /**
   * Adds the result of a tool call. Its trust is that of the tool's definition. The same content under the same id is the same
   * record.
   *
   * @example
   * ```ts
   * conversation.addToolResult({ id: call.id, tool: 'read_mail', content: { json: mails } });
   * ```
   */
  addToolResult(result: ToolResult): Recorded {
    return this.#intake.add(result);
  }

  /**
   * Adds content that did not come from a tool call: a retrieved document, a file, a message of another agent.
   *
   * @example
   * ```ts
   * conversation.addContent({ source: source('external', { name: 'example.com' }), content: page });
   * ```
   */
  addContent(input: ContentInput): Recorded {
    return this.#intake.add(input);
  }

  /**
   * Declares what the content that will arrive under an id was made from: the result of a script or of a sub-agent. If one of the
   * records holds an instruction to the model, or was not checked, the whole result is suspect.
   *
   * @example
   * ```ts
   * await conversation.declareDerivation('call-7', { derivedFrom: [page, mail] });
   * ```
   */
  async declareDerivation(id: string, derivation: Derivation): Promise<void> {
    const shown = await Promise.all(derivation.derivedFrom.map((recorded) => this.#renderings.frame(recorded)));
    this.#intake.declareDerivation(id, derivation, shown);
  }

  /**
   * Saves text that the agent writes for later: a memory, a summary, a note. It carries the label of everything that this
   * conversation showed to the model and the trust class of its words. Store it with storeMemory().
   *
   * @example
   * ```ts
   * const memory = conversation.saveMemory({ id: 'preferences', content: 'Alice prefers tea.' });
   * await database.put(memory.id, storeMemory(memory));
   * ```
   */
  saveMemory({ id, content }: { readonly id: string; readonly content: Content }): SavedMemory {
    const { id: cleanId, parts, labels } = this.#intake.cleanWords(id, content);
    const context = joinLabels([this.#renderings.context, ...labels]);
    const trust = this.#transcript.trustOf(parts.map(surfaceOf));
    return saveMemory({ id: cleanId, content: parts, context, derivedFrom: this.#renderings.shownIds, trust });
  }

  /**
   * Adds a saved memory, of this conversation or another one, under the label it was saved with.
   *
   * @example
   * ```ts
   * conversation.loadMemory(restoreMemory(await database.get('preferences'), onDoubt));
   * ```
   */
  loadMemory(memory: SavedMemory): Recorded {
    const recorded = this.#intake.add(contentOfMemory(memory));
    this.#transcript.lowerTrust(recorded.id, memory.trust);
    return recorded;
  }

  /**
   * Frames one record for a model: limited, classified, quoted, framed. It counts as shown.
   *
   * @example
   * ```ts
   * const { text } = await conversation.frame(conversation.addContent({ content: page }));
   * ```
   */
  frame(recorded: Recorded): Promise<Framed> {
    return this.#renderings.frame(recorded);
  }

  /**
   * Builds the request for a model, for agents with a loop of their own. Only new content is classified and framed. Call it again
   * before each step.
   *
   * @example
   * ```ts
   * const { system, entries } = await conversation.request({ policy: prompt`You are a mail assistant.` });
   * ```
   */
  request(options: RequestOptions = {}): Promise<ModelRequest> {
    return this.#renderings.request(options);
  }

  /**
   * Renders a history that a framework keeps, and returns for each turn what to show the model in its place: undefined if the
   * turn stays as it is. Only new turns are added; calls in the history are recorded in their order. Put READING_RULES into the
   * system message.
   *
   * @example
   * ```ts
   * const shown = await conversation.render(turns);
   * ```
   */
  render(turns: readonly Turn[]): Promise<readonly (Framed | undefined)[]> {
    return this.#history.render(turns);
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
    return this.#outbound.pending;
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
    return this.#outbound.approve(decision, approval);
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
    return this.#outbound.approvals();
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
    return this.#outbound.revoke(approvalId);
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
    return this.#outbound.sanitizeOutput(text);
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
