import type { Ask, CallApproval, Decision, ToolCall } from '@sallyport/core';
import type { JsonText } from '@sallyport/core/json';
import type { Connection } from '../connection/connection.ts';
import type { Id } from '../message/message.ts';
import type { Memory } from '../state/memory.ts';
import { type Answer, questionOf } from '../state/question.ts';
import type { Call } from './tool-call.ts';

/** A call that the client asks for. */
export interface CallRequest {
  readonly id: Id;
  /** The message to send to the server. */
  readonly json: JsonText;
  readonly call: Call;
  readonly memory: Memory;
  readonly recordId: string;
  /** Whether a check elsewhere answers a question about this call. @default no */
  readonly isAnswered?: ((decision: Decision) => boolean) | undefined;
}

/** A call that was checked in one conversation was not checked in another. */
export function keyOfCall({ call, memory }: CallRequest): string {
  return `${memory.id} ${call.key}`;
}

/** The person's answer for the decision of one conversation; once, if that decision does not allow the scope that they chose. */
function inScope({ by, ...given }: CallApproval, { scopes }: Decision): CallApproval {
  return given.scope === undefined || scopes.includes(given.scope) ? { by, ...given } : { by };
}

/** The approver recorded for a check elsewhere. */
const ELSEWHERE: CallApproval = { by: 'the hook of the same client' };

/** What was decided about a call. */
export interface Checked {
  readonly decision: Decision;
  /** Whether a check elsewhere answered what was asked about it. */
  readonly isCheckedElsewhere: boolean;
}

/**
 * The gate's decision, with the person's answer if there is one. The memories shared by all conversations must allow the call too: a
 * person is asked only about what none of them denies, and of several questions they see the first with evidence.
 */
export async function checkCall(
  connection: Connection,
  request: CallRequest,
  answer?: Answer,
  override?: CallApproval,
): Promise<Checked> {
  const { memory, isAnswered } = request;
  const toolCall = toolCallOf(connection, request);
  const ask: Ask | undefined =
    answer === undefined ? undefined : (decision) => (answer === 'declined' ? undefined : inScope(answer, decision));
  const { principal, definitions } = connection.memories;
  const { gate } = connection.guardState;
  let own: Decision | undefined;
  let asked: Decision | undefined;
  let isCheckedElsewhere = false;
  for (const each of new Set([memory, principal, definitions])) {
    const checkIn = (given: Ask | undefined): Promise<Decision> => {
      const options = { gate, ask: given, override };
      return each === memory ? memory.check(toolCall, options) : each.checkForAnother(toolCall, memory.id, options);
    };
    const first = await checkIn(ask);
    const isElsewhere = first.outcome === 'ask' && isAnswered?.(first) === true;
    const decision = isElsewhere ? await checkIn(() => ELSEWHERE) : first;
    if (decision.outcome === 'deny') return { decision, isCheckedElsewhere: false };
    if (decision.outcome === 'ask' && !asked?.evidence.length) asked = decision;
    isCheckedElsewhere ||= isElsewhere;
    own ??= decision;
  }
  if (asked !== undefined) return { decision: asked, isCheckedElsewhere: false };
  return { decision: own as Decision, isCheckedElsewhere };
}

/** A denied call that a person let pass is checked again with their approval. */
export async function applyOverride(connection: Connection, request: CallRequest, checked: Checked): Promise<Checked> {
  const { override } = connection.settings;
  const { decision } = checked;
  if (override === undefined || decision.outcome !== 'deny' || decision.scopes.length === 0) return checked;
  const approval = await override(questionOf(connection.settings, request.memory.id, decision));
  return approval === undefined ? checked : checkCall(connection, request, undefined, approval);
}

/** What an approval is valid for: this call under the current policy. */
export function approvalTerms({ settings }: Connection, { key }: Call): string {
  return `${settings.revision} ${key}`;
}

/** The call for core, with the name of the tool among those of all servers. */
export function toolCallOf({ settings: { prefix } }: Connection, { call, recordId }: CallRequest): ToolCall {
  return { id: recordId, tool: `${prefix}${String(call.tool)}`, arguments: call.arguments };
}
