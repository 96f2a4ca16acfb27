import { digestText } from '@sallyport/core/adapter';
import type { Answered, Decided, Journal } from '@sallyport/mcp-proxy';
import { type AuditEvent, auditLine, callEvent } from '../../store/audit/audit.ts';
import type { Writer } from '../../store/writer.ts';

export interface JournalOptions {
  readonly workspace: string;
  readonly principal: string;
  readonly writer: Writer;
  /** Called with each outcome, for metrics. */
  readonly onCall: (server: string, outcome: string, rule: string) => void;
}

const HELD = 'The definition of this tool has changed and has not been accepted yet.';

/** Writes each decision and each answer to the audit chain before it takes effect. */
export function createJournal({ workspace, principal, writer, onCall }: JournalOptions): Required<Journal> {
  const write = async (event: AuditEvent): Promise<void> => {
    await writer.write(workspace, { audit: [auditLine(workspace, event)] });
  };
  return {
    async decided({ conversation, server, tool, decision }: Decided) {
      const party = { server, principal, conversation };
      onCall(server, decision?.outcome ?? 'deny', decision?.rule ?? 'pinned');
      if (decision !== undefined) return write(callEvent(party, decision));
      const verdict = { outcome: 'deny', judged: 'deny', rule: 'pinned', reason: HELD } as const;
      return write({ type: 'call', ...party, tool, arguments: digestText(''), ...verdict, evidence: [] });
    },
    async answered({ conversation, server, id, text }: Answered) {
      return write({ type: 'answer', server, principal, conversation, record: id, digest: digestText(text) });
    },
  };
}
