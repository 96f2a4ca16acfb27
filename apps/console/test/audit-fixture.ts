import { type AuditEvent, auditLine } from '../../gateway/src/store/audit/audit.ts';
import { Writer } from '../../gateway/src/store/writer.ts';
import type { Stage } from './stage.ts';

type CallEvent = Extract<AuditEvent, { type: 'call' }>;
type Outcome = 'allow' | 'ask' | 'deny';

/** A call as the audit has it. */
export function call(tool: string, outcome: Outcome, judged: Outcome, rule: string): CallEvent {
  const party = { server: 'mail', principal: 'sub:ada', conversation: 'Invoices of November' };
  return {
    type: 'call',
    ...party,
    tool,
    arguments: 'e3b0c442',
    outcome,
    judged,
    rule,
    decidedBy: 'rule',
    reason: 'why',
    evidence: [],
  };
}

/** Writes events, whatever their types say. */
export async function writeEvents({ installation, acme }: Stage, events: readonly object[]): Promise<void> {
  const writer = new Writer(installation.test.database);
  await writer.write(acme, { audit: events.map((event) => auditLine(acme, event as AuditEvent)) });
}
