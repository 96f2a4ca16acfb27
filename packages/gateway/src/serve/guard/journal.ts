import { digestText } from '@sallyport/core/adapter';
import type { Answered, Decided, Journal } from '@sallyport/mcp-proxy';
import { type AuditEvent, callEvent } from '../../store/audit/audit.ts';

const HELD = 'The definition of this tool has changed and has not been accepted yet.';
const REJECTED = 'The server has changed the definition of this tool, and a person has rejected the change.';

/** Writes each decision and each answer to the audit chain before it takes effect. */
export function createJournal(principal: string, write: (event: AuditEvent) => Promise<void>): Required<Journal> {
  return {
    async decided({ conversation, server, tool, decision, heldAs }: Decided) {
      const party = { server, principal, conversation };
      if (decision !== undefined) return write(callEvent(party, decision));
      const reason = heldAs === 'rejected' ? REJECTED : HELD;
      const verdict = { outcome: 'deny', judged: 'deny', rule: 'pinned', reason } as const;
      return write({ type: 'call', ...party, tool, arguments: digestText(''), ...verdict, evidence: [] });
    },
    async answered({ conversation, server, id, text }: Answered) {
      return write({ type: 'answer', server, principal, conversation, record: id, digest: digestText(text) });
    },
  };
}
