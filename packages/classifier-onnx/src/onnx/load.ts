import { readJsonFile } from '../base/file.ts';
import { isCount, requireOption } from '../base/option.ts';
import { readThresholds, type Thresholds } from '../base/threshold.ts';
import { readTokenizer, type Tokenizer } from '../tokenizer/tokenizer.ts';
import { type Activation, checkActivation, type Labels, type Meaning, readLabels } from './label.ts';
import { Model, type OnnxRuntime, type OnnxSession } from './session.ts';

export interface OnnxClassifierOptions {
  /** `onnxruntime-node` or `onnxruntime-web`, as imported. */
  readonly runtime: OnnxRuntime;
  /** Names model, version and settings: verdicts are cached under it. */
  readonly id: string;
  /** Whether the model scores each token, or a whole text. */
  readonly kind: 'token' | 'sequence';
  /** What each class of the model means. */
  readonly labels: Labels;
  /** A loaded model; or its path. One of the two. */
  readonly session?: OnnxSession;
  readonly modelPath?: string;
  /** A tokenizer, from `readTokenizer` or your own; or the path of a tokenizer.json. One of the two. */
  readonly tokenizer?: Tokenizer;
  readonly tokenizerPath?: string;
  /** The content of config.json, or its path: for labels by name. @default none */
  readonly config?: unknown;
  readonly configPath?: string;
  /** @default low 0.5, medium 0.8, high 0.95: measure your own */
  readonly thresholds?: Thresholds;
  /** How logits become probabilities: sigmoid for models with several labels at once. @default 'softmax' */
  readonly activation?: Activation;
  /** Tokens the model reads at once, special ones included. @default 512 */
  readonly window?: number;
  /** Tokens from the beginning of one window to that of the next. @default three quarters of what a window holds */
  readonly stride?: number;
  /** Kind 'token': how many unmarked tokens between two marked ones are marked with them. @default 2 */
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
  requireOption(isCount(window, 1), 'window is a number of tokens.');
  const size = window - prefix.length - suffix.length;
  requireOption(size >= 1, 'window leaves no room beside the special tokens.');
  const stride = options.stride ?? Math.max(1, Math.floor(size * 0.75));
  requireOption(
    isCount(stride, 1) && stride <= size,
    `stride is 1 to ${size}: a longer one would leave tokens unread.`,
  );
  requireOption(isCount(bridge, 0), 'bridge is a number of tokens.');
  return { size, stride, bridge, sentences };
}

async function loadModel({ runtime, session, modelPath }: OnnxClassifierOptions): Promise<Model> {
  requireOption((session === undefined) !== (modelPath === undefined), 'Give a session or a modelPath.');
  return new Model(runtime, session ?? (await runtime.InferenceSession.create(modelPath as string)));
}

function loadTokenizer({ tokenizer, tokenizerPath }: OnnxClassifierOptions): Tokenizer {
  requireOption((tokenizer === undefined) !== (tokenizerPath === undefined), 'Give a tokenizer or a tokenizerPath.');
  const loaded = tokenizer ?? readTokenizer(readJsonFile(tokenizerPath as string));
  const isSpecial = (ids: unknown): boolean => Array.isArray(ids) && ids.every((id) => isCount(id, 0));
  requireOption(typeof loaded.encode === 'function', 'A tokenizer has an encode.');
  requireOption(
    isSpecial(loaded.prefix) && isSpecial(loaded.suffix),
    'A tokenizer has a prefix and a suffix, which may be empty.',
  );
  return loaded;
}

/** Everything is checked before the model, which is slow to load. */
export async function loadSettings(options: OnnxClassifierOptions): Promise<Settings> {
  const { kind, labels, config, configPath, activation = 'softmax' } = options;
  requireOption(kind === 'token' || kind === 'sequence', 'kind is token or sequence.');
  const meanings = readLabels(labels, configPath === undefined ? config : readJsonFile(configPath));
  checkActivation(activation, meanings);
  const thresholds = readThresholds(options.thresholds);
  const tokenizer = loadTokenizer(options);
  const sizes = sizesOf(options, tokenizer);
  return { kind, tokenizer, meanings, activation, thresholds, ...sizes, model: await loadModel(options) };
}
