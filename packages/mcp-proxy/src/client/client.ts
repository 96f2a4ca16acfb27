import type { Ask, CallApproval, Decision, ToolCall } from '@sallyport/core';
import { causeName, fieldsOf } from '@sallyport/core/adapter';
import { type JsonText, memberOf, readJson, readValue } from '@sallyport/core/json';
import type { Connection, Wires } from '../connection/connection.ts';
import { outgoingText } from '../connection/outgoing.ts';
import { declaresApps } from '../content/app.ts';
import { errorText, hasLookalikes, type Id, isBatch, keyOfId, type Message, readMessage } from '../message/message.ts';
import type { FailedOperation } from '../state/event.ts';
import type { Decided, HeldAs } from '../state/journal.ts';
import type { Memory } from '../state/memory.ts';
import { type Answer, answerIn, formOf, questionOf } from '../state/question.ts';
import { withApprovalKeys } from './approval-keys.ts';
import { changedOf, heldOf, refusalOf } from './refusal.ts';
import { heldQuestion, needsSecondPerson } from './second-person.ts';
import { type Call, callIn, canElicit, QUESTION, readState, stateFor, withoutQuestion } from './tool-call.ts';

type Request = Extract<Message, { type: 'request' }>;

interface CallRequest {
  readonly id: Id;
  /** The message to send to the server. */
  readonly json: JsonText;
  readonly call: Call;
  readonly memory: Memory;
  readonly recordId: string;
}

/** A call that was checked in one conversation was not checked in another. */
function keyOfCall({ call, memory }: CallRequest): string {
  return `${memory.id} ${call.key}`;
}

/** The person's answer for the decision of one conversation; once, if that decision does not allow the scope that they chose. */
function inScope({ by, ...given }: CallApproval, { scopes }: Decision): CallApproval {
  return given.scope === undefined || scopes.includes(given.scope) ? { by, ...given } : { by };
}

/** Handles the client's messages. */
export class ClientSide {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async receive(text: string, wires: Wires): Promise<void> {
    const message = readMessage(text);
    if ('json' in message && hasLookalikes(message.json)) {
      this.#connection.settings.onEvent({ type: 'dropped', from: 'client', reason: 'kind' });
      wires.toClient(errorText('id' in message ? message.id : null, -32600, 'Invalid request'));
      return;
    }
    switch (message.type) {
      case 'unreadable': {
        this.#connection.settings.onEvent({ type: 'dropped', from: 'client', reason: message.reason });
        const isJson = message.reason === 'kind';
        wires.toClient(errorText(null, isJson ? -32600 : -32700, isJson ? 'Invalid request' : 'Parse error'));
        return;
      }
      case 'batch':
        return this.#receiveBatch(message.text, message.texts, wires);
      case 'response':
        return this.#receiveResponse(message, wires);
      case 'notification':
        return this.#receiveNotification(message, wires);
      case 'request':
        return this.#receiveRequest(message, wires);
    }
  }

  /** Checks each message of a batch, and sends those that pass as one batch. */
  async #receiveBatch(text: string, texts: readonly string[], wires: Wires): Promise<void> {
    const passed: string[] = [];
    let isCollecting = true;
    const toServer = (each: string): unknown => (isCollecting ? passed.push(each) : wires.toServer(each));
    for (const each of texts)
      if (isBatch(each)) wires.toClient(errorText(null, -32600, 'Invalid request'));
      else await this.receive(each, { toClient: wires.toClient, toServer });
    isCollecting = false;
    const isWhole = passed.length === texts.length && passed.every((each, index) => each === texts[index]);
    if (passed.length > 0) wires.toServer(isWhole ? text : `[${passed.join(',')}]`);
  }

  #receiveResponse({ id, json }: Extract<Message, { type: 'response' }>, wires: Wires): void {
    const { questions: asking } = this.#connection;
    if (id !== null && asking.settle(id, readValue(json.text, memberOf(json.root, 'result')))) return;
    // If the client returns a frame, such as a choice or a name, the server receives its own text.
    wires.toServer(outgoingText(json, this.#framesFrom(this.#connection.memories.principal)));
  }

  #receiveNotification({ method, json }: Extract<Message, { type: 'notification' }>, wires: Wires): void {
    if (method === 'tools/call') {
      // A call without an id has no answer, so it cannot be refused. It is dropped.
      this.#connection.settings.onEvent({ type: 'dropped', from: 'client', reason: 'kind' });
      return;
    }
    if (method === 'notifications/cancelled') {
      const id = readValue(json.text, memberOf(memberOf(json.root, 'params'), 'requestId')) as Id;
      this.#connection.pending.drop(id);
      // A held request never reached the server.
      if (this.#connection.heldRequests.delete(keyOfId(id))) return;
    }
    wires.toServer(outgoingText(json, this.#framesFrom(this.#connection.memoryOf(json))));
  }

  async #receiveRequest({ id, method, json }: Request, wires: Wires): Promise<void> {
    const { pending, settings } = this.#connection;
    if (pending.has(id) || this.#connection.heldRequests.has(keyOfId(id))) {
      wires.toClient(errorText(id, -32600, 'Another request with this id has not been answered yet'));
      return;
    }
    const memory = this.#connection.memoryOf(json);
    const text = outgoingText(json, this.#framesFrom(memory));
    const recordId = `mcp-${settings.randomId()}`;
    if (method === 'tools/call') {
      const outgoing = text === json.text ? json : readJson(text);
      try {
        return await this.#receiveCall(
          { id, json: outgoing, call: callIn(outgoing, settings.prefix), memory, recordId },
          wires,
        );
      } catch (cause) {
        // Fail closed: an unreadable store or unreadable arguments mean that the call is not made.
        this.#fail('check', cause);
        wires.toClient(this.#uncheckedText(id, cause));
        return;
      }
    }
    const params = fieldsOf(readValue(json.text, memberOf(json.root, 'params')));
    if (method === 'initialize') {
      this.#connection.canElicit = canElicit(params.capabilities);
      this.#connection.showsApps = declaresApps(params.capabilities);
    }
    const page = method === 'resources/read' && typeof params.uri === 'string' ? params.uri : '';
    if (this.#connection.catalog.isPage(page)) this.#connection.readPages.add(page);
    const tool = typeof params.taskId === 'string' ? this.#connection.guardState.tasks.get(params.taskId) : undefined;
    const isFirstPage = method === 'tools/list' && params.cursor === undefined;
    const uri = page === '' ? {} : { uri: page };
    pending.add(id, { method, memory, recordId, tool, callKey: undefined, isFirstPage, ...uri });
    wires.toServer(text);
  }

  /** The memories whose frames a client may return: the conversation's, the principal's, and definitions. */
  #framesFrom(memory: Memory): readonly Memory[] {
    const { principal, definitions } = this.#connection.memories;
    return [memory, principal, definitions];
  }

  async #receiveCall(request: CallRequest, wires: Wires): Promise<void> {
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
    const state = readState(memory.frameKey, this.#approvalTerms(call), call.requestState);
    if (state !== undefined && this.#connection.showsForms) return this.#receiveApproval(request, state, wires);
    const isRepeated = call.isAnswer && this.#takeAnsweredWithQuestion(request);
    const decision = await this.#overridden(request, await this.#check(request));
    // A person is asked once about a call. A denial still applies.
    if (isRepeated && decision.outcome === 'ask') await this.#send(request, decision, request.json.text, wires);
    else if (decision.outcome === 'ask') await this.#ask(request, decision, wires);
    else await this.#finish(request, decision, request.json.text, wires);
  }

  /** The gate's decision, with the person's answer if there is one. The memories shared by all conversations must allow the call too. */
  async #check(request: CallRequest, answer?: Answer, override?: CallApproval): Promise<Decision> {
    const { memory } = request;
    const toolCall = this.#toolCallOf(request);
    const ask: Ask | undefined =
      answer === undefined ? undefined : (decision) => (answer === 'declined' ? undefined : inScope(answer, decision));
    const { principal, definitions } = this.#connection.memories;
    const decision = await memory.check(toolCall, ask, override);
    for (const other of decision.outcome === 'allow' ? [principal, definitions] : []) {
      const theirs = other === memory ? decision : await other.checkForAnother(toolCall, memory.id, ask, override);
      if (theirs.outcome !== 'allow') return theirs;
    }
    return decision;
  }

  /** A denied call that a person let pass is checked again with their approval. */
  async #overridden(request: CallRequest, decision: Decision): Promise<Decision> {
    const { override } = this.#connection.settings;
    if (override === undefined || decision.outcome !== 'deny' || decision.scopes.length === 0) return decision;
    const approval = await override(questionOf(this.#connection.settings, request.memory.id, decision));
    return approval === undefined ? decision : this.#check(request, undefined, approval);
  }

  /** What an approval is valid for: this call under the current policy. */
  #approvalTerms({ key }: Call): string {
    return `${this.#connection.settings.revision} ${key}`;
  }

  #toolCallOf({ call, recordId }: CallRequest): ToolCall {
    const { prefix } = this.#connection.settings;
    return { id: recordId, tool: `${prefix}${String(call.tool)}`, arguments: call.arguments };
  }

  /** Whether the server answered this call with a question. The call was checked at that time. */
  #takeAnsweredWithQuestion(request: CallRequest): boolean {
    const { answeredWithQuestion: keys } = this.#connection.guardState;
    const index = keys.indexOf(keyOfCall(request));
    if (index >= 0) keys.splice(index, 1);
    return index >= 0;
  }

  /** Handles the answer to a question that was sent in place of a result, as in protocol version 2026. */
  async #receiveApproval(request: CallRequest, state: { until: number; id: string }, wires: Wires): Promise<void> {
    const { clock, claim } = this.#connection.settings;
    const isOwn = !needsSecondPerson(this.#connection, this.#toolCallOf(request).tool);
    const isValid = isOwn && state.until > clock() && (await claim(state.id, state.until));
    const answer = request.call.inputResponses[QUESTION];
    const decision = await this.#check(request, isValid ? answerIn(answer) : undefined);
    await this.#finish(request, decision, withoutQuestion(request.json), wires);
  }

  async #ask(request: CallRequest, decision: Decision, wires: Wires): Promise<void> {
    const { settings, questions: asking } = this.#connection;
    const { id, call, memory } = request;
    const question = heldQuestion(this.#connection, memory.id, decision);
    const showsForms = this.#connection.showsForms && question.secondPerson !== true;
    if (call.isModern && call.canElicit && showsForms) {
      const until = settings.clock() + settings.askTimeout * 10;
      const requestState = stateFor(memory.frameKey, this.#approvalTerms(call), until, settings.randomId());
      const params = { mode: 'form', ...formOf(question) };
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
    void withApprovalKeys(this.#connection, memory, this.#toolCallOf(request), question)
      .then((keyed) => asking.ask(keyed, toClient))
      .catch((cause: unknown) => {
        // No answer: the call stays undecided and is refused.
        this.#fail('ask', cause);
        return undefined;
      })
      .then(async (answer) => {
        const settled = answer === undefined ? decision : await this.#check(request, answer);
        const isChanged = settled.outcome === 'allow' && !(await this.#connection.isCurrent());
        const heldAs = await this.#connection.catalog.heldAs(call.tool as string);
        if (!this.#connection.heldRequests.delete(key)) return;
        if (heldAs !== undefined) await this.#refuseHeld(request, heldAs, wires);
        else if (isChanged) await this.#refuseChanged(request, decision, wires);
        else await this.#finish(request, settled, request.json.text, wires);
      })
      .catch((cause: unknown) => {
        this.#fail('check', cause);
        // Before the answer is sent: its receiver may check `isSettled`.
        this.#connection.heldRequests.delete(key);
        wires.toClient(this.#uncheckedText(id, cause));
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

  async #finish(request: CallRequest, decision: Decision, text: string, wires: Wires): Promise<void> {
    const { id, call, memory } = request;
    const { outcome, rule } = decision;
    const { settings } = this.#connection;
    settings.onEvent({ type: 'call', tool: String(call.tool), outcome, rule });
    if (outcome === 'allow') return this.#send(request, decision, text, wires);
    await this.#recordDecision(request, decision);
    const note = settings.refusalNote(questionOf(settings, memory.id, decision));
    wires.toClient(refusalOf(id, call.isModern, decision, note));
  }

  async #recordDecision(
    { memory, recordId, call }: CallRequest,
    decision: Decision | undefined,
    unchecked: Pick<Decided, 'heldAs' | 'isHidden'> = {},
  ): Promise<void> {
    const { journal, server } = this.#connection.settings;
    const tool = String(call.tool);
    await journal.decided?.({ conversation: memory.id, server, id: recordId, tool, decision, ...unchecked });
  }

  async #refuseHeld(request: CallRequest, heldAs: HeldAs, wires: Wires): Promise<void> {
    await this.#recordDecision(request, undefined, { heldAs });
    const note = this.#connection.settings.heldNote?.(String(request.call.tool));
    wires.toClient(heldOf(request.id, request.call.isModern, heldAs, note));
  }

  /** The policy or the authorization changed after the person was asked, so their approval does not apply. */
  async #refuseChanged(request: CallRequest, decision: Decision, wires: Wires): Promise<void> {
    await this.#recordDecision(request, decision);
    wires.toClient(changedOf(request.id, request.call.isModern));
  }

  /** Sends a call. The decision is logged before, here and for other processes. */
  async #send(request: CallRequest, decision: Decision, text: string, wires: Wires): Promise<void> {
    const { id, call, memory, recordId } = request;
    const tool = call.tool as string;
    await Promise.all([memory.recordCall(this.#toolCallOf(request)), this.#recordDecision(request, decision)]);
    const sent = { method: 'tools/call', memory, recordId, tool, callKey: keyOfCall(request) };
    this.#connection.pending.add(id, sent);
    wires.toServer(text);
  }
}
