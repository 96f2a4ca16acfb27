import type { Decision, Outcome, TrustClass } from '@sallyport/core';
import { canonicalJson, digestText } from '@sallyport/core/adapter';
import type { Likelihood } from '@sallyport/core/stages';
import type { Transaction } from '../database.ts';

/** Whose call or answer it is. */
export interface Party {
  readonly server: string;
  readonly principal: string;
  readonly conversation: string;
}

/** Why, without the words themselves. */
interface AuditEvidence {
  readonly path: string;
  readonly standing: TrustClass;
  /** The record in which the value stands. */
  readonly record?: string;
  readonly likelihood?: Likelihood;
}

/** What is kept for ever. None holds content of others beyond names, digests and the paths of arguments. */
export type AuditEvent =
  | (Party & {
      readonly type: 'call';
      readonly tool: string;
      /** Digest of the arguments. */
      readonly arguments: string;
      readonly outcome: Outcome;
      readonly judged: Outcome;
      readonly rule: string;
      readonly reason: string;
      readonly evidence: readonly AuditEvidence[];
    })
  | (Party & {
      readonly type: 'answer';
      readonly record: string;
      readonly digest: string;
      /** How many spans were flagged. @default unknown */
      readonly flagged?: number;
    })
  | (Acted<'approved' | 'denied'> & {
      readonly type: 'approval';
      readonly id: string;
      readonly digest: string;
    })
  | (Acted<'accepted'> & {
      readonly type: 'pin';
      readonly server: string;
      readonly tool: string | undefined;
      readonly digest: string;
    })
  | (Acted<'changed'> & { readonly type: 'policy'; readonly version: number; readonly digest: string })
  | (Acted<'made' | 'revoked' | 'expires'> & { readonly type: 'key'; readonly id: string; readonly principal?: string })
  | (Acted<'changed' | 'removed'> & { readonly type: 'server'; readonly server: string })
  | (Acted<'promoted'> & { readonly type: 'submission'; readonly id: string; readonly digest: string })
  | (Acted<'endorsed'> & { readonly type: 'endorsement'; readonly tool: string; readonly digest: string })
  | (Acted<'set'> & {
      readonly type: 'threshold';
      readonly server: string;
      readonly tag: string;
      readonly least: Likelihood;
    });

interface Acted<What extends string> {
  readonly what: What;
  /** The principal who did it. */
  readonly by: string;
}

const MAX_PATH_LENGTH = 200;

/** A decision as it is kept. */
export function callEvent(party: Party, decision: Decision): AuditEvent {
  const { call, outcome, judged, rule, reason, evidence } = decision;
  return {
    type: 'call',
    ...party,
    tool: call.tool,
    arguments: digestText(call.argumentsJson),
    outcome,
    judged,
    rule,
    reason,
    evidence: evidence.map(({ path, trust, place }) => ({
      path: path.slice(0, MAX_PATH_LENGTH),
      standing: trust,
      ...(place === undefined ? {} : { record: place.recordId }),
    })),
  };
}

/** An event as a line of the chain. */
export function auditLine(workspace: string, event: AuditEvent, at: number = Date.now()): string {
  return canonicalJson({ ...event, at, workspace });
}

/** Writes an event in the transaction of what it is about: both are kept, or neither. */
export async function note(sql: Transaction, workspace: string, event: AuditEvent): Promise<void> {
  await sql`select write_entries(${workspace}::uuid, '{}', '{}', array[${auditLine(workspace, event)}::text])`;
}
