import { asObject, isCount, refuse, requireOption, shown } from '../base/option.ts';
import { type Aligned, align } from './aligned-text.ts';
import { readNormalizer } from './normalize.ts';
import { readCut } from './pre-tokenize.ts';
import { readUnigram } from './unigram.ts';
import { readWordPiece, type Tokenize } from './wordpiece.ts';

/**
 * The tokens of a text without special tokens, each with its range in UTF-16 offsets of the text.
 *
 * @example
 * ```ts
 * const { ids, offsets }: Encoding = tokenizer.encode('Good morning.');
 * ```
 */
export interface Encoding {
  readonly ids: readonly number[];
  /** Start, and end exclusive. Starts never go back. */
  readonly offsets: readonly (readonly [number, number])[];
}

/**
 * Turns text into tokens. Write your own for a type that `readTokenizer` does not support.
 *
 * @example
 * ```ts
 * const tokenizer: Tokenizer = { encode: (text) => myTokenizer(text), prefix: [101], suffix: [102] };
 * ```
 */
export interface Tokenizer {
  encode(text: string): Encoding;
  /** Special tokens before every window, such as [CLS]. */
  readonly prefix: readonly number[];
  /** Special tokens after every window, such as [SEP]. */
  readonly suffix: readonly number[];
}

type Specials = Pick<Tokenizer, 'prefix' | 'suffix'>;

function idsOf(value: unknown): readonly number[] {
  requireOption(
    Array.isArray(value) && value.every((id) => isCount(id, 0)),
    'Each special token of `post_processor` must have ids, which are integers of at least 0.',
  );
  return value;
}

function readTemplate(options: Readonly<Record<string, unknown>>): Specials {
  const tokens = asObject(options.special_tokens) ?? {};
  requireOption(Array.isArray(options.single), 'A TemplateProcessing `post_processor` must have an array `single`.');
  const sides: [number[], number[]] = [[], []];
  let isAfterText = false;
  for (const step of options.single) {
    const name = asObject(asObject(step)?.SpecialToken)?.id;
    if (name === undefined) isAfterText = true;
    else if (typeof name === 'string' && Object.hasOwn(tokens, name))
      sides[isAfterText ? 1 : 0].push(...idsOf(asObject(tokens[name])?.ids));
    else refuse(`\`post_processor.special_tokens\` must have an entry for ${shown(name)}.`);
  }
  requireOption(isAfterText, 'The template `single` of the `post_processor` must have a place for the text.');
  return { prefix: sides[0], suffix: sides[1] };
}

function readSpecials(json: unknown): Specials {
  if (json === null || json === undefined) return { prefix: [], suffix: [] };
  const options = asObject(json) ?? {};
  switch (options.type) {
    case 'TemplateProcessing':
      return readTemplate(options);
    case 'BertProcessing':
    case 'RobertaProcessing': {
      const last = (pair: unknown): unknown[] => [Array.isArray(pair) ? pair[1] : undefined];
      return { prefix: idsOf(last(options.cls)), suffix: idsOf(last(options.sep)) };
    }
    default:
      return refuse(
        `\`post_processor\` must be TemplateProcessing, BertProcessing or RobertaProcessing; received ${shown(options.type)}. Pass your own \`tokenizer\`.`,
      );
  }
}

function readModel(json: unknown): Tokenize {
  const model = asObject(json) ?? {};
  // Files written before 2022 do not name the type of a Unigram or WordPiece model.
  if (model.type === 'WordPiece' || (model.type === undefined && 'continuing_subword_prefix' in model))
    return readWordPiece(model);
  if (model.type === 'Unigram' || (model.type === undefined && 'unk_id' in model)) return readUnigram(model);
  return refuse(
    `The tokenizer model must be WordPiece or Unigram; received ${shown(model.type)}. Pass your own \`tokenizer\`.`,
  );
}

/**
 * Makes a tokenizer from the parsed content of a Hugging Face tokenizer.json: WordPiece (BERT, MiniLM) or Unigram (DeBERTa v3,
 * XLM-R). Added tokens are not recognized in text: an outside text with [SEP] gets the tokens of its letters, not the special token.
 *
 * @example
 * ```ts
 * const tokenizer = readTokenizer(await (await fetch('/models/tokenizer.json')).json());
 * ```
 */
export function readTokenizer(json: unknown): Tokenizer {
  const file = asObject(json);
  requireOption(file !== undefined, `The content of tokenizer.json must be an object; received ${shown(json)}.`);
  const normalize = readNormalizer(file.normalizer);
  const cut = readCut(file.pre_tokenizer);
  const tokenize = readModel(file.model);
  return Object.freeze({
    ...readSpecials(file.post_processor),
    encode(text: string): Encoding {
      const ids: number[] = [];
      const offsets: [number, number][] = [];
      for (const piece of cut([normalize(align(text))]))
        for (const { id, from, to } of tokenize(piece)) {
          ids.push(id);
          offsets.push(rangeOf(piece, from, to));
        }
      return { ids, offsets };
    },
  });
}

function rangeOf({ starts, ends }: Aligned, from: number, to: number): [number, number] {
  return [starts[from] as number, ends[to - 1] as number];
}

/** Refuses an encoding whose offsets are outside the text: a finding would be marked in the wrong range. */
export function checkEncoding({ ids, offsets }: Encoding, length: number): void {
  let before = 0;
  const isWhole = Array.isArray(ids) && Array.isArray(offsets) && ids.length === offsets.length;
  if (!isWhole || !ids.every((id) => isCount(id, 0)))
    throw new Error('The tokenizer gave ids and offsets that do not match: each id needs one offset.');
  for (const [start, end] of offsets) {
    if (!isCount(start, before) || !isCount(end, start) || end > length)
      throw new Error('The tokenizer gave an offset outside the text, or before the previous one.');
    before = start;
  }
}
