export type { Released, Withheld } from './address/defuse.ts';
export { canonicalJson } from './base/canonical-json.ts';
export { digestText } from './base/digest.ts';
export { type ErrorCode, SallyportError } from './base/errors.ts';
export { type Boundary, type BoundaryOptions, createBoundary } from './boundary.ts';
export { type NativeToolUse, OUTCOMES, type Outcome, type ProposedCall, proposeCall } from './call/call.ts';
export { EFFECTS, type Effect, effectOfAnnotations, type ToolAnnotations } from './call/effect.ts';
export type { Generate, GenerateRequest } from './call/generate.ts';
export type { Script, ScriptOrigin } from './call/script.ts';
export { defineTool, type Tool, type ToolDefinition, type ToolRegistry } from './call/tool.ts';
export {
  type AbortSignalLike,
  type Classified,
  type ClassifiedPart,
  type ClassifierResult,
  type ClassifierV1,
  classify,
  classifyWith,
  type Judge,
  LIKELIHOODS,
  type Likelihood,
  type Span,
  type UncheckedReason,
  type Verdict,
} from './classify/classifier.ts';
export {
  createJudge,
  type JudgeOptions,
  memoryVerdictCache,
  type Timer,
  type VerdictCache,
} from './classify/run-classifier.ts';
export type { AdmitInput } from './conversation/admit.ts';
export type { Conversation } from './conversation/conversation.ts';
export type { Expected } from './conversation/expectations.ts';
export type { Ask } from './conversation/outbound.ts';
export type { Snapshot, StoredRecord } from './conversation/snapshot.ts';
export {
  type Promotion,
  promote,
  restoreSubmission,
  type StoredSubmission,
  type Submission,
  storeSubmission,
} from './conversation/submission.ts';
export type {
  CallTurn,
  ContentTurn,
  PolicyTurn,
  ResultTurn,
  SummaryTurn,
  Turn,
  UserTurn,
} from './conversation/turn.ts';
export type { BoundaryEvent, EventListener } from './event.ts';
export { type Framed, type FramedPiece, frame, WARNING } from './frame/frame.ts';
export { type FrameStreamOptions, frameStream } from './frame/frame-stream.ts';
export { deriveKey, type FrameKey } from './frame/key.ts';
export { type Mark, type Quoted, type QuotedPart, quote } from './frame/mark.ts';
export { type Opened, openFrame } from './frame/open-frame.ts';
export type { Clock, EndorsedValue, Endorser } from './gate/approvals.ts';
export type { Decision, Evidence, GateQuestion, Opinion, Rule, Rules } from './gate/decision.ts';
export { type GateOptions, PRESETS, type Preset } from './gate/gate.ts';
export type { JsonSchema } from './json/schema.ts';
export type { Shape } from './json/shape.ts';
export {
  FIELD_NOTICE,
  type TagFieldsOptions,
  type TaggedFields,
  tagFields,
} from './json/tag-fields.ts';
export {
  CONFIDENTIALITIES,
  type Confidentiality,
  isAtMost,
  joinLabels,
  type Label,
  ORIGINS,
  type Origin,
  vouches,
} from './label/label.ts';
export { type Source, type SourceOptions, type SourceOrigin, source } from './label/source.ts';
export { fillTemplate } from './prompt/fill-template.ts';
export { dangerouslyTrust, type Prompt, type PromptTag, type PromptValue, prompt } from './prompt/prompt.ts';
export { READING_RULES, withReadingRules } from './prompt/reading-rules.ts';
export {
  type RequestEntry,
  type Requested,
  type RequestInput,
  type RequestOptions,
  request,
} from './prompt/request.ts';
export { escapePromptMarkers, promptMarkerFilter, sanitizeContext, sectionsIn } from './prompt/template-filters.ts';
export type { Choice } from './provenance/call-origin.ts';
export type { Occurrence, Place } from './provenance/occurrence.ts';
export type { Piece, Provenance } from './provenance/trace.ts';
export type { Argument } from './provenance/trace-call.ts';
export { STANDINGS, type Standing, VOUCHERS, type Voucher } from './provenance/trust.ts';
export { type Cut, type Limited, type LimitedPart, type LimitOptions, limit, textOfMedia } from './record/limit.ts';
export type {
  Content,
  ContentPart,
  FilePart,
  ImagePart,
  JsonPart,
  LinkPart,
  Media,
  Part,
  TextPart,
} from './record/part.ts';
export { type Recorded, type RecordInput, record } from './record/record.ts';
export { NAMED_ENTITIES } from './text/entities.ts';
export { neutralize, recover } from './text/escape-markers.ts';
export { foldPoint, type View, viewOf } from './text/fold.ts';
export { RESERVED, type Vocabulary, vocabularyFor } from './text/reserved-names.ts';
export { stripTags } from './text/strip-tags.ts';
