import { canonicalJson, type Fields, fieldsOf } from '@sallyport/core/adapter';
import { type JsonText, memberOf } from '@sallyport/core/json';
import type { FrameKey } from '@sallyport/core/stages';
import { declaresApps } from '../content/app.ts';
import { Edits } from '../json/edit.ts';
import { readExactly } from '../json/exact.ts';
import { VERSION } from './refusal.ts';

/** A `tools/call` request to the server. */
export interface Call {
  /** The tool's name. If it is not a string, the call is refused. */
  readonly tool: unknown;
  readonly arguments: unknown;
  /** Identifies the call if it is repeated. */
  readonly key: string;
  readonly isModern: boolean;
  /** Set when the client declares with this call that it can show forms. */
  readonly canElicit: boolean;
  /** Set when the client declares with this call that it shows apps. */
  readonly showsApps: boolean;
  readonly requestState: unknown;
  readonly inputResponses: Fields;
  /** Set when the call is repeated with the answer to a question, as in protocol version 2026. */
  readonly isAnswer: boolean;
}

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** Checks a client's capabilities for forms. An empty `elicitation` object means forms. */
export function canElicit(capabilities: unknown): boolean {
  const { elicitation } = fieldsOf(capabilities);
  if (typeof elicitation !== 'object' || elicitation === null) return false;
  return Object.keys(elicitation).length === 0 || 'form' in elicitation;
}

export function callIn({ text, root }: JsonText, prefix: string): Call {
  const params = fieldsOf(readExactly(text, memberOf(root, 'params')));
  const { name, arguments: given = {}, requestState, inputResponses } = params;
  const meta = fieldsOf(params._meta);
  return {
    tool: name,
    arguments: given,
    key: canonicalJson([prefix, name ?? null, given]),
    isModern: meta[VERSION] !== undefined,
    canElicit: canElicit(meta[CAPABILITIES]),
    showsApps: declaresApps(meta[CAPABILITIES]),
    requestState,
    inputResponses: fieldsOf(inputResponses),
    isAnswer: requestState !== undefined || inputResponses !== undefined,
  };
}

const OWN_STATE = /^sallyport\.(\d{1,16})\.([\w-]{8,64})\.([A-Za-z0-9_-]+)$/;

/** The name of the proxy's question among a result's input requests. */
export const QUESTION = 'sallyport-approval';

/** The authenticated state of a question: valid for these terms and this conversation, until a time, once. */
export function stateFor(key: FrameKey, terms: string, until: number, id: string): string {
  return `sallyport.${until}.${id}.${key.code('approval', terms, `${until} ${id}`)}`;
}

/** Reads the state of a question. Undefined if it is for other terms or was changed. */
export function readState(
  key: FrameKey,
  terms: string,
  requestState: unknown,
): { readonly until: number; readonly id: string } | undefined {
  const [, until, id, code] = (typeof requestState === 'string' && OWN_STATE.exec(requestState)) || [];
  if (until === undefined || id === undefined) return undefined;
  return key.code('approval', terms, `${until} ${id}`) === code ? { until: Number(until), id } : undefined;
}

/** The call without the proxy's question, which the server does not know. */
export function withoutQuestion({ text, root }: JsonText): string {
  const params = memberOf(root, 'params');
  const edits = new Edits(text);
  for (const member of params?.members ?? [])
    if (member.name === 'requestState' || member.name === 'inputResponses')
      edits.remove(params as NonNullable<typeof params>, member);
  return edits.apply() ?? text;
}
