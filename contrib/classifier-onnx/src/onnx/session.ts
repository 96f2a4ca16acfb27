import type { AbortSignalLike } from '@sallyport/core/adapter';
import { throwIfAborted } from '../base/abort.ts';
import { requireOption, shown } from '../base/option.ts';

/**
 * The part of a tensor of onnxruntime that is used here.
 *
 * @example
 * ```ts
 * const tensor: OnnxTensor = new runtime.Tensor('int64', BigInt64Array.of(101n), [1, 1]);
 * ```
 */
export interface OnnxTensor {
  readonly type: string;
  readonly dims: readonly number[];
  readonly data: unknown;
}

/**
 * The part of an `InferenceSession` that is used here.
 *
 * @example
 * ```ts
 * const session: OnnxSession = await runtime.InferenceSession.create('model.onnx');
 * ```
 */
export interface OnnxSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Record<string, OnnxTensor>): Promise<Record<string, OnnxTensor>>;
}

/**
 * The part of onnxruntime-node and onnxruntime-web that is used here.
 *
 * @example
 * ```ts
 * const runtime: OnnxRuntime = await import('onnxruntime-node');
 * ```
 */
export interface OnnxRuntime {
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => OnnxTensor;
  readonly InferenceSession: { create(path: string): Promise<OnnxSession> };
}

const INPUTS = ['input_ids', 'attention_mask', 'token_type_ids'];
const LOGITS = 'logits';

/** A model that runs one window at a time. */
export class Model {
  readonly #runtime: OnnxRuntime;
  readonly #session: OnnxSession;
  readonly #output: string;
  // One run at a time: the web build refuses a second one, and the native one would only share the same cores.
  #last: Promise<unknown> = Promise.resolve();

  constructor(runtime: OnnxRuntime, session: OnnxSession) {
    requireOption(
      typeof runtime?.Tensor === 'function',
      `\`runtime\` must be the module onnxruntime-node or onnxruntime-web; received ${shown(runtime)}.`,
    );
    requireOption(
      typeof session?.run === 'function',
      `\`session\` must be an InferenceSession of \`runtime\`; received ${shown(session)}.`,
    );
    const { inputNames, outputNames } = session;
    requireOption(
      inputNames.includes('input_ids') && inputNames.every((name) => INPUTS.includes(name)),
      `The inputs of the model must be input_ids, and optionally attention_mask and token_type_ids; received ${inputNames.join(', ')}.`,
    );
    requireOption(
      outputNames.includes(LOGITS) || outputNames.length === 1,
      `The model must have an output logits, or only one output; received ${outputNames.join(', ')}.`,
    );
    this.#runtime = runtime;
    this.#session = session;
    this.#output = outputNames.includes(LOGITS) ? LOGITS : (outputNames[0] as string);
  }

  /** The logits of one window, `rows` times `classes` of them. */
  run(
    ids: readonly number[],
    shape: { rows?: number; classes: number },
    signal: AbortSignalLike,
  ): Promise<Float32Array> {
    const turn = this.#last.then(async () => {
      throwIfAborted(signal);
      const outputs = await this.#session.run(this.#feed(ids));
      return readLogits(outputs[this.#output], shape);
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  #feed(ids: readonly number[]): Record<string, OnnxTensor> {
    const { Tensor } = this.#runtime;
    const values: Record<string, (id: number) => number> = {
      input_ids: (id) => id,
      attention_mask: () => 1,
      token_type_ids: () => 0,
    };
    const entries = this.#session.inputNames.map((name) => {
      const fill = values[name] as (id: number) => number;
      const data = BigInt64Array.from(ids, (id) => BigInt(fill(id)));
      return [name, new Tensor('int64', data, [1, ids.length])];
    });
    return Object.fromEntries(entries);
  }
}

/** Checks shape and type: logits of another shape, or that are not numbers, would count as harmless. */
function readLogits(
  tensor: OnnxTensor | undefined,
  { rows, classes }: { rows?: number; classes: number },
): Float32Array {
  const wanted = rows === undefined ? [1, classes] : [1, rows, classes];
  const dims = tensor?.dims ?? [];
  if (dims.length !== wanted.length || wanted.some((size, index) => size !== dims[index]))
    throw new Error(`The model gave logits of shape [${dims.join(', ')}] instead of [${wanted.join(', ')}].`);
  const data = tensor?.data;
  if (!(data instanceof Float32Array) || data.length !== wanted.reduce((product, size) => product * size, 1))
    throw new Error(`The model gave logits of type ${tensor?.type} instead of float32.`);
  if (!data.every(Number.isFinite)) throw new Error('The model gave logits that are not numbers.');
  return data;
}
