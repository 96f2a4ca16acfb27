import { fieldsOf } from '@sallyport/core/adapter';
import { type JsonText, memberOf, readJson, readValue } from '@sallyport/core/json';
import type { Connection, Wires } from '../connection/connection.ts';
import { outgoingText } from '../connection/outgoing.ts';
import { declaresApps } from '../content/app.ts';
import { errorText, hasLookalikes, type Id, isBatch, keyOfId, type Message, readMessage } from '../message/message.ts';
import { ANSWER } from '../message/methods.ts';
import type { Memory } from '../state/memory.ts';
import { Calls } from './calls.ts';
import { answersIn, MessageCheck } from './messages.ts';
import { canElicit } from './tool-call.ts';

type Request = Extract<Message, { type: 'request' }>;

/** A message after its frames were opened. */
function reread(json: JsonText, text: string): JsonText {
  return text === json.text ? json : readJson(text);
}

/** Handles the client's messages. */
export class ClientSide {
  readonly #connection: Connection;
  readonly #calls: Calls;
  readonly #messages: MessageCheck;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#calls = new Calls(connection);
    this.#messages = new MessageCheck(connection, this.#calls);
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

  async #receiveResponse({ id, json }: Extract<Message, { type: 'response' }>, wires: Wires): Promise<void> {
    const { questions: asking, memories } = this.#connection;
    if (id !== null && asking.settle(id, readValue(json.text, memberOf(json.root, 'result')))) return;
    // If the client returns a frame, such as a choice or a name, the server receives its own text.
    const text = outgoingText(json, this.#framesFrom(memories.principal));
    const refuse = (): void => wires.toServer(errorText(id, -32603, 'The client has not sent its answer'));
    const message = { method: ANSWER, json: reread(json, text), memory: memories.principal, wires };
    await this.#messages.send(message, { pass: () => wires.toServer(text), refuse });
  }

  async #receiveNotification(
    { method, json }: Extract<Message, { type: 'notification' }>,
    wires: Wires,
  ): Promise<void> {
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
    const memory = this.#connection.memoryOf(json);
    const text = outgoingText(json, this.#framesFrom(memory));
    const refuse = (): void =>
      this.#connection.settings.onEvent({ type: 'dropped', from: 'client', reason: 'unallowed' });
    const message = { method, json: reread(json, text), memory, wires };
    await this.#messages.send(message, { pass: () => wires.toServer(text), refuse });
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
    const outgoing = reread(json, text);
    const refuse = (reason: string): void => wires.toClient(errorText(id, -32603, reason));
    if (method === 'tools/call') {
      const pass = (): Promise<void> => this.#calls.receive({ id, json: outgoing, memory, recordId }, wires);
      return this.#messages.send(
        { id, method: ANSWER, json: outgoing, memory, wires },
        { pass, refuse },
        answersIn(outgoing),
      );
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
    const pass = (): void => {
      pending.add(id, { method, memory, recordId, tool, callKey: undefined, isFirstPage, ...uri });
      wires.toServer(text);
    };
    await this.#messages.send({ id, method, json: outgoing, memory, wires }, { pass, refuse });
  }

  /** The memories whose frames a client may return: the conversation's, the principal's, and definitions. */
  #framesFrom(memory: Memory): readonly Memory[] {
    const { principal, definitions } = this.#connection.memories;
    return [memory, principal, definitions];
  }
}
