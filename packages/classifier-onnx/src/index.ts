export { combine, type Tier } from './combine.ts';
export { createJudgeClassifier, type JudgeClassifierOptions } from './judge.ts';
export type { Activation, Labels, Meaning } from './label.ts';
export type { OnnxClassifierOptions } from './load.ts';
export { createOnnxClassifier } from './onnx.ts';
export type { OnnxRuntime, OnnxSession, OnnxTensor } from './session.ts';
export type { Thresholds } from './threshold.ts';
export { type Encoding, readTokenizer, type Tokenizer } from './tokenizer.ts';
