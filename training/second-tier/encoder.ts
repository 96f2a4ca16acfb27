// Vectors of sentences by all-MiniLM-L6-v2, with the session and the tokenizer of @sallyport/classifier-onnx.
import { Model, type OnnxRuntime, type OnnxSession } from '../../contrib/classifier-onnx/src/onnx/session.ts';
import { readTokenizer } from '../../contrib/classifier-onnx/src/tokenizer/tokenizer.ts';

/** Numbers in the vector of a sentence. */
export const SIZE = 384;
// A sentence of the classifier has at most 300 characters; what is longer in tokens is not prose.
const MAX_TOKENS = 126;

const SIGNAL = { aborted: false, addEventListener: () => undefined };

/**
 * Makes the vector of a sentence as sentence-transformers does: the mean over all tokens, of length 1. One at a time: in a batch
 * an 8-bit model gives a sentence other vectors.
 */
export function createEncoder(
  runtime: OnnxRuntime,
  session: OnnxSession,
  tokenizerJson: unknown,
): (sentence: string) => Promise<Float32Array> {
  const model = new Model(runtime, session);
  const { encode, prefix, suffix } = readTokenizer(tokenizerJson);
  return async (sentence) => {
    const ids = [...prefix, ...encode(sentence).ids.slice(0, MAX_TOKENS), ...suffix];
    const states = await model.run(ids, { rows: ids.length, classes: SIZE }, SIGNAL);
    const sums = new Float64Array(SIZE);
    for (let i = 0; i < states.length; i++) sums[i % SIZE] = (sums[i % SIZE] as number) + (states[i] as number);
    const length = Math.hypot(...sums);
    return Float32Array.from(sums, (sum) => (length === 0 ? 0 : sum / length));
  };
}
