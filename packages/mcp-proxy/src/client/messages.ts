import { canonicalJson, type Fields, fieldsOf, isFields } from '@sallyport/core/adapter';
import { type JsonText, memberOf } from '@sallyport/core/json';
import type { Connection, Wires } from '../connection/connection.ts';
import { readExactly } from '../json/exact.ts';
import type { Id } from '../message/message.ts';
import { nameOfMessage, passes } from '../message/methods.ts';
import type { Memory } from '../state/memory.ts';
import type { Calls } from './calls.ts';
import type { Passage } from './check-call.ts';
import { VERSION } from './refusal.ts';
import { QUESTION } from './tool-call.ts';

/** A message of the client that is no call of a tool. */
interface ClientMessage {
  /** The id of a request that can be cancelled while it is held. */
  readonly id?: Id;
  readonly method: string;
  readonly json: JsonText;
  readonly memory: Memory;
  readonly wires: Wires;
}

/** The values that a message carries. Metadata is the host's, and the state is the server's. */
function valuesIn({ text, root }: JsonText): Fields {
  const node = ['params', 'result', 'error'].map((name) => memberOf(root, name)).find((each) => each !== undefined);
  const value = readExactly(text, node);
  const { _meta: meta, requestState, ...values } = isFields(value) ? value : { value };
  return Object.fromEntries(Object.entries(values).filter(([, each]) => each !== undefined && each !== null));
}

/** The answers to a server's questions that come with a request, as in protocol version 2026, without that to the proxy's. */
export function answersIn({ text, root }: JsonText): Fields {
  const { [QUESTION]: own, ...answers } = fieldsOf(
    readExactly(text, memberOf(memberOf(root, 'params'), 'inputResponses')),
  );
  return answers;
}

/** Checks the client's messages that are no calls of tools. */
export class MessageCheck {
  readonly #connection: Connection;
  readonly #calls: Calls;

  constructor(connection: Connection, calls: Calls) {
    this.#connection = connection;
    this.#calls = calls;
  }

  /** Sends a message, or asks a person about it first. */
  async send(message: ClientMessage, passage: Passage, values: Fields = valuesIn(message.json)): Promise<void> {
    const { method, json, memory, wires } = message;
    if (passes(method) || Object.keys(values).length === 0) return passage.pass();
    const recordId = `mcp-${this.#connection.settings.randomId()}`;
    const tool = nameOfMessage(method);
    const meta = fieldsOf(readExactly(json.text, memberOf(memberOf(json.root, 'params'), '_meta')));
    const call = {
      ...{ tool, arguments: values, key: canonicalJson([this.#connection.settings.prefix, tool, values]) },
      ...{ isModern: meta[VERSION] !== undefined, canElicit: false, showsApps: false, isAnswer: false },
      ...{ requestState: undefined, inputResponses: {} },
    };
    await this.#calls.receiveMessage({ id: message.id ?? recordId, json, call, memory, recordId, passage }, wires);
  }
}
