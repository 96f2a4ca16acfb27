import type { DecidedBy, Decision, Outcome, TrustClass } from '@sallyport/core';
import { canonicalJson, digestText } from '@sallyport/core/adapter';
import type { Likelihood } from '@sallyport/core/stages';
import { requestOrigin } from '../../request-origin.ts';
import type { Database, Transaction } from '../database.ts';
import { appendNext } from '../writer.ts';

/** The server, principal and conversation of a call or an answer. */
export interface CallContext {
  readonly server: string;
  readonly principal: string;
  readonly conversation: string;
}

/** Evidence for a decision, without the content itself. */
interface AuditEvidence {
  readonly path: string;
  readonly standing: TrustClass;
  /** The record that contains the value. */
  readonly record?: string;
  readonly likelihood?: Likelihood;
}

/** An event of the audit chain. It contains names, digests and argument paths, but no content. */
export type AuditEvent =
  | (CallContext & {
      readonly type: 'call';
      readonly tool: string;
      /** Digest of the arguments. */
      readonly arguments: string;
      readonly outcome: Outcome;
      readonly judged: Outcome;
      readonly rule: string;
      /** The cell of the policy's table that the call is in. Absent if another rule decided. */
      readonly cell?: string;
      /** Rows of earlier versions do not have it. */
      readonly decidedBy: DecidedBy;
      readonly reason: string;
      readonly evidence: readonly AuditEvidence[];
    })
  | (CallContext & {
      readonly type: 'answer';
      readonly record: string;
      readonly digest: string;
      /** Number of flagged spans. @default unknown */
      readonly flagged?: number;
    })
  | (ActionFields<'approved' | 'denied' | 'revoked'> & {
      readonly type: 'approval';
      readonly id: string;
      readonly digest: string;
      /** The person of the key that it was given with, if that is known. */
      readonly person?: string;
      /** Of the call. Rows of earlier versions have none of the three. */
      readonly principal?: string;
      readonly server?: string;
      readonly tool?: string;
      /** The person's own words with their answer. */
      readonly note?: string;
      /** The scope of a lasting approval, and its end. Absent if the answer applies once. */
      readonly scope?: string;
      readonly until?: string;
    })
  | (ActionFields<'accepted' | 'rejected'> & {
      readonly type: 'pin';
      readonly server: string;
      readonly tool: string | undefined;
      readonly digest: string;
    })
  | (ActionFields<'changed'> & { readonly type: 'policy'; readonly version: number; readonly digest: string })
  | (ActionFields<'made' | 'revoked' | 'expires'> & {
      readonly type: 'key';
      readonly id: string;
      readonly principal?: string;
      /** The person whose key it is, if that is known. */
      readonly person?: string;
    })
  | (ActionFields<'began' | 'ended'> & {
      readonly type: 'login';
      readonly principal?: string;
      readonly scopes?: readonly string[];
    })
  | (ActionFields<'changed' | 'removed' | 'connected' | 'disconnected'> & {
      readonly type: 'server';
      readonly server: string;
      /** The owner of a connection that someone else ended. */
      readonly principal?: string;
    })
  | (ActionFields<'changed' | 'removed'> & {
      readonly type: 'webhook';
      readonly webhook: string;
      readonly host: string;
    })
  /** Someone looked at what another principal has read. */
  | (ActionFields<'read'> & { readonly type: 'conversation'; readonly principal: string })
  /** A caller asked for a server that the policy gives to other groups. */
  | (ActionFields<'refused'> & { readonly type: 'access'; readonly server: string })
  | (ActionFields<'promoted'> & { readonly type: 'submission'; readonly id: string; readonly digest: string })
  | (ActionFields<'endorsed'> & { readonly type: 'endorsement'; readonly tool: string; readonly digest: string })
  | (ActionFields<'set'> & {
      readonly type: 'threshold';
      readonly server: string;
      readonly tag: string;
      readonly least: Likelihood;
    })
  /** Someone said that a mark or a decision was right or wrong, or took what was said out of the workspace. */
  | (ActionFields<'harmless' | 'attack' | 'exported'> & {
      readonly type: 'correction';
      readonly of?: 'span' | 'passage' | 'decision';
      readonly server?: string;
      readonly tag?: string;
      readonly digest?: string;
    });

interface ActionFields<What extends string> {
  readonly what: What;
  /** The principal who acted. */
  readonly by: string;
}

const MAX_PATH_LENGTH = 200;

/** A decision as an audit event. */
export function callEvent(party: CallContext, decision: Decision): AuditEvent {
  const { call, outcome, judged, rule, cell, decidedBy, reason, evidence } = decision;
  return {
    type: 'call',
    ...party,
    tool: call.tool,
    arguments: digestText(call.argumentsJson),
    outcome,
    judged,
    rule,
    ...(cell === undefined ? {} : { cell }),
    decidedBy,
    reason,
    evidence: evidence.map(({ path, trust, place }) => ({
      path: path.slice(0, MAX_PATH_LENGTH),
      standing: trust,
      ...(place === undefined ? {} : { record: place.recordId }),
    })),
  };
}

/** An event as a line of the chain, with the origin of the current request. */
export function auditLine(workspace: string, event: AuditEvent, at: number = Date.now()): string {
  const { workspace: _, ...origin } = requestOrigin() ?? {};
  return canonicalJson({ ...event, at, workspace, ...(Object.keys(origin).length === 0 ? {} : { origin }) });
}

/** Writes an event in the transaction of the change that it describes: both are committed, or neither. */
export async function recordAudit(
  database: Database,
  sql: Transaction,
  workspace: string,
  event: AuditEvent,
): Promise<void> {
  // Not remembered as written: whether it is committed is not known here.
  const lines = [auditLine(workspace, event)];
  await appendNext(database, sql, workspace, { conversations: [], bodies: [], lines });
}
