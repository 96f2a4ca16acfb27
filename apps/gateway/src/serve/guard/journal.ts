import type { Decision } from '@sallyport/core';
import { digestText } from '@sallyport/core/adapter';
import type { Answered, Decided, Journal } from '@sallyport/mcp-proxy';
import { type AuditEvent, callEvent } from '../../store/audit/audit.ts';

const HIDDEN = 'The policy does not offer this tool to this caller.';
const HELD = 'The definition of this tool has changed and has not been accepted yet.';
const REJECTED = 'The server has changed the definition of this tool, and a person has rejected the change.';

/** A call that was not made. */
export interface RefusedCall {
  readonly conversation: string;
  readonly call: Decision['call'];
}

/** Writes each decision and each answer to the audit chain before it takes effect. */
export function createJournal(
  principal: string,
  write: (event: AuditEvent) => Promise<void>,
  recordRefused: (refused: RefusedCall) => Promise<void> = async () => undefined,
): Required<Journal> {
  return {
    async decided({ conversation, server, tool, decision, heldAs, isHidden = false }: Decided) {
      const party = { server, principal, conversation };
      if (decision !== undefined && decision.outcome !== 'allow')
        await recordRefused({ conversation, call: decision.call });
      if (decision !== undefined) return write(callEvent(party, decision));
      const held = heldAs === 'rejected' ? REJECTED : HELD;
      const [rule, reason] = isHidden ? ['hidden', HIDDEN] : ['pinned', held];
      const verdict = { outcome: 'deny', judged: 'deny', rule, decidedBy: 'rule', reason } as const;
      return write({ type: 'call', ...party, tool, arguments: digestText(''), ...verdict, evidence: [] });
    },
    async answered({ conversation, server, id, text }: Answered) {
      return write({ type: 'answer', server, principal, conversation, record: id, digest: digestText(text) });
    },
  };
}
