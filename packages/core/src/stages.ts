export type { Withheld } from './address/defuse.ts';
export { type ApprovalPlace, memoryApprovalStore } from './approval/approval-store.ts';
export type { Clock } from './approval/approve.ts';
export type { Timer } from './base/timer.ts';
export { OUTCOMES, type ProposedCall, proposeCall } from './call/call.ts';
export { EFFECTS } from './call/effect.ts';
export {
  type Classified,
  type ClassifiedPart,
  type ClassifierResult,
  type ClassifierRunner,
  LIKELIHOODS,
  type Likelihood,
  type Span,
  type UncheckedReason,
  type Verdict,
} from './classify/classifier.ts';
export { classify, classifyWith } from './classify/classify.ts';
export {
  type ClassifierRunnerOptions,
  createClassifierRunner,
  memoryVerdictCache,
  type VerdictCache,
} from './classify/run-classifier.ts';
export type { StoredRecord } from './conversation/snapshot.ts';
export { type Framed, type FramedPiece, frame } from './frame/frame.ts';
export { type FrameStreamOptions, frameStream } from './frame/frame-stream.ts';
export { deriveKey, type FrameKey } from './frame/key.ts';
export { type Mark, type Quoted, type QuotedPart, quote } from './frame/mark.ts';
export type { Opened } from './frame/open-frame.ts';
export { type FrameText, readFrame } from './frame/read-frame.ts';
export { PRESETS } from './gate/gate.ts';
export { SCOPES } from './gate/scope.ts';
export { CONFIDENTIALITIES, isAtMost, joinLabels, ORIGINS, vouches } from './label/label.ts';
export type { SourceOrigin } from './label/source.ts';
export { type RequestEntry, type RequestInput, request } from './prompt/request.ts';
export { sectionsIn } from './prompt/template-filters.ts';
export type { StoredOrigin } from './provenance/call-origin.ts';
export type { Occurrence, Place } from './provenance/occurrence.ts';
export type { Piece, Provenance } from './provenance/trace.ts';
export { TRUST_CLASSES, VOUCHED_BY, type VouchedBy } from './provenance/trust.ts';
export { type Cut, type Limited, type LimitedPart, limit } from './record/limit.ts';
export type { FilePart, ImagePart, JsonPart, LinkPart, Part, TextPart } from './record/part.ts';
export { type RecordInput, record } from './record/record.ts';
export { neutralize, recover } from './text/escape-markers.ts';
export { RESERVED, type Vocabulary, vocabularyFor } from './text/reserved-names.ts';
