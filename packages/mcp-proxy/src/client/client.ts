import type { Ask, Decision, ToolCall } from '@sallyport/core';
import { type JsonText, memberOf, readJson, readValue } from '@sallyport/core/json';
import type { Connection, Wires } from '../connection/connection.ts';
import { outgoingText } from '../connection/outgoing.ts';
import { fieldsOf } from '../message/fields.ts';
import { errorText, hasLookalikes, type Id, isBatch, keyOfId, type Message, readMessage } from '../message/message.ts';
import type { Memory } from '../state/memory.ts';
import { type Answer, answerIn, formOf, questionOf } from '../state/question.ts';
import { changedOf, heldOf, refusalOf } from './refusal.ts';
import { type Call, callIn, canElicit, QUESTION, readState, stateFor, withoutQuestion } from './tool-call.ts';

type Request = Extract<Message, { type: 'request' }>;

interface Judged {
  readonly id: Id;
  /** As it goes to the server. */
  readonly json: JsonText;
  readonly call: Call;
  readonly memory: Memory;
  readonly recordId: string;
}

function unjudged(id: Id): string {
  return errorText(id, -32603, 'The call could not be judged, and was not made');
}

/** What was judged in one conversation was not judged in another. */
function keyOfCall({ call, memory }: Judged): string {
  return `${memory.id} ${call.key}`;
}

/** What becomes of the messages of a client. */
export class ClientSide {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async take(text: string, wires: Wires): Promise<void> {
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
        return this.#takeBatch(message.text, message.texts, wires);
      case 'response':
        return this.#takeResponse(message, wires);
      case 'notification':
        return this.#takeNotification(message, wires);
      case 'request':
        return this.#takeRequest(message, wires);
    }
  }

  /** One by one, so that no call leaves unseen; what may leave, leaves together. */
  async #takeBatch(text: string, texts: readonly string[], wires: Wires): Promise<void> {
    const leaving: string[] = [];
    let isCollecting = true;
    const toServer = (each: string): unknown => (isCollecting ? leaving.push(each) : wires.toServer(each));
    for (const each of texts)
      if (isBatch(each)) wires.toClient(errorText(null, -32600, 'Invalid request'));
      else await this.take(each, { toClient: wires.toClient, toServer });
    isCollecting = false;
    const isWhole = leaving.length === texts.length && leaving.every((each, index) => each === texts[index]);
    if (leaving.length > 0) wires.toServer(isWhole ? text : `[${leaving.join(',')}]`);
  }

  #takeResponse({ id, json }: Extract<Message, { type: 'response' }>, wires: Wires): void {
    const { asking } = this.#connection;
    if (id !== null && asking.settle(id, readValue(json.text, memberOf(json.root, 'result')))) return;
    // The server is told what it said itself, also where the client hands a frame back: a choice, a name.
    wires.toServer(outgoingText(json, [this.#connection.memories.principal]));
  }

  #takeNotification({ method, json }: Extract<Message, { type: 'notification' }>, wires: Wires): void {
    if (method === 'tools/call') {
      // A call that nobody waits for is none that anybody judged.
      this.#connection.settings.onEvent({ type: 'dropped', from: 'client', reason: 'kind' });
      return;
    }
    if (method === 'notifications/cancelled') {
      const id = readValue(json.text, memberOf(memberOf(json.root, 'params'), 'requestId')) as Id;
      this.#connection.pending.drop(id);
      // What never left needs no cancelling.
      if (this.#connection.held.delete(keyOfId(id))) return;
    }
    wires.toServer(outgoingText(json, this.#read(this.#connection.memoryOf(json))));
  }

  async #takeRequest({ id, method, json }: Request, wires: Wires): Promise<void> {
    const { pending, settings } = this.#connection;
    if (pending.has(id) || this.#connection.held.has(keyOfId(id))) {
      wires.toClient(errorText(id, -32600, 'Another request of this id has not been answered yet'));
      return;
    }
    const memory = this.#connection.memoryOf(json);
    const text = outgoingText(json, this.#read(memory));
    const recordId = `mcp-${settings.randomId()}`;
    if (method === 'tools/call') {
      const leaving = text === json.text ? json : readJson(text);
      try {
        return await this.#takeCall(
          { id, json: leaving, call: callIn(leaving, settings.prefix), memory, recordId },
          wires,
        );
      } catch {
        // A store that cannot be read, arguments that cannot be: what could not be judged is not made, and whoever waits is told.
        wires.toClient(unjudged(id));
        return;
      }
    }
    const params = fieldsOf(readValue(json.text, memberOf(json.root, 'params')));
    if (method === 'initialize') this.#connection.canElicit = canElicit(params.capabilities);
    const tool = typeof params.taskId === 'string' ? this.#connection.premises.tasks.get(params.taskId) : undefined;
    pending.add(id, { method, memory, recordId, tool, callKey: undefined });
    wires.toServer(text);
  }

  /** Whose frames a client may hand back: those of a conversation, and those that all have read. */
  #read(memory: Memory): readonly Memory[] {
    return [memory, this.#connection.memories.principal];
  }

  async #takeCall(judged: Judged, wires: Wires): Promise<void> {
    const { catalog } = this.#connection;
    const { id, call, memory } = judged;
    if (typeof call.tool !== 'string' || call.tool === '' || typeof call.arguments === 'string') {
      wires.toClient(errorText(id, -32602, 'Invalid params'));
      return;
    }
    await catalog.load();
    if (await catalog.isHeld(call.tool)) return this.#refuseHeld(judged, wires);
    const state = readState(memory.frameKey, this.#termsOf(call), call.requestState);
    if (state !== undefined && this.#connection.showsForms) return this.#takeApproval(judged, state, wires);
    const isSecond = call.isAnswer && this.#wasAsked(judged);
    const decision = await this.#decide(judged);
    // Nobody is asked twice about one call; what is denied by now is denied.
    if (isSecond && decision.outcome === 'ask') await this.#send(judged, decision, judged.json.text, wires);
    else if (decision.outcome === 'ask') await this.#ask(judged, decision, wires);
    else await this.#finish(judged, decision, judged.json.text, wires);
  }

  /** The gate's decision, after what a person said where he was asked. What all have read, this conversation has read too. */
  async #decide(judged: Judged, answer?: Answer): Promise<Decision> {
    const { memory } = judged;
    const use = this.#useOf(judged);
    const ask: Ask | undefined =
      answer === undefined ? undefined : () => Promise.resolve(answer === 'declined' ? undefined : answer);
    const { principal, definitions } = this.#connection.memories;
    const decision = await memory.decide(use, ask);
    for (const other of decision.outcome === 'allow' ? [principal, definitions] : []) {
      const theirs = other === memory ? decision : await other.decideForAnother(use, ask);
      if (theirs.outcome !== 'allow') return theirs;
    }
    return decision;
  }

  /** What an approval is for: this call, by what calls are judged by now. */
  #termsOf({ key }: Call): string {
    return `${this.#connection.settings.revision} ${key}`;
  }

  #useOf({ call, recordId }: Judged): ToolCall {
    const { prefix } = this.#connection.settings;
    return { id: recordId, tool: `${prefix}${String(call.tool)}`, arguments: call.arguments };
  }

  /** Whether the server has answered this very call with a question of its own: it was judged then. */
  #wasAsked(judged: Judged): boolean {
    const { asked } = this.#connection.premises;
    const index = asked.indexOf(keyOfCall(judged));
    if (index >= 0) asked.splice(index, 1);
    return index >= 0;
  }

  /** Of the protocol of 2026: the answer to a question that stood in the place of a result. */
  async #takeApproval(judged: Judged, state: { until: number; id: string }, wires: Wires): Promise<void> {
    const { clock, claim } = this.#connection.settings;
    const isFresh = state.until > clock() && (await claim(state.id, state.until));
    const answer = judged.call.inputResponses[QUESTION];
    const decision = await this.#decide(judged, isFresh ? answerIn(answer) : undefined);
    await this.#finish(judged, decision, withoutQuestion(judged.json), wires);
  }

  async #ask(judged: Judged, decision: Decision, wires: Wires): Promise<void> {
    const { settings, asking } = this.#connection;
    const { id, call, memory } = judged;
    const question = questionOf(settings.server, memory.id, decision);
    if (call.isModern && call.canElicit && this.#connection.showsForms) {
      const until = settings.clock() + settings.askTimeout * 10;
      const requestState = stateFor(memory.frameKey, this.#termsOf(call), until, settings.randomId());
      const params = { mode: 'form', ...formOf(question) };
      const inputRequests = { [QUESTION]: { method: 'elicitation/create', params } };
      const result = { resultType: 'input_required', inputRequests, requestState };
      await this.#note(judged, decision);
      wires.toClient(JSON.stringify({ jsonrpc: '2.0', id, result }));
      return;
    }
    const key = keyOfId(id);
    this.#connection.held.add(key);
    const canShow = !call.isModern && this.#connection.canElicit && this.#connection.showsForms;
    const toClient = canShow ? wires.toClient : undefined;
    // Nothing waits for this: what else the client says goes on meanwhile, and among it may be the answer.
    void asking
      .ask(question, toClient)
      // Whoever cannot be asked has said nothing.
      .catch(() => undefined)
      .then(async (answer) => {
        const settled = answer === undefined ? decision : await this.#decide(judged, answer);
        const isChanged = settled.outcome === 'allow' && !(await this.#connection.isCurrent());
        const isLate = await this.#connection.catalog.isHeld(call.tool as string);
        if (!this.#connection.held.delete(key)) return;
        if (isLate) await this.#refuseHeld(judged, wires);
        else if (isChanged) await this.#refuseChanged(judged, decision, wires);
        else await this.#finish(judged, settled, judged.json.text, wires);
      })
      .catch(() => {
        // Whoever is told looks whether anything is held still.
        this.#connection.held.delete(key);
        wires.toClient(unjudged(id));
      });
  }

  async #finish(judged: Judged, decision: Decision, text: string, wires: Wires): Promise<void> {
    const { id, call } = judged;
    const { outcome, rule } = decision;
    this.#connection.settings.onEvent({ type: 'call', tool: String(call.tool), outcome, rule });
    if (outcome === 'allow') return this.#send(judged, decision, text, wires);
    await this.#note(judged, decision);
    wires.toClient(refusalOf(id, call.isModern, decision));
  }

  async #note({ memory, recordId, call }: Judged, decision?: Decision): Promise<void> {
    const { journal, server } = this.#connection.settings;
    await journal.decided?.({ conversation: memory.id, server, id: recordId, tool: String(call.tool), decision });
  }

  async #refuseHeld(judged: Judged, wires: Wires): Promise<void> {
    await this.#note(judged);
    wires.toClient(heldOf(judged.id, judged.call.isModern));
  }

  /** By other rules now, or for somebody who may not any more: what a person approved was something else. */
  async #refuseChanged(judged: Judged, decision: Decision, wires: Wires): Promise<void> {
    await this.#note(judged, decision);
    wires.toClient(changedOf(judged.id, judged.call.isModern));
  }

  /** What was decided is written down, here and for other processes, before the call leaves. */
  async #send(judged: Judged, decision: Decision, text: string, wires: Wires): Promise<void> {
    const { id, call, memory, recordId } = judged;
    const tool = call.tool as string;
    await Promise.all([memory.keepCall(this.#useOf(judged)), this.#note(judged, decision)]);
    const sent = { method: 'tools/call', memory, recordId, tool, callKey: keyOfCall(judged) };
    this.#connection.pending.add(id, sent);
    wires.toServer(text);
  }
}
