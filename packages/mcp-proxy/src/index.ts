export type { ConnectOptions, Wires } from './connection/connection.ts';
export { offered } from './content/offered.ts';
export {
  type Definition,
  definitionDigest,
  type Held,
  type Listed,
  type PinStore,
  type Pins,
  skeletonOf,
} from './content/pin.ts';
export { type Redact, redactExcerpt, redactStrings } from './content/redact.ts';
export { STRUCTURED, type Structured } from './content/structured-content.ts';
export { type Line, Lines } from './message/lines.ts';
export { caseless, idFromEnds } from './message/message.ts';
export { META } from './message/meta.ts';
export { createGuard, createProxy, type Guard, type McpProxy } from './proxy.ts';
export {
  CONVERSATIONS,
  type Conversations,
  MODES,
  type Mode,
  type ProxyOptions,
  type ToolKnowledge,
} from './settings.ts';
export type { DroppedReason, FailedOperation, ProxyEvent } from './state/event.ts';
export { type Flagged, type FoundSpan, passagesIn } from './state/flagged.ts';
export type { Answered, Decided, HeldAs, Journal } from './state/journal.ts';
export type { Entry, KeptEntry, MemoryLog } from './state/log.ts';
export { Memories } from './state/memories.ts';
export type { MemoryOptions } from './state/memory.ts';
export {
  type Answer,
  type ApprovalKeys,
  type Approver,
  answerIn,
  callDigest,
  type Question,
  questionOf,
} from './state/question.ts';
export { partName, type ShownValue, shownValues } from './state/shown-values.ts';
