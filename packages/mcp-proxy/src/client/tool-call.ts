import { canonicalJson } from '@sallyport/core/adapter';
import { type JsonText, memberOf } from '@sallyport/core/json';
import type { FrameKey } from '@sallyport/core/stages';
import { Edits } from '../json/edit.ts';
import { readExactly } from '../json/exact.ts';
import { type Fields, fieldsOf } from '../message/fields.ts';
import { VERSION } from './refusal.ts';

/** A `tools/call` on its way to the server. */
export interface Call {
  /** The name; something else where it is none, and then nothing is called. */
  readonly tool: unknown;
  readonly arguments: unknown;
  /** What the same call is known by when it comes a second time. */
  readonly key: string;
  readonly isModern: boolean;
  /** Whether the client says, with this very call, that it can show a form. */
  readonly canElicit: boolean;
  readonly requestState: unknown;
  readonly inputResponses: Fields;
  /** Of the protocol of 2026: the same call again, with the answer to a question. */
  readonly isAnswer: boolean;
}

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** Whether capabilities of a client name forms. An empty object has always meant forms. */
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
    requestState,
    inputResponses: fieldsOf(inputResponses),
    isAnswer: requestState !== undefined || inputResponses !== undefined,
  };
}

const OWN_STATE = /^sallyport\.(\d{1,16})\.([\w-]{8,64})\.([A-Za-z0-9_-]+)$/;

/** The name of our question among those of a result. */
export const QUESTION = 'sallyport-approval';

/** The state of a question of ours: on these terms, for this conversation, until then, once. */
export function stateFor(key: FrameKey, terms: string, until: number, id: string): string {
  return `sallyport.${until}.${id}.${key.code('approval', terms, `${until} ${id}`)}`;
}

/** What a state of ours says; undefined where its terms are others, or it was changed. */
export function readState(
  key: FrameKey,
  terms: string,
  requestState: unknown,
): { readonly until: number; readonly id: string } | undefined {
  const [, until, id, code] = (typeof requestState === 'string' && OWN_STATE.exec(requestState)) || [];
  if (until === undefined || id === undefined) return undefined;
  return key.code('approval', terms, `${until} ${id}`) === code ? { until: Number(until), id } : undefined;
}

/** The call without our question: the server has not asked it. */
export function withoutQuestion({ text, root }: JsonText): string {
  const params = memberOf(root, 'params');
  const edits = new Edits(text);
  for (const member of params?.members ?? [])
    if (member.name === 'requestState' || member.name === 'inputResponses')
      edits.remove(params as NonNullable<typeof params>, member);
  return edits.apply() ?? text;
}
