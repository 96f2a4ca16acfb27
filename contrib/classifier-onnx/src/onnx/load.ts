import { readJsonFile } from '../base/file.ts';
import { isCount, requireOption, shown } from '../base/option.ts';
import { readThresholds, type Thresholds } from '../base/threshold.ts';
import { readTokenizer, type Tokenizer } from '../tokenizer/tokenizer.ts';
import { type Activation, checkActivation, type Labels, type Meaning, readLabels } from './label.ts';
import { Model, type OnnxRuntime, type OnnxSession } from './session.ts';

/**
 * Options of `createOnnxClassifier`.
 *
 * @example
 * ```ts
 * const options: OnnxClassifierOptions = {
 *   ...{ runtime, id: 'my-model-1', kind: 'token', labels: [null, 'injection'] },
 *   ...{ modelPath: 'model.onnx', tokenizerPath: 'tokenizer.json' },
 * };
 * ```
 */
export interface OnnxClassifierOptions {
  /** `onnxruntime-node` or `onnxruntime-web`, as imported. */
  readonly runtime: OnnxRuntime;
  /** Name of the model, its version and settings: verdicts are cached under it. */
  readonly id: string;
  /** A score for each token, or one for a whole text. */
  readonly kind: 'token' | 'sequence';
  /** The tag of each class of the model. */
  readonly labels: Labels;
  /** A loaded model. @default loaded from `modelPath`; give exactly one of the two */
  readonly session?: OnnxSession;
  /** The path of the model. @default none */
  readonly modelPath?: string;
  /** A tokenizer, from `readTokenizer` or your own. @default read from `tokenizerPath`; give exactly one of the two */
  readonly tokenizer?: Tokenizer;
  /** The path of a tokenizer.json. @default none */
  readonly tokenizerPath?: string;
  /** The content of config.json, needed for labels by name. @default read from `configPath`, if given */
  readonly config?: unknown;
  /** The path of config.json. @default none */
  readonly configPath?: string;
  /** The lowest score of each likelihood; measure them on your own texts. @default low 0.5, medium 0.8, high 0.95 */
  readonly thresholds?: Thresholds;
  /** How logits become probabilities: sigmoid for models with several labels at once. @default 'softmax' */
  readonly activation?: Activation;
  /** Tokens the model reads at once, special ones included. @default 512 */
  readonly window?: number;
  /** Tokens from the beginning of one window to that of the next. @default three quarters of what a window holds */
  readonly stride?: number;
  /** Kind 'token': maximum number of unmarked tokens between two marked ones that are marked with them. @default 2 */
  readonly bridge?: number;
  /** Kind 'sequence': scores each sentence too, and marks it. Slower; finds a short one in a long text. @default false */
  readonly sentences?: boolean;
}

/** The options, read and loaded. */
export interface Settings {
  readonly kind: 'token' | 'sequence';
  readonly model: Model;
  readonly tokenizer: Tokenizer;
  readonly meanings: readonly Meaning[];
  readonly activation: Activation;
  readonly thresholds: Thresholds;
  readonly size: number;
  readonly stride: number;
  readonly bridge: number;
  readonly sentences: boolean;
}

function sizesOf(options: OnnxClassifierOptions, { prefix, suffix }: Tokenizer) {
  const { window = 512, bridge = 2, sentences = false } = options;
  requireOption(isCount(window, 1), `\`window\` must be an integer of at least 1; received ${shown(window)}.`);
  const size = window - prefix.length - suffix.length;
  requireOption(size >= 1, `\`window\` must be larger than the number of special tokens; received ${window}.`);
  const stride = options.stride ?? Math.max(1, Math.floor(size * 0.75));
  requireOption(
    isCount(stride, 1) && stride <= size,
    `\`stride\` must be an integer from 1 to ${size}, so that no token is skipped; received ${shown(stride)}.`,
  );
  requireOption(isCount(bridge, 0), `\`bridge\` must be an integer of at least 0; received ${shown(bridge)}.`);
  return { size, stride, bridge, sentences };
}

async function loadModel({ runtime, session, modelPath }: OnnxClassifierOptions): Promise<Model> {
  requireOption(
    (session === undefined) !== (modelPath === undefined),
    'Exactly one of `session` and `modelPath` must be given.',
  );
  return new Model(runtime, session ?? (await runtime.InferenceSession.create(modelPath as string)));
}

function loadTokenizer({ tokenizer, tokenizerPath }: OnnxClassifierOptions): Tokenizer {
  requireOption(
    (tokenizer === undefined) !== (tokenizerPath === undefined),
    'Exactly one of `tokenizer` and `tokenizerPath` must be given.',
  );
  const loaded = tokenizer ?? readTokenizer(readJsonFile(tokenizerPath as string));
  const isSpecial = (ids: unknown): boolean => Array.isArray(ids) && ids.every((id) => isCount(id, 0));
  requireOption(
    typeof loaded.encode === 'function',
    `\`tokenizer.encode\` must be a function; received ${shown(loaded.encode)}.`,
  );
  requireOption(
    isSpecial(loaded.prefix) && isSpecial(loaded.suffix),
    '`tokenizer.prefix` and `tokenizer.suffix` must be arrays of token ids, which may be empty.',
  );
  return loaded;
}

/** Checks all options before it loads the model, which is slow. */
export async function loadSettings(options: OnnxClassifierOptions): Promise<Settings> {
  const { kind, labels, config, configPath, activation = 'softmax' } = options;
  requireOption(
    kind === 'token' || kind === 'sequence',
    `\`kind\` must be 'token' or 'sequence'; received ${shown(kind)}.`,
  );
  const meanings = readLabels(labels, configPath === undefined ? config : readJsonFile(configPath));
  checkActivation(activation, meanings);
  const thresholds = readThresholds(options.thresholds);
  const tokenizer = loadTokenizer(options);
  const sizes = sizesOf(options, tokenizer);
  return { kind, tokenizer, meanings, activation, thresholds, ...sizes, model: await loadModel(options) };
}
