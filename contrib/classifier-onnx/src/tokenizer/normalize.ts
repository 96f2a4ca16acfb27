import { asObject, refuse, requireOption, shown } from '../base/option.ts';
import { type Aligned, rewrite, slice } from './aligned-text.ts';
import { readCharsmap } from './charsmap.ts';

export type Normalize = (aligned: Aligned) => Aligned;

// What a normalization form may join: a character and its marks, or a run of Hangul letters. The bound keeps a text of
// nothing but marks linear; Unicode's stream-safe format has the same one (UAX #15, section 13).
const CLUSTER =
  /[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]+|[^\p{M}\uff9e\uff9f][\p{M}\uff9e\uff9f]{1,30}|[\p{M}\uff9e\uff9f]{1,30}|[^\0-\x7f]/gu;
const NOT_ASCII = /[^\0-\x7f]/;
const LETTER = /[A-Z]|[^\0-\x7f]/gu;
const REMOVED = /[\ufffd\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
// All of White_Space but the blank itself and the control characters that are removed.
const BLANK = /[\t\n\r\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/g;
const NON_SPACING = /\p{Mn}/gu;
const MARK = /\p{M}/gu;
// The blocks of Chinese characters that BERT sets apart, as listed in its tokenization.py.
const CHINESE =
  /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b820}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;

function toForm(form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): Normalize {
  return (aligned) =>
    NOT_ASCII.test(aligned.text) ? rewrite(aligned, CLUSTER, (cluster) => cluster.normalize(form)) : aligned;
}

function remove(pattern: RegExp): Normalize {
  return (aligned) => rewrite(aligned, pattern, () => '');
}

// One character at a time, like the reference: the whole text would give a final sigma its own form.
const lowercase: Normalize = (aligned) => rewrite(aligned, LETTER, (letter) => letter.toLowerCase());
const decompose = toForm('NFD');

function bertNormalizer(options: Readonly<Record<string, unknown>>): Normalize {
  const isLower = options.lowercase !== false;
  const steps: Normalize[] = [];
  if (options.clean_text !== false) steps.push((aligned) => rewrite(aligned, BLANK, () => ' '), remove(REMOVED));
  if (options.handle_chinese_chars !== false)
    steps.push((aligned) => rewrite(aligned, CHINESE, (character) => ` ${character} `));
  if (options.strip_accents ?? isLower) steps.push(decompose, remove(NON_SPACING));
  if (isLower) steps.push(lowercase);
  return inOrder(steps);
}

function strip(options: Readonly<Record<string, unknown>>): Normalize {
  return (aligned) => {
    const { text } = aligned;
    const from = options.strip_left === false ? 0 : text.length - text.trimStart().length;
    const to = options.strip_right === false ? text.length : text.trimEnd().length;
    return from === 0 && to === text.length ? aligned : slice(aligned, from, Math.max(from, to));
  };
}

function replace(options: Readonly<Record<string, unknown>>): Normalize {
  const { String: literal, Regex: pattern } = asObject(options.pattern) ?? {};
  const { content } = options;
  requireOption(
    typeof content === 'string',
    `\`content\` of a Replace normalizer must be a string; received ${shown(content)}.`,
  );
  const expression = expressionOf(literal, pattern);
  return (aligned) => rewrite(aligned, expression, () => content);
}

function expressionOf(literal: unknown, pattern: unknown): RegExp {
  if (typeof literal === 'string') return new RegExp(literal.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'gu');
  requireOption(
    typeof pattern === 'string',
    '`pattern` of a Replace normalizer must have a string `String` or `Regex`.',
  );
  try {
    return new RegExp(pattern, 'gu');
  } catch (cause) {
    return refuse(
      '`pattern.Regex` of a Replace normalizer must be a valid JavaScript expression; see the cause. Otherwise pass your own `tokenizer`.',
      cause,
    );
  }
}

function inOrder(steps: readonly Normalize[]): Normalize {
  return (aligned) => steps.reduce((text, step) => step(text), aligned);
}

/** The `normalizer` of a tokenizer.json. An unknown one is refused: without it the tokens would differ. */
export function readNormalizer(json: unknown): Normalize {
  if (json === null || json === undefined) return (aligned) => aligned;
  const options = asObject(json) ?? {};
  switch (options.type) {
    case 'Sequence':
      requireOption(Array.isArray(options.normalizers), 'A Sequence normalizer must have an array `normalizers`.');
      return inOrder(options.normalizers.map(readNormalizer));
    case 'BertNormalizer':
      return bertNormalizer(options);
    case 'NFC':
    case 'NFD':
    case 'NFKC':
    case 'NFKD':
      return toForm(options.type);
    case 'Lowercase':
      return lowercase;
    case 'StripAccents':
      return remove(MARK);
    case 'Strip':
      return strip(options);
    case 'Replace':
      return replace(options);
    case 'Precompiled':
      return readCharsmap(options.precompiled_charsmap);
    default:
      return refuse(`The normalizer ${shown(options.type)} is not supported. Pass your own \`tokenizer\`.`);
  }
}
