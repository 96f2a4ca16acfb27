import { asObject, refuse, requireOption, shown } from '../base/option.ts';
import { type Aligned, Rewriter, slice } from './aligned-text.ts';

/** Cuts a text into the pieces that are tokenized by themselves. */
export type Cut = (pieces: readonly Aligned[]) => Aligned[];

// ASCII punctuation includes signs that Unicode calls symbols.
const PUNCTUATION = '!-\\/:-@\\[-`{-~\\p{P}';
const WORDS = new RegExp(`[${PUNCTUATION}]|[^${PUNCTUATION}\\p{White_Space}]+`, 'gu');
const PARTS = new RegExp(`[${PUNCTUATION}]|[^${PUNCTUATION}]+`, 'gu');
const NO_SPACE = /\P{White_Space}+/gu;
const WHITESPACE =
  /[\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\u200c\u200d]+|[^\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\p{White_Space}\u200c\u200d]+/gu;
const META = '\u2581';

function matchesOf(pattern: RegExp): Cut {
  return (pieces) =>
    pieces.flatMap((piece) =>
      Array.from(piece.text.matchAll(pattern), ({ index, 0: word }) => slice(piece, index, index + word.length)),
    );
}

/** Blanks become a visible sign that belongs to the word after it. */
function metaspace(options: Readonly<Record<string, unknown>>): Cut {
  const { replacement = META, prepend_scheme: scheme, add_prefix_space: adds = true, split = true } = options;
  requireOption(
    typeof replacement === 'string' && replacement.length === 1,
    `\`replacement\` of Metaspace must be one character; received ${shown(replacement)}.`,
  );
  const prepend = scheme ?? (adds === false ? 'never' : 'always');
  requireOption(
    prepend === 'always' || prepend === 'never' || prepend === 'first',
    `\`prepend_scheme\` of Metaspace must be 'always', 'never' or 'first'; received ${shown(prepend)}.`,
  );
  return (pieces) =>
    pieces.flatMap((piece, index) => {
      const isPrefixed = prepend === 'always' || (prepend === 'first' && index === 0 && (piece.starts[0] ?? 0) === 0);
      const marked = markSpaces(piece, replacement, isPrefixed);
      return split === false ? [marked] : cutBefore(marked, replacement);
    });
}

function markSpaces(piece: Aligned, sign: string, isPrefixed: boolean): Aligned {
  const text = piece.text.replaceAll(' ', sign);
  if (!isPrefixed || text === '' || text.startsWith(sign)) return { ...piece, text };
  const rewriter = new Rewriter(piece);
  // The sign has no character of its own, so it gets the range of the character after it.
  rewriter.write(sign, 0, 1);
  rewriter.copy(0, text.length);
  return { ...rewriter.finish(), text: sign + text };
}

function cutBefore(piece: Aligned, sign: string): Aligned[] {
  const cut: Aligned[] = [];
  for (let from = 0; from < piece.text.length; ) {
    const next = piece.text.indexOf(sign, from + 1);
    const to = next < 0 ? piece.text.length : next;
    cut.push(slice(piece, from, to));
    from = to;
  }
  return cut;
}

/** The `pre_tokenizer` of a tokenizer.json. */
export function readCut(json: unknown): Cut {
  if (json === null || json === undefined) return (pieces) => [...pieces];
  const options = asObject(json) ?? {};
  switch (options.type) {
    case 'Sequence': {
      requireOption(
        Array.isArray(options.pretokenizers),
        'A Sequence `pre_tokenizer` must have an array `pretokenizers`.',
      );
      const cuts = options.pretokenizers.map(readCut);
      return (pieces) => cuts.reduce((cut, step) => step(cut), [...pieces]);
    }
    case 'BertPreTokenizer':
      return matchesOf(WORDS);
    case 'Whitespace':
      return matchesOf(WHITESPACE);
    case 'WhitespaceSplit':
      return matchesOf(NO_SPACE);
    case 'Punctuation':
      requireOption(
        (options.behavior ?? 'Isolated') === 'Isolated',
        `\`behavior\` of Punctuation must be 'Isolated'; received ${shown(options.behavior)}.`,
      );
      return matchesOf(PARTS);
    case 'Metaspace':
      return metaspace(options);
    default:
      return refuse(`The \`pre_tokenizer\` ${shown(options.type)} is not supported. Pass your own \`tokenizer\`.`);
  }
}
