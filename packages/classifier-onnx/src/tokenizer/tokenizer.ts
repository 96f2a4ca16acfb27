import { asObject, isCount, refuse, requireOption } from '../base/option.ts';
import { type Aligned, align } from './aligned-text.ts';
import { readNormalizer } from './normalize.ts';
import { readCut } from './pre-tokenize.ts';
import { readUnigram } from './unigram.ts';
import { readWordPiece, type Tokenize } from './wordpiece.ts';

/** Tokens of a text without any special ones, each with the stretch it stands for in UTF-16 offsets of that text. */
export interface Encoding {
  readonly ids: readonly number[];
  /** Start, and end exclusive. Starts never go back. */
  readonly offsets: readonly (readonly [number, number])[];
}

/** What turns text into tokens. Give your own for a tokenizer that `readTokenizer` does not know. */
export interface Tokenizer {
  encode(text: string): Encoding;
  /** Special tokens before every window, such as [CLS]. */
  readonly prefix: readonly number[];
  /** Special tokens behind every window, such as [SEP]. */
  readonly suffix: readonly number[];
}

type Specials = Pick<Tokenizer, 'prefix' | 'suffix'>;

function idsOf(value: unknown): readonly number[] {
  requireOption(
    Array.isArray(value) && value.every((id) => isCount(id, 0)),
    'The post_processor names a special token without numbers.',
  );
  return value;
}

function readTemplate(options: Readonly<Record<string, unknown>>): Specials {
  const tokens = asObject(options.special_tokens) ?? {};
  requireOption(Array.isArray(options.single), 'A TemplateProcessing post_processor has a template for single texts.');
  const sides: [number[], number[]] = [[], []];
  let isBehind = false;
  for (const step of options.single) {
    const name = asObject(asObject(step)?.SpecialToken)?.id;
    if (name === undefined) isBehind = true;
    else if (typeof name === 'string' && Object.hasOwn(tokens, name))
      sides[isBehind ? 1 : 0].push(...idsOf(asObject(tokens[name])?.ids));
    else refuse(`The post_processor does not say what ${String(name)} is.`);
  }
  requireOption(isBehind, 'A TemplateProcessing post_processor has a place for the text.');
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
      return refuse(`The post_processor ${String(options.type)} is not known here: give an encode.`);
  }
}

function readModel(json: unknown): Tokenize {
  const model = asObject(json) ?? {};
  // Files written before 2022 do not name the type of a Unigram or WordPiece model.
  if (model.type === 'WordPiece' || (model.type === undefined && 'continuing_subword_prefix' in model))
    return readWordPiece(model);
  if (model.type === 'Unigram' || (model.type === undefined && 'unk_id' in model)) return readUnigram(model);
  return refuse(`A tokenizer of type ${String(model.type)} is not known here: give an encode.`);
}

/**
 * The content of a Hugging Face tokenizer.json, parsed: WordPiece (BERT, MiniLM) and Unigram (DeBERTa v3, XLM-R). Added
 * tokens are not looked for in text: an outside text that says [SEP] gets the letters, not the token.
 */
export function readTokenizer(json: unknown): Tokenizer {
  const file = asObject(json);
  requireOption(file !== undefined, 'A tokenizer.json is an object.');
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
          offsets.push(stretchOf(piece, from, to));
        }
      return { ids, offsets };
    },
  });
}

function stretchOf({ starts, ends }: Aligned, from: number, to: number): [number, number] {
  return [starts[from] as number, ends[to - 1] as number];
}

/** What a tokenizer gave, refused when its offsets do not lie in the text: a finding would be marked in the wrong place. */
export function checkEncoding({ ids, offsets }: Encoding, length: number): void {
  let before = 0;
  const isWhole = Array.isArray(ids) && Array.isArray(offsets) && ids.length === offsets.length;
  if (!isWhole || !ids.every((id) => isCount(id, 0))) throw new Error('The tokenizer gave no ids with their offsets.');
  for (const [start, end] of offsets) {
    if (!isCount(start, before) || !isCount(end, start) || end > length)
      throw new Error('The tokenizer gave an offset that does not lie in the text.');
    before = start;
  }
}
