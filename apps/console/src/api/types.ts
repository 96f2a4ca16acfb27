import type { operations } from './schema.ts';

type Answer<Name extends keyof operations, Status extends number> = operations[Name]['responses'] extends {
  readonly [status in Status]: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;

export type Me = Answer<'readMe', 200>;
export type Scope = Me['scopes'][number];
export type Approval = Answer<'listApprovals', 200>['approvals'][number];
export type ApprovalScope = Approval['question']['scopes'][number];
export type LastingApproval = Answer<'listLastingApprovals', 200>['approvals'][number];
export type Evidence = Approval['question']['evidence'][number];
export type ConversationInfo = Answer<'listConversations', 200>['conversations'][number];
export type HeldPin = Answer<'listPins', 200>['held'][number];
export type Key = Answer<'listKeys', 200>['keys'][number];
export type NewKey = Answer<'createKey', 201>;
export type Policy = Answer<'readPolicy', 200>;
export type PolicyBody = Policy['body'];
export type AuditRow = Answer<'searchAudit', 200>['rows'][number];
export type AuditReport = Answer<'verifyAudit', 200>;
export type Statistics = Answer<'readStatistics', 200>;
export type Person = Answer<'listPeople', 200>['people'][number];
export type Webhook = Answer<'listWebhooks', 200>['webhooks'][number];
export type DryRun = Answer<'tryPolicy', 200>;
export type Correction = Answer<'listCorrections', 200>['corrections'][number];
export type Verdict = Correction['verdict'];
export type Threshold = Answer<'listThresholds', 200>['thresholds'][number];
export type TriedThreshold = Answer<'tryThreshold', 200>;
