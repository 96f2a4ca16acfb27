import type { Decision } from '@sallyport/core';
import { digestText } from '@sallyport/core/adapter';
import { type Fields, fieldsOf } from './fields.ts';
import { META } from './meta.ts';

/** A `tools/call` on its way out. */
export interface Call {
  /** The id under which the model made the call, or one made of the call where nobody said it. */
  readonly id: string;
  /** The name that the server knows the tool by. */
  readonly tool: string;
  readonly arguments: unknown;
}

/** What the same call is known by when it goes out a second time. */
export function keyOf({ name, arguments: given }: Fields): string {
  return JSON.stringify([name, given]);
}

export function callOf(params: Fields, server: string, count: number): Call {
  const { name, arguments: given = {} } = params;
  const said = fieldsOf(params._meta)[META.call];
  const made = `mcp-${digestText(`${server} ${keyOf(params)} ${count}`).slice(0, 32)}`;
  // A name that is none is refused by the gate.
  return { id: typeof said === 'string' ? said : made, tool: name as string, arguments: given };
}

/** Of the protocol of 2026, where a server's question comes as a result: the same call again, with the answer. */
export function isAnswer(params: Fields): boolean {
  return params.inputResponses !== undefined || params.requestState !== undefined;
}

const VERSION = 'io.modelcontextprotocol/protocolVersion';

/** Since 2026 every request says its version, and every result its type. */
export function isModern(params: Fields): boolean {
  return fieldsOf(params._meta)[VERSION] !== undefined;
}

/** What the client is told in place of a result. */
export function refusalOf({ id, params }: Fields, { outcome, rule, result: text }: Decision): Fields {
  const result = {
    ...(isModern(fieldsOf(params)) ? { resultType: 'complete' } : {}),
    content: [{ type: 'text', text }],
    isError: true,
    _meta: { [META.decision]: { outcome, rule } },
  };
  return { jsonrpc: '2.0', id, result };
}
