export type { AdmitInput } from './admit.ts';
export type { Argument } from './argument.ts';
export { type Boundary, type BoundaryOptions, createBoundary } from './boundary.ts';
export { type NativeToolUse, type ProposedCall, proposeCall } from './call.ts';
export { canonicalJson } from './canonical.ts';
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
} from './classify.ts';
export type { Conversation } from './conversation.ts';
export type { Decision, Evidence, GateQuestion, Opinion, Rule, Rules } from './decision.ts';
export { digestText } from './digest.ts';
export type { Ask } from './door.ts';
export { EFFECTS, type Effect, effectOfAnnotations, type ToolAnnotations } from './effect.ts';
export type { Released, Withheld } from './egress.ts';
export type { Clock, EndorsedValue, Endorser } from './endorse.ts';
export { NAMED_ENTITIES } from './entities.ts';
export { type ErrorCode, SallyportError } from './errors.ts';
export type { BoundaryEvent, EventListener } from './event.ts';
export type { Expected } from './expect.ts';
export {
  FIELD_NOTICE,
  type TagFieldsOptions,
  type TaggedFields,
  tagFields,
} from './fields.ts';
export { fillTemplate } from './fill.ts';
export { foldPoint, type View, viewOf } from './fold.ts';
export type { Occurrence, Place } from './found.ts';
export { type Framed, type FramedPiece, frame, WARNING } from './frame.ts';
export { type GateOptions, PRESETS, type Preset } from './gate.ts';
export type { Generate, GenerateRequest } from './generate.ts';
export { createJudge, type JudgeOptions, memoryVerdictCache, type Timer, type VerdictCache } from './judge.ts';
export { deriveKey, type FrameKey } from './key.ts';
export {
  CONFIDENTIALITIES,
  type Confidentiality,
  isAtMost,
  joinLabels,
  type Label,
  ORIGINS,
  type Origin,
  vouches,
} from './label.ts';
export { type Cut, type Limited, type LimitedPart, type LimitOptions, limit, textOfMedia } from './limit.ts';
export { neutralize, recover } from './neutralize.ts';
export { OUTCOMES, type Outcome } from './outcome.ts';
export type { Content, ContentPart, FilePart, ImagePart, JsonPart, LinkPart, Media, Part, TextPart } from './part.ts';
export { READING_RULES, withReadingRules } from './preamble.ts';
export { dangerouslyTrust, type Prompt, type PromptTag, type PromptValue, prompt } from './prompt.ts';
export { type Mark, type Quoted, type QuotedPart, quote } from './quote.ts';
export { type Recorded, type RecordInput, record } from './record.ts';
export { type RequestEntry, type Requested, type RequestInput, type RequestOptions, request } from './request.ts';
export type { JsonSchema } from './schema.ts';
export type { Script, ScriptOrigin } from './script.ts';
export type { Shape } from './shape.ts';
export type { Choice, Snapshot, StoredRecord } from './snapshot.ts';
export { type Source, type SourceOptions, type SourceOrigin, source } from './source.ts';
export { STANDINGS, type Standing, VOUCHERS, type Voucher } from './standing.ts';
export { type FrameStreamOptions, frameStream } from './stream.ts';
export { stripTags } from './strip.ts';
export {
  type Promotion,
  promote,
  restoreSubmission,
  type StoredSubmission,
  type Submission,
  storeSubmission,
} from './submit.ts';
export { escapePromptMarkers, promptMarkerFilter, sanitizeContext, sectionsIn } from './template.ts';
export { defineTool, type Tool, type ToolDefinition, type ToolRegistry } from './tool.ts';
export type { Piece, Provenance } from './trace.ts';
export type {
  CallTurn,
  ContentTurn,
  PolicyTurn,
  ResultTurn,
  SummaryTurn,
  Turn,
  UserTurn,
} from './turn.ts';
export { type Opened, openFrame } from './verify.ts';
export { RESERVED, type Vocabulary, vocabularyFor } from './vocabulary.ts';
