import type { Decision } from '@sallyport/core';
import { digestText, type Fields, fieldsOf, stringOf } from '@sallyport/core/adapter';
import { META } from './meta.ts';

/** A `tools/call` that is about to be sent. */
export interface Call {
  /** The id under which the model made the call, or one derived from the call if none was given. */
  readonly id: string;
  /** The server's name for the tool. */
  readonly tool: string;
  readonly arguments: unknown;
}

/** The same for two identical calls. */
export function keyOf({ name, arguments: given }: Fields): string {
  return JSON.stringify([name, given]);
}

export function callOf(params: Fields, server: string, count: number): Call {
  const { name, arguments: given = {} } = params;
  const derived = `mcp-${digestText(`${server} ${keyOf(params)} ${count}`).slice(0, 32)}`;
  // The gate denies a call whose name is not a string.
  return { id: stringOf(fieldsOf(params._meta)[META.call]) ?? derived, tool: name as string, arguments: given };
}

/** Recognizes a call that repeats an earlier one with the answer to a question of the server (protocol 2026-07-28). */
export function isAnswer(params: Fields): boolean {
  return params.inputResponses !== undefined || params.requestState !== undefined;
}

const VERSION = 'io.modelcontextprotocol/protocolVersion';

/** Recognizes protocol 2026-07-28 or later, in which requests have a version and results a type. */
export function isModern(params: Fields): boolean {
  return fieldsOf(params._meta)[VERSION] !== undefined;
}

/** The result that the client gets for a call that was not made. */
export function refusalOf({ id, params }: Fields, { outcome, rule, result: text }: Decision): Fields {
  const result = {
    ...(isModern(fieldsOf(params)) ? { resultType: 'complete' } : {}),
    content: [{ type: 'text', text }],
    isError: true,
    _meta: { [META.decision]: { outcome, rule } },
  };
  return { jsonrpc: '2.0', id, result };
}
