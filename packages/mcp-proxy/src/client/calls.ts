import type { Decision } from '@sallyport/core';
import { causeName } from '@sallyport/core/adapter';
import type { Connection, Wires } from '../connection/connection.ts';
import { errorText, type Id, keyOfId } from '../message/message.ts';
import type { FailedOperation } from '../state/event.ts';
import type { Decided, HeldAs } from '../state/journal.ts';
import { answerIn, formOf, questionOf } from '../state/question.ts';
import { withApprovalKeys } from './approval-keys.ts';
import {
  applyOverride,
  approvalTerms,
  type CallRequest,
  type Checked,
  checkCall,
  keyOfCall,
  toolCallOf,
} from './check-call.ts';
import { changedOf, heldOf, refusalOf } from './refusal.ts';
import { heldQuestion, needsSecondPerson } from './second-person.ts';
import { callIn, QUESTION, readState, stateFor, withoutQuestion } from './tool-call.ts';

const UNCHECKED = 'The message could not be checked and was not sent.';
const NOT_SENT = 'The message was not sent: a person must allow it.';

/** Handles the client's tool calls: checks each call, asks a person about the held ones, and sends the allowed ones. */
export class Calls {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Handles one call. A call that cannot be checked is not made, such as one with unreadable arguments. */
  async receive(request: Omit<CallRequest, 'call'>, wires: Wires): Promise<void> {
    try {
      await this.#receive({ ...request, call: callIn(request.json, this.#connection.settings.prefix) }, wires);
    } catch (cause) {
      this.#fail('check', cause);
      wires.toClient(this.#uncheckedText(request.id, cause));
    }
  }

  /**
   * Handles a message that is no call of a tool. Where only the application's own rules decide, it passes unless one of them holds
   * it: they are about tools.
   */
  async receiveMessage(request: CallRequest, wires: Wires): Promise<void> {
    try {
      const checked = await applyOverride(this.#connection, request, await checkCall(this.#connection, request));
      const { outcome, rule } = checked.decision;
      if (rule === 'no-rule') await request.passage?.pass();
      else if (outcome === 'ask') await this.#ask(request, checked.decision, wires);
      else await this.#finish(request, checked, request.json.text, wires);
    } catch (cause) {
      this.#fail('check', cause);
      request.passage?.refuse(UNCHECKED);
    }
  }

  async #receive(request: CallRequest, wires: Wires): Promise<void> {
    const { catalog, settings } = this.#connection;
    const { id, call, memory } = request;
    if (typeof call.tool !== 'string' || call.tool === '' || typeof call.arguments === 'string') {
      wires.toClient(errorText(id, -32602, 'Invalid params'));
      return;
    }
    if (!settings.isOffered(call.tool)) {
      await this.#recordDecision(request, undefined, { isHidden: true });
      wires.toClient(errorText(id, -32602, 'Unknown tool'));
      return;
    }
    if (call.showsApps) this.#connection.showsApps = true;
    await catalog.load();
    const heldAs = await catalog.heldAs(call.tool);
    if (heldAs !== undefined) return this.#refuseHeld(request, heldAs, wires);
    const state = readState(memory.frameKey, approvalTerms(this.#connection, call), call.requestState);
    if (state !== undefined && this.#connection.showsForms) return this.#receiveApproval(request, state, wires);
    const isRepeated = call.isAnswer && this.#takeAnsweredWithQuestion(request);
    const isAnswered = settings.checkedElsewhere?.(call.tool, call.arguments);
    const checked = await applyOverride(
      this.#connection,
      request,
      await checkCall(this.#connection, { ...request, isAnswered }),
    );
    const { decision } = checked;
    // A person is asked once about a call. A denial still applies.
    if (isRepeated && decision.outcome === 'ask') await this.#send(request, checked, request.json.text, wires);
    else if (decision.outcome === 'ask') await this.#ask(request, decision, wires);
    else await this.#finish(request, checked, request.json.text, wires);
  }

  /**
   * Recognises the repetition of a call that the server answered with a question, and forgets it. The call was checked
   * before.
   */
  #takeAnsweredWithQuestion(request: CallRequest): boolean {
    const { answeredWithQuestion: keys } = this.#connection.guardState;
    const index = keys.indexOf(keyOfCall(request));
    if (index >= 0) keys.splice(index, 1);
    return index >= 0;
  }

  /** Handles the answer to a question that was sent in place of a result, as in protocol version 2026. */
  async #receiveApproval(request: CallRequest, state: { until: number; id: string }, wires: Wires): Promise<void> {
    const { clock, claim, approvesForms } = this.#connection.settings;
    const isOwn = !needsSecondPerson(this.#connection, toolCallOf(this.#connection, request).tool);
    const isValid = isOwn && state.until > clock() && (await claim(state.id, state.until));
    const answer = answerIn(request.call.inputResponses[QUESTION]);
    // If an approver receives the forms, they offer no scope, so no scope of an answer counts.
    const given = approvesForms && typeof answer === 'object' ? { by: answer.by } : answer;
    const checked = await checkCall(this.#connection, request, isValid ? given : undefined);
    await this.#finish(request, checked, withoutQuestion(request.json), wires);
  }

  async #ask(request: CallRequest, decision: Decision, wires: Wires): Promise<void> {
    const { settings, questions: asking } = this.#connection;
    const { id, call, memory, passage } = request;
    const question = heldQuestion(this.#connection, memory.id, decision);
    const showsForms = this.#connection.showsForms && question.secondPerson !== true;
    if (passage === undefined && call.isModern && call.canElicit && showsForms) {
      const until = settings.clock() + settings.askTimeout * 10;
      const requestState = stateFor(memory.frameKey, approvalTerms(this.#connection, call), until, settings.randomId());
      const params = { mode: 'form', ...formOf(question, !settings.approvesForms) };
      const inputRequests = { [QUESTION]: { method: 'elicitation/create', params } };
      const result = { resultType: 'input_required', inputRequests, requestState };
      await this.#recordDecision(request, decision);
      wires.toClient(JSON.stringify({ jsonrpc: '2.0', id, result }));
      return;
    }
    const key = keyOfId(id);
    this.#connection.heldRequests.add(key);
    const canShow = !call.isModern && this.#connection.canElicit && showsForms;
    const toClient = canShow ? wires.toClient : undefined;
    // Not awaited: the client's other messages must pass meanwhile, and one of them may be the answer.
    void withApprovalKeys(this.#connection, memory, toolCallOf(this.#connection, request), question)
      .then((keyed) => asking.ask(keyed, toClient))
      .catch((cause: unknown) => {
        // No answer: the call stays undecided and is refused.
        this.#fail('ask', cause);
        return undefined;
      })
      .then(async (answer) => {
        const settled =
          answer === undefined
            ? { decision, isCheckedElsewhere: false }
            : await checkCall(this.#connection, request, answer);
        const isChanged = settled.decision.outcome === 'allow' && !(await this.#connection.isCurrent());
        const heldAs = passage === undefined ? await this.#connection.catalog.heldAs(call.tool as string) : undefined;
        if (!this.#connection.heldRequests.delete(key)) return;
        if (heldAs !== undefined) await this.#refuseHeld(request, heldAs, wires);
        else if (isChanged) await this.#refuseChanged(request, decision, wires);
        else await this.#finish(request, settled, request.json.text, wires);
      })
      .catch((cause: unknown) => {
        this.#fail('check', cause);
        // Before the answer is sent: its receiver may check `isSettled`.
        this.#connection.heldRequests.delete(key);
        if (passage === undefined) wires.toClient(this.#uncheckedText(id, cause));
        else passage.refuse(UNCHECKED);
      });
  }

  #uncheckedText(id: Id, cause: unknown): string {
    const note = this.#connection.settings.failureNote(cause);
    return errorText(
      id,
      -32603,
      `The call could not be checked and was not made${note === undefined ? '' : `: ${note}`}`,
    );
  }

  #fail(operation: FailedOperation, cause: unknown): void {
    this.#connection.settings.onEvent({ type: 'failed', operation, cause: causeName(cause) });
  }

  async #finish(request: CallRequest, checked: Checked, text: string, wires: Wires): Promise<void> {
    const { id, call, memory, passage } = request;
    const { decision } = checked;
    const { outcome, rule, judged } = decision;
    const { settings } = this.#connection;
    // Clients send many messages: only what was not simply allowed is reported.
    if (passage !== undefined && outcome === 'allow' && judged === 'allow') return passage.pass();
    settings.onEvent({ type: 'call', tool: String(call.tool), outcome, rule });
    if (outcome === 'allow') return this.#send(request, checked, text, wires);
    await this.#recordDecision(request, decision);
    const note = settings.refusalNote(questionOf(settings, memory.id, decision));
    if (passage === undefined) wires.toClient(refusalOf(id, call.isModern, decision, note));
    else passage.refuse(note === undefined ? NOT_SENT : `${NOT_SENT} ${note}`);
  }

  async #recordDecision(
    { memory, recordId, call }: CallRequest,
    decision: Decision | undefined,
    more: Pick<Decided, 'heldAs' | 'isHidden' | 'isCheckedElsewhere'> = {},
  ): Promise<void> {
    const { journal, server } = this.#connection.settings;
    const tool = String(call.tool);
    await journal.decided?.({ conversation: memory.id, server, id: recordId, tool, decision, ...more });
  }

  async #refuseHeld(request: CallRequest, heldAs: HeldAs, wires: Wires): Promise<void> {
    await this.#recordDecision(request, undefined, { heldAs });
    const note = this.#connection.settings.heldNote?.(String(request.call.tool));
    wires.toClient(heldOf(request.id, request.call.isModern, heldAs, note));
  }

  /** The policy or the authorization changed after the person was asked, so their approval does not apply. */
  async #refuseChanged(request: CallRequest, decision: Decision, wires: Wires): Promise<void> {
    await this.#recordDecision(request, decision);
    if (request.passage !== undefined) return request.passage.refuse(NOT_SENT);
    wires.toClient(changedOf(request.id, request.call.isModern));
  }

  /** Sends a call. The decision is logged before, here and for other processes. */
  async #send(request: CallRequest, checked: Checked, text: string, wires: Wires): Promise<void> {
    const { id, call, memory, recordId, passage } = request;
    const tool = call.tool as string;
    const { decision, isCheckedElsewhere } = checked;
    const recorded = this.#recordDecision(request, decision, isCheckedElsewhere ? { isCheckedElsewhere } : {});
    if (passage !== undefined) {
      await recorded;
      return passage.pass();
    }
    await Promise.all([memory.recordCall(toolCallOf(this.#connection, request)), recorded]);
    const sent = { method: 'tools/call', memory, recordId, tool, callKey: keyOfCall(request) };
    this.#connection.pending.add(id, sent);
    wires.toServer(text);
  }
}
