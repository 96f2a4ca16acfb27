export { findSpans, type SpanFound, spanClassifier } from './classifier.ts';
export { TAGS, type Tag } from './tag.ts';
