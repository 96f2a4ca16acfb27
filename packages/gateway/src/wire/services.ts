import type { ClassifierV1 } from '@sallyport/core';
import type { Verdict } from '@sallyport/core/stages';
import type { FoundSpan, Held, Listed, PinStore, Pins, Question } from '@sallyport/mcp-proxy';
import type { Log } from '../operate/log.ts';
import type { Metrics } from '../operate/metrics.ts';
import { recordOutcome } from '../operate/trace.ts';
import type { PinViews } from '../serve/guard/pins.ts';
import type { ServiceTable } from '../serve/thread/guard-thread.ts';
import { type AuditEvent, auditLine } from '../store/audit/audit.ts';
import { textLog } from '../store/log.ts';
import type { Caller } from '../store/secrets/keys.ts';
import type { Stores } from './stores.ts';

export interface ServicesOptions {
  readonly stores: Stores;
  readonly classifier: ClassifierV1 | undefined;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly pins: PinViews;
  /** Whether all principals of a workspace reach the same process or account of a server. */
  readonly isShared: (workspace: string, server: string) => boolean;
  readonly caller: Pick<Caller, 'workspace' | 'principal'>;
}

/** What the thread that checks a principal's messages may ask for: everything that needs the database, Redis or the network. */
export function createServices({
  stores,
  classifier,
  metrics,
  log: lines,
  pins,
  isShared,
  caller,
}: ServicesOptions): ServiceTable {
  const { database, writer, verdicts, approvals, claims, findings } = stores;
  const { workspace, principal } = caller;
  const log = textLog(database, writer, workspace, principal);
  const cache = verdicts.of(workspace);
  const pinsOf = (server: string): PinStore =>
    pins.store(workspace, server, { principal, isShared: () => isShared(workspace, server) });
  return {
    'log.since': (_, conversation: string, after: number) => log.since(conversation, after),
    'log.append': (_, conversation: string, text: string) => log.append(conversation, text),
    'cache.get': (_, key: string) => cache.get(key),
    'cache.set': (_, key: string, verdict: Verdict) => cache.set(key, verdict),
    'pins.load': (_, server: string) => pinsOf(server).load(),
    'pins.add': (_, server: string, added: Pins) => pinsOf(server).add(added),
    'pins.hold': (_, server: string, held: readonly Held[], listed: Listed) => pinsOf(server).hold(held, listed),
    'pins.waits': (_, server: string, tool: string) => pinsOf(server).waits(tool),
    'pins.others': (_, server: string) => pinsOf(server).others(),
    approve: ({ signal, show }, revision: string, question: Question, hasForm: boolean) =>
      approvals.approver({ workspace, principal, revision })(question, signal, hasForm ? show : undefined),
    claim: (_, id: string, until: number) => claims.claim(workspace, id, until),
    isCurrent: ({ connection }) => connection?.isCurrent() ?? false,
    audit: async (_, event: AuditEvent) => {
      if (event.type === 'call') {
        metrics.call(event.outcome, event.rule);
        recordOutcome(event.outcome, event.rule);
        const { server, outcome, rule } = event;
        if (outcome !== 'allow') lines.info('call not allowed', { workspace, server, outcome, rule });
      }
      await writer.write(workspace, { audit: [auditLine(workspace, event)] });
    },
    // The tool without the prefix that keeps servers apart.
    found: (_, spans: readonly FoundSpan[]) =>
      findings.add(
        workspace,
        principal,
        spans.map((span) => ({ ...span, tool: span.tool?.slice(span.tool.indexOf('.') + 1) })),
      ),
    prepare: () => classifier?.prepare?.(),
    classify: ({ signal }, text: string) => classifier?.doClassify({ text, signal }),
  };
}
