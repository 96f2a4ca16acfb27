export type { Thresholds } from './base/threshold.ts';
export { combine, type Tier } from './combine.ts';
export { createLlmClassifier, type LlmClassifierOptions } from './llm/llm-classifier.ts';
export type { Activation, Labels, Meaning } from './onnx/label.ts';
export type { OnnxClassifierOptions } from './onnx/load.ts';
export { createOnnxClassifier } from './onnx/onnx-classifier.ts';
export type { OnnxRuntime, OnnxSession, OnnxTensor } from './onnx/session.ts';
export { type Encoding, readTokenizer, type Tokenizer } from './tokenizer/tokenizer.ts';
