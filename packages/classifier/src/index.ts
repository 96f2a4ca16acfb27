export { findSpans, spanClassifier } from './classifier.ts';
export type { SpanFound } from './finding/spans.ts';
export { TAGS, type Tag } from './tag.ts';
