import { asObject, isCount, requireOption } from '../base/option.ts';
import type { Aligned } from './aligned-text.ts';

/** One token of a piece, in units of the piece: `to` is exclusive. */
export interface Token {
  readonly id: number;
  readonly from: number;
  readonly to: number;
}

/** Cuts one piece into tokens. */
export type Tokenize = (piece: Aligned) => readonly Token[];

/** The tokens of one word, or undefined when a part of it is in no vocabulary. */
type Match = (word: string, from: number, to: number) => Token[] | undefined;

function readIds(json: unknown): ReadonlyMap<string, number> {
  const ids = new Map<string, number>();
  for (const [token, id] of Object.entries(asObject(json) ?? {})) {
    requireOption(isCount(id, 0), '`vocab` of a WordPiece model must give each token an integer of at least 0.');
    ids.set(token, id);
  }
  requireOption(ids.size > 0, 'A WordPiece model must have a `vocab` that is not empty.');
  return ids;
}

function matcher(ids: ReadonlyMap<string, number>, prefix: string): Match {
  let longest = 0;
  for (const token of ids.keys()) longest = Math.max(longest, token.length);
  const longestAt = (word: string, start: number, from: number, to: number): Token | undefined => {
    const head = start > from ? prefix : '';
    for (let end = Math.min(to, start + longest); end > start; end--) {
      const id = ids.get(head + word.slice(start, end));
      if (id !== undefined) return { id, from: start, to: end };
    }
    return undefined;
  };
  return (word, from, to) => {
    const tokens: Token[] = [];
    for (let start = from; start < to; ) {
      const token = longestAt(word, start, from, to);
      if (token === undefined) return undefined;
      tokens.push(token);
      start = token.to;
    }
    return tokens;
  };
}

/** Divides a long word into parts, never inside a surrogate pair. */
function* partsOf(word: string, longest: number): Generator<readonly [number, number]> {
  let from = 0;
  let at = 0;
  let count = 0;
  for (const point of word) {
    if (count++ === longest) {
      yield [from, at];
      from = at;
      count = 1;
    }
    at += point.length;
  }
  yield [from, at];
}

/**
 * BERT's WordPiece: the longest known beginning, then the longest known continuation. A word that is too long would be
 * one unknown token, and an instruction written without blanks would be out of sight: it is read in parts instead.
 */
export function readWordPiece(model: Readonly<Record<string, unknown>>): Tokenize {
  const { continuing_subword_prefix: prefix = '##', max_input_chars_per_word: longest = 100, unk_token } = model;
  const ids = readIds(model.vocab);
  const unknown = ids.get(String(unk_token ?? '[UNK]'));
  requireOption(unknown !== undefined, '`unk_token` of a WordPiece model must be in its `vocab`.');
  requireOption(
    typeof prefix === 'string' && isCount(longest, 1),
    '`continuing_subword_prefix` must be a string and `max_input_chars_per_word` an integer of at least 1.',
  );
  const match = matcher(ids, prefix);
  return ({ text }) => {
    const tokens: Token[] = [];
    for (const [from, to] of partsOf(text, longest))
      tokens.push(...(match(text, from, to) ?? [{ id: unknown, from, to }]));
    return tokens;
  };
}
