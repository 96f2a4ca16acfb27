export type { SanitizedOutput } from './address/defuse.ts';
export type { ApprovalStore, StoredApproval } from './approval/approval-store.ts';
export type { TrustedValue } from './approval/approvals.ts';
export type { Approval, CallApproval } from './approval/approve.ts';
export type { HeldCall, HeldStore, Rejection, StoredHeldCall } from './approval/held-store.ts';
export { type ErrorCode, SallyportError } from './base/errors.ts';
export {
  type Boundary,
  type BoundaryOptions,
  type ConversationOptions,
  createBoundary,
  type Settlement,
} from './boundary.ts';
export type { Outcome, ToolCall } from './call/call.ts';
export type { Effect } from './call/effect.ts';
export type { Role } from './call/role.ts';
export type { TableChanges } from './call/table-changes.ts';
export { defineTool, type Tool, type ToolDeclaration, type ToolDefinition } from './call/tool.ts';
export type { ClassifierV1 } from './classify/classifier.ts';
export type { ContentInput, ToolResult, UserMessageOptions } from './conversation/admit.ts';
export type { Ask } from './conversation/answers.ts';
export type { Conversation } from './conversation/conversation.ts';
export type { Derivation } from './conversation/expectations.ts';
export {
  type Promotion,
  promoteMemory,
  restoreMemory,
  type SavedMemory,
  type StoredMemory,
  storeMemory,
} from './conversation/memory.ts';
export type { CheckOptions } from './conversation/outbound.ts';
export type { Snapshot } from './conversation/snapshot.ts';
export type { Turn } from './conversation/turn.ts';
export type { BoundaryEvent, EventListener } from './event.ts';
export type { Excerpt } from './facts/excerpt.ts';
export type { Facts, JudgeAnswer, ValueFacts } from './facts/facts.ts';
export type { FindSecrets } from './facts/inspection.ts';
export type { Decision, Evidence, StoredDecision } from './gate/decision.ts';
export type { GateOptions, Preset } from './gate/gate.ts';
export type { DecidedBy, Rule, RuleResult, Rules } from './gate/rule.ts';
export type { ApprovalScope } from './gate/scope.ts';
export { judgeWith } from './judge/judge-with.ts';
export type { Judge, JudgeOptions } from './judge/judging.ts';
export type { JudgeQuestion } from './judge/question.ts';
export type { Confidentiality, Label, Origin } from './label/label.ts';
export { type Source, type SourceOptions, source } from './label/source.ts';
export { fillTemplate } from './prompt/fill-template.ts';
export { dangerouslyTrust, type Prompt, type PromptTag, type PromptValue, prompt } from './prompt/prompt.ts';
export type { ModelRequest, RequestOptions } from './prompt/request.ts';
export { escapePromptMarkers, promptMarkerFilter, sanitizeContext } from './prompt/template-filters.ts';
export type { Argument } from './provenance/trace-call.ts';
export type { TrustClass } from './provenance/trust.ts';
export type { LimitOptions } from './record/limit.ts';
export type { Content, ContentPart } from './record/part.ts';
export type { Recorded } from './record/record.ts';
export type { TaskDefinition } from './task/definition.ts';
