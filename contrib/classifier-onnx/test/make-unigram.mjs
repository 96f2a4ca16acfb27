// A small Unigram tokenizer in the form of DeBERTa v3's, with a small table of replacements in SentencePiece's format.
//
//   node contrib/classifier-onnx/test/make-unigram.mjs    writes test/fixtures/unigram.json; then: npx biome format
import { writeFileSync } from 'node:fs';

const META = '\u2581';
const WORDS = [
  'ignore',
  'all',
  'previous',
  'in',
  'struct',
  'ions',
  'instructions',
  'send',
  'the',
  'pass',
  'word',
  'fi',
];
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz', ...'.,!?-', '\u00e9', '\u65e5', '\u672c', META];
const REPLACED = [
  ['\n', ' '],
  ['\t', ' '],
  ['\u00a0', ' '],
  ['\ufb01', 'fi'],
  ['e\u0301', '\u00e9'],
  ['\u200b', ''],
  ...Array.from({ length: 26 }, (_, index) => [String.fromCharCode(0xff41 + index), String.fromCharCode(97 + index)]),
];

const encoder = new TextEncoder();

/** A tree over UTF-8, with the place of its replacement where a key ends. */
function treeOf(keys) {
  const root = { next: new Map(), place: undefined };
  for (const [key, place] of keys) {
    let at = root;
    for (const byte of encoder.encode(key)) {
      if (!at.next.has(byte)) at.next.set(byte, { next: new Map(), place: undefined });
      at = at.next.get(byte);
    }
    at.place = place;
  }
  return root;
}

/** A double array: the children of a node lie at its base, each at the place its byte turns that base into. */
function doubleArray(root) {
  const units = [];
  const isFree = (at) => at !== 0 && units[at] === undefined;
  const pack = (node, at, label) => {
    const labels = [...(node.place === undefined ? [] : [0]), ...node.next.keys()];
    let base = 1;
    while (!labels.every((byte) => isFree(base ^ byte))) base++;
    units[at] = ((at ^ base) << 10) | (node.place === undefined ? 0 : 0x100) | label;
    if (node.place !== undefined) units[base] = (node.place | 0x80000000) >>> 0;
    for (const byte of node.next.keys()) units[base ^ byte] = 0;
    for (const [byte, child] of node.next) pack(child, base ^ byte, byte);
  };
  pack(root, 0, 0);
  // Whole blocks: the reference looks up any byte without asking whether it is there.
  return Uint32Array.from({ length: Math.ceil(units.length / 256) * 256 }, (_, index) => units[index] ?? 0);
}

function charsmap() {
  const bytes = [];
  const keys = REPLACED.map(([key, replacement]) => {
    const place = bytes.length;
    bytes.push(...encoder.encode(replacement), 0);
    return [key, place];
  });
  const units = new Uint8Array(doubleArray(treeOf(keys)).buffer);
  return Buffer.concat([new Uint8Array(Uint32Array.of(units.length).buffer), units, Uint8Array.from(bytes)]);
}

export function makeUnigram() {
  const vocab = ['[PAD]', '[CLS]', '[SEP]', '[UNK]'].map((token) => [token, 0]);
  for (const [index, word] of WORDS.entries()) vocab.push([META + word, -4 - index / 8], [word, -6 - index / 8]);
  for (const [index, letter] of LETTERS.entries()) vocab.push([letter, -9 - index / 64]);
  const special = (id) => ({ SpecialToken: { id, type_id: 0 } });
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [],
    normalizer: {
      type: 'Sequence',
      normalizers: [
        { type: 'Strip', strip_left: true, strip_right: true },
        { type: 'Precompiled', precompiled_charsmap: charsmap().toString('base64') },
        { type: 'Replace', pattern: { Regex: ' {2,}' }, content: ' ' },
      ],
    },
    pre_tokenizer: { type: 'Metaspace', replacement: META, prepend_scheme: 'always', split: true },
    post_processor: {
      type: 'TemplateProcessing',
      single: [special('[CLS]'), { Sequence: { id: 'A', type_id: 0 } }, special('[SEP]')],
      pair: [],
      special_tokens: {
        '[CLS]': { id: '[CLS]', ids: [1], tokens: ['[CLS]'] },
        '[SEP]': { id: '[SEP]', ids: [2], tokens: ['[SEP]'] },
      },
    },
    decoder: null,
    model: { type: 'Unigram', unk_id: 3, vocab, byte_fallback: false },
  };
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const ascii = (text) =>
    text.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  writeFileSync(new URL('fixtures/unigram.json', import.meta.url), ascii(JSON.stringify(makeUnigram(), undefined, 2)));
}
