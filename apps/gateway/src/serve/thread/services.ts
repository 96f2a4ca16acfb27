import type { ApprovalStore, ClassifierV1, StoredApproval } from '@sallyport/core';
import { BoundedMap, digestText, platformSignal } from '@sallyport/core/adapter';
import { parseJson } from '@sallyport/core/json';
import { memoryApprovalStore, type VerdictCache } from '@sallyport/core/stages';
import type { Answer, Approver, FoundSpan, MemoryLog, PinStore } from '@sallyport/mcp-proxy';
import type { AuditEvent } from '../../store/audit/audit.ts';
import type { TextLog } from '../../store/log.ts';
import type { RefusedCall } from '../guard/journal.ts';

/** One step of an answer that takes long: it can be cancelled, and may show a form meanwhile. */
export interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onShow?: ((form: string) => void) | undefined;
}

/** Asks the main thread, which has the database, Redis and the network. */
export type AskMain = (service: string, given: readonly unknown[], options?: AskOptions) => Promise<unknown>;

/** An entry that is not JSON marks content that was removed. */
export function readEntry(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** The log of a principal's conversations, with entries that are read and written here. */
export function memoryLog(texts: TextLog): MemoryLog {
  return {
    async since(conversation, after) {
      return (await texts.since(conversation, after)).map(({ at, text }) => ({ at, kept: readEntry(text) }));
    },
    append: (conversation, kept) => texts.append(conversation, JSON.stringify(kept)),
  };
}

export function logOver(ask: AskMain): MemoryLog {
  return memoryLog({
    since: (conversation, after) => ask('log.since', [conversation, after]) as ReturnType<TextLog['since']>,
    append: (conversation, text) => ask('log.append', [conversation, text]) as Promise<void>,
  });
}

export function cacheOver(ask: AskMain): VerdictCache {
  return {
    get: (key) => ask('cache.get', [key]),
    set: (key, verdict) => {
      // Not awaited: a verdict that is not cached is computed again.
      ask('cache.set', [key, verdict]).catch(() => undefined);
    },
  };
}

export function pinsOver(ask: AskMain, server: string): PinStore {
  return {
    load: () => ask('pins.load', [server]) as Promise<Awaited<ReturnType<PinStore['load']>>>,
    add: (pins) => ask('pins.add', [server, pins]) as Promise<void>,
    hold: (held, listed) => ask('pins.hold', [server, held, listed]) as Promise<void>,
    waits: (tool) => ask('pins.waits', [server, tool]) as Promise<boolean | 'rejected'>,
    others: () => ask('pins.others', [server]) as Promise<ReadonlyMap<string, string>>,
  };
}

export function approverOver(ask: AskMain, revision: string): Approver {
  return (question, signal, show) =>
    ask('approve', [revision, question, show !== undefined], { signal, onShow: show }) as Promise<Answer>;
}

/** Approvals for one call, which end with the process, and those that last, which all replicas share. */
export function approvalsOver(ask: AskMain): ApprovalStore {
  const once = memoryApprovalStore();
  return {
    ...once,
    async take(keys, now, decision) {
      const taken = await once.take(keys, now);
      // A denied call is not asked about: no lasting approval covers it.
      if (taken !== undefined || decision?.outcome !== 'ask') return taken;
      return (await ask('approvals.take', [decision.call.tool, keys])) as StoredApproval | undefined;
    },
  };
}

export function claimOver(ask: AskMain): (id: string, until: number) => Promise<boolean> {
  return (id, until) => ask('claim', [id, until]) as Promise<boolean>;
}

/** Logs a call that was not made, so that another policy can be tried out on it. No conversation reads it. */
export function refusedOver(ask: AskMain): (refused: RefusedCall) => Promise<void> {
  return async ({ conversation, call: { id, tool, argumentsJson } }) => {
    const entry = { type: 'call', id, tool, arguments: parseJson(argumentsJson), conversation };
    await ask('log.append', ['refused', JSON.stringify({ key: id, entry })]);
  };
}

const MAX_KNOWN = 10_000;

/** Stores spans that people may say something about. Each once: content is read again after each restart and policy change. */
export function spansOver(ask: AskMain): (spans: readonly FoundSpan[]) => void {
  const known = new BoundedMap<string, true>(MAX_KNOWN);
  return (spans) => {
    const added = spans.filter(({ server, tag, text }) => {
      const key = digestText(JSON.stringify([server, tag, text]));
      if (known.has(key)) return false;
      known.set(key, true);
      return true;
    });
    // Not awaited: that a span is listed must not delay what was read.
    if (added.length > 0) ask('found', [added]).catch(() => undefined);
  };
}

/** Writes an event to the audit chain. */
export function auditOver(ask: AskMain): (event: AuditEvent) => Promise<void> {
  return async (event) => {
    await ask('audit', [event]);
  };
}

/** A classifier of the application's own: it is a function of the main thread. */
export function classifierOver(ask: AskMain, id: string): ClassifierV1 {
  return {
    specificationVersion: 'v1',
    id,
    async prepare() {
      await ask('prepare', []);
    },
    doClassify: ({ text, signal }) =>
      ask('classify', [text], { signal: platformSignal<AbortSignal>(signal) }) as ReturnType<
        ClassifierV1['doClassify']
      >,
  };
}
