import type { Ask, CallApproval, Decision, ToolCall } from '@sallyport/core';
import type { JsonText } from '@sallyport/core/json';
import type { Connection } from '../connection/connection.ts';
import type { Id } from '../message/message.ts';
import type { Memory } from '../state/memory.ts';
import { type Answer, questionOf } from '../state/question.ts';
import type { Call } from './tool-call.ts';

/** A message of the client that is no call of a tool, and is checked like one. */
export interface Passage {
  /** Sends it to the server. */
  pass(): Promise<void> | void;
  /** Says to its sender or its receiver that it was not sent. */
  refuse(reason: string): void;
}

/** A call that the client asks for. */
export interface CallRequest {
  readonly id: Id;
  /** The message to send to the server. */
  readonly json: JsonText;
  readonly call: Call;
  readonly memory: Memory;
  readonly recordId: string;
  /** Tells if another check has answered the question of this decision. See `checkedElsewhere`. @default no */
  readonly isAnswered?: ((decision: Decision) => boolean) | undefined;
  /** Set for a message that is no call of a tool. */
  readonly passage?: Passage;
}

/** A key for a call in its conversation: a check in one conversation says nothing about another. */
export function keyOfCall({ call, memory }: CallRequest): string {
  return `${memory.id} ${call.key}`;
}

/**
 * Limits a person's answer to the scopes of a decision. If the chosen scope is not allowed, the approval is for one
 * call.
 */
function inScope({ by, ...given }: CallApproval, { scopes }: Decision): CallApproval {
  return given.scope === undefined || scopes.includes(given.scope) ? { by, ...given } : { by };
}

/** The approver recorded for a check elsewhere. */
const ELSEWHERE: CallApproval = { by: 'the hook of the same client' };

/** The decision about a call. */
export interface Checked {
  readonly decision: Decision;
  /** Set when a check elsewhere answered the question about the call. */
  readonly isCheckedElsewhere: boolean;
}

/**
 * The gate's decision, with the person's answer if there is one. The memories shared by all conversations must allow
 * the call too. A person is asked only about a call that none of them denies, and of several questions the first with
 * evidence is used.
 */
export async function checkCall(
  connection: Connection,
  request: CallRequest,
  answer?: Answer,
  override?: CallApproval,
): Promise<Checked> {
  const { memory, isAnswered, passage } = request;
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
      const isCall = each === memory && passage === undefined;
      return isCall ? memory.check(toolCall, options) : each.checkForAnother(toolCall, memory.id, options);
    };
    const first = await checkIn(ask);
    if (each.ignores(first)) continue;
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

/** Checks a denied call again with the approval of a person who overrides the denial. */
export async function applyOverride(connection: Connection, request: CallRequest, checked: Checked): Promise<Checked> {
  const { override } = connection.settings;
  const { decision } = checked;
  if (override === undefined || decision.outcome !== 'deny' || decision.scopes.length === 0) return checked;
  const approval = await override(questionOf(connection.settings, request.memory.id, decision));
  return approval === undefined ? checked : checkCall(connection, request, undefined, approval);
}

/** The terms of an approval: this call under the current policy. */
export function approvalTerms({ settings }: Connection, { key }: Call): string {
  return `${settings.revision} ${key}`;
}

/** The call for core, with the name of the tool among those of all servers. */
export function toolCallOf({ settings: { prefix } }: Connection, { call, recordId }: CallRequest): ToolCall {
  return { id: recordId, tool: `${prefix}${String(call.tool)}`, arguments: call.arguments };
}
