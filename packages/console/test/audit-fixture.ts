import { type AuditEvent, auditLine } from '../../gateway/src/store/audit/audit.ts';
import { Writer } from '../../gateway/src/store/writer.ts';
import type { Stage } from './stage.ts';

type Outcome = 'allow' | 'ask' | 'deny';

/** A call as the audit has it. */
export function call(tool: string, outcome: Outcome, judged: Outcome, rule: string): AuditEvent {
  const party = { server: 'mail', principal: 'sub:ada', conversation: 'Invoices of November' };
  const evidence = [{ path: '/to', standing: 'content', record: 'mcp-1' }] as const;
  return { type: 'call', ...party, tool, arguments: 'e3b0c442', outcome, judged, rule, reason: 'why', evidence };
}

export async function writeEvents({ installation, acme }: Stage, events: readonly AuditEvent[]): Promise<void> {
  const writer = new Writer(installation.test.database);
  await writer.write(acme, { audit: events.map((event) => auditLine(acme, event)) });
}
