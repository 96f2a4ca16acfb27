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
  /** Checks that all principals of a workspace reach the same process or account of a server. */
  readonly isShared: (workspace: string, server: string) => boolean;
  readonly caller: Pick<Caller, 'workspace' | 'principal'>;
}

/** A tool's name without the prefix that keeps servers apart. */
function withoutServer(tool: string): string {
  return tool.slice(tool.indexOf('.') + 1);
}

/** The services of a thread that checks a principal's messages: all that need the database, Redis or the network. */
export function createServices({
  stores,
  classifier,
  metrics,
  log: lines,
  pins,
  isShared,
  caller,
}: ServicesOptions): ServiceTable {
  const { database, writer, verdicts, approvals, lasting, claims, findings } = stores;
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
    approve: ({ signal, show, connection }, revision: string, question: Question, hasForm: boolean) => {
      const terms = connection?.terms(question.tool);
      return approvals.approver({ workspace, principal, revision, terms })(
        question,
        signal,
        hasForm ? show : undefined,
      );
    },
    'approvals.take': ({ connection }, named: string, keys: readonly string[]) => {
      const terms = connection?.terms(withoutServer(named));
      return terms === undefined ? undefined : lasting.take({ workspace, principal, terms }, keys);
    },
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
    found: (_, spans: readonly FoundSpan[]) =>
      findings.add(
        workspace,
        principal,
        spans.map((span) => ({ ...span, tool: span.tool === undefined ? undefined : withoutServer(span.tool) })),
      ),
    prepare: () => classifier?.prepare?.(),
    classify: ({ signal }, text: string) => classifier?.doClassify({ text, signal }),
  };
}
