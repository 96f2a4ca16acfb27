// Two tiny ONNX models, written byte by byte, and the WordPiece tokenizer they go with. No training: each word has a
// weight, the token model gives it as logits, the sequence model the mean of all. Numbers of fields: onnx.proto.
//
//   node contrib/classifier-onnx/test/make-model.mjs    writes test/fixtures; then: npx biome format --write there
import { mkdirSync, writeFileSync } from 'node:fs';

const FLOAT = 1;
const INT64 = 7;
const SPECIALS = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'];
const SUSPECT = { ignore: 3, previous: 1, instructions: 3, send: 3, password: 3, all: -0.1, the: -0.1 };
const HARMLESS = ['good', 'morning', 'weather', 'is', 'fine', 'today', 'and', 'news', 'cafe', 'we', 'report'];
const MARKS = [...'.,:;!?\'"()<>[]|-_/0123456789'];
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const CONTINUED = [...LETTERS.map((letter) => `##${letter}`), '##ing', '##s'];
const VOCABULARY = [...SPECIALS, ...Object.keys(SUSPECT), ...HARMLESS, ...MARKS, ...LETTERS, ...CONTINUED];

function varint(value) {
  const bytes = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return [...bytes, Number(rest)];
}

/** A field of a message: numbers as varints, everything else with its length. */
function field(number, value) {
  if (typeof value === 'number') return [...varint(number << 3), ...varint(value)];
  const bytes = typeof value === 'string' ? [...new TextEncoder().encode(value)] : [...value];
  return [...varint((number << 3) | 2), ...varint(bytes.length), ...bytes];
}

const fields = (number, values) => values.flatMap((value) => field(number, value));

function tensor(name, dims, type, values) {
  const raw = new Uint8Array((type === FLOAT ? Float32Array : BigInt64Array).from(values).buffer);
  return [...fields(1, dims), ...field(2, type), ...field(8, name), ...field(9, raw)];
}

const attribute = (name, value) => [...field(1, name), ...field(3, value), ...field(20, 2)];

function node(operator, inputs, output, attributes = {}) {
  const entries = Object.entries(attributes).map(([name, value]) => attribute(name, value));
  return [...fields(1, inputs), ...field(2, output), ...field(3, output), ...field(4, operator), ...fields(5, entries)];
}

/** A named input or output; a dimension is a number, or a name for any. */
function value(name, type, dims) {
  const shape = dims.flatMap((dim) => field(1, field(typeof dim === 'number' ? 1 : 2, dim)));
  return [...field(1, name), ...field(2, field(1, [...field(1, type), ...field(2, shape)]))];
}

function model({ nodes, initializers, inputs, outputs }) {
  const graph = [...fields(1, nodes), ...field(2, 'tiny'), ...fields(5, initializers)];
  graph.push(...fields(11, inputs), ...fields(12, outputs));
  const opset = [...field(1, ''), ...field(2, 13)];
  return Uint8Array.from([...field(1, 7), ...field(2, 'sallyport'), ...field(7, graph), ...field(8, opset)]);
}

function weightOf(token) {
  if (token === '[UNK]') return -1;
  if (SPECIALS.includes(token)) return 0;
  return SUSPECT[token] ?? (token.startsWith('##') || token.length === 1 ? -1 : -3);
}

const ids = (name) => value(name, INT64, ['batch', 'sequence']);
const embedding = tensor(
  'embedding',
  [VOCABULARY.length, 2],
  FLOAT,
  VOCABULARY.flatMap((token) => [weightOf(token), 1]),
);
const masked = [
  node('Gather', ['embedding', 'input_ids'], 'embedded'),
  node('Cast', ['attention_mask'], 'mask', { to: FLOAT }),
  node('Unsqueeze', ['mask', 'last'], 'column'),
  node('Mul', ['embedded', 'column'], 'masked'),
];
const linear = (from) => [node('MatMul', [from, 'weight'], 'product'), node('Add', ['product', 'bias'], 'logits')];

/** Logits [1, n, 2]: minus and plus the weight of each token. */
export function makeTokenModel() {
  return model({
    nodes: [...masked, ...linear('masked')],
    initializers: [
      embedding,
      tensor('last', [1], INT64, [-1n]),
      tensor('weight', [2, 2], FLOAT, [-1, 1, 0, 0]),
      tensor('bias', [2], FLOAT, [0, 0]),
    ],
    inputs: [ids('input_ids'), ids('attention_mask')],
    outputs: [value('logits', FLOAT, ['batch', 'sequence', 2])],
  });
}

/** Logits [1, 2]: minus and plus twice the mean weight of all tokens. */
export function makeSequenceModel() {
  return model({
    nodes: [
      ...masked,
      node('ReduceSum', ['masked', 'rows'], 'sum', { keepdims: 0 }),
      node('ReduceSum', ['column', 'rows'], 'count', { keepdims: 0 }),
      node('Div', ['sum', 'count'], 'mean'),
      ...linear('mean'),
    ],
    initializers: [
      embedding,
      tensor('last', [1], INT64, [-1n]),
      tensor('rows', [1], INT64, [1n]),
      tensor('weight', [2, 2], FLOAT, [-2, 2, 0, 0]),
      tensor('bias', [2], FLOAT, [0, 0]),
    ],
    inputs: [ids('input_ids'), ids('attention_mask'), ids('token_type_ids')],
    outputs: [value('logits', FLOAT, ['batch', 2])],
  });
}

export function makeTokenizer() {
  const special = (id) => ({ SpecialToken: { id, type_id: 0 } });
  const named = (id) => [id, { id, ids: [VOCABULARY.indexOf(id)], tokens: [id] }];
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [],
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [special('[CLS]'), { Sequence: { id: 'A', type_id: 0 } }, special('[SEP]')],
      pair: [],
      special_tokens: Object.fromEntries(['[CLS]', '[SEP]'].map(named)),
    },
    decoder: null,
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(VOCABULARY.map((token, id) => [token, id])),
    },
  };
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const folder = new URL('fixtures/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL('token.onnx', folder), makeTokenModel());
  writeFileSync(new URL('sequence.onnx', folder), makeSequenceModel());
  writeFileSync(new URL('tokenizer.json', folder), JSON.stringify(makeTokenizer(), undefined, 2));
  writeFileSync(new URL('config.json', folder), JSON.stringify({ id2label: { 0: 'BENIGN', 1: 'MALICIOUS' } }));
}
