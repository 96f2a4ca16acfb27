// Words, and runs of words. Scripts without spaces between words, such as Han, kana and Thai, are read by character, without
// spaces and punctuation.
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\u30fc';
const TOKEN = new RegExp(
  `[${UNSPACED}][${UNSPACED}\\p{M}]*|(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}_]|(?<=\\p{L})'(?=\\p{L}))+`,
  'gu',
);
const IS_UNSPACED = new RegExp(`[${UNSPACED}]`, 'u');
const LETTER = /\p{L}/u;

/** The number of characters of a script without spaces that count as 5 and as 8 words. */
const CHARACTERS = { 5: 12, 8: 20 };

function fold(text) {
  return text.normalize('NFKC').toLowerCase().replaceAll('\u2019', "'");
}

/**
 * The words of a text; each character of a script without spaces is a word.
 * @param {string} text
 * @returns {string[]}
 */
export function tokensOf(text) {
  return [...fold(text).matchAll(TOKEN)].flatMap(([token]) => (IS_UNSPACED.test(token) ? [...token] : [token]));
}

function* wordGrams(folded, size) {
  let run = [];
  for (const [token] of folded.matchAll(TOKEN)) {
    if (IS_UNSPACED.test(token)) run = [];
    else run.push(token);
    if (run.length > size) run.shift();
    // Dates, amounts and version numbers are not phrases: more than half of the words must contain a letter.
    if (run.length === size && run.filter((word) => LETTER.test(word)).length * 2 > size) yield run.join(' ');
  }
}

function* characterGrams(folded, size) {
  if (!IS_UNSPACED.test(folded)) return;
  const characters = [...folded.replace(/[^\p{L}\p{M}\p{N}]+/gu, '')];
  const unspaced = characters.map((character) => (IS_UNSPACED.test(character) ? 1 : 0));
  let inside = 0;
  for (let end = 0; end < characters.length; end++) {
    inside += unspaced[end] - (unspaced[end - size] ?? 0);
    if (end >= size - 1 && inside * 2 > size) yield characters.slice(end - size + 1, end + 1).join('');
  }
}

/**
 * Runs of `size` words, and runs of characters of the same length where a text has no spaces; none spans a `{goal}`.
 * @param {string} text
 * @param {5 | 8} size
 * @returns {Generator<string>}
 */
export function* gramsOf(text, size) {
  for (const piece of text.split('{goal}')) {
    const folded = fold(piece);
    yield* wordGrams(folded, size);
    yield* characterGrams(folded, CHARACTERS[size]);
  }
}

/**
 * The first two words, or the first four characters where a text has no spaces.
 * @param {string} text
 */
export function openingOf(text) {
  const tokens = tokensOf(text.replaceAll('{goal}', ' ').slice(0, 200));
  return IS_UNSPACED.test(tokens[0] ?? '') ? tokens.slice(0, 4).join('') : tokens.slice(0, 2).join(' ');
}

/**
 * The share of distinct runs among the runs of one, two and three words.
 * @param {readonly string[]} texts
 */
export function distinctShares(texts) {
  const seen = [new Set(), new Set(), new Set()];
  const total = [0, 0, 0];
  for (const text of texts) {
    const tokens = tokensOf(text.replaceAll('{goal}', ' '));
    for (const size of [1, 2, 3])
      for (let start = 0; start + size <= tokens.length; start++) {
        seen[size - 1].add(tokens.slice(start, start + size).join(' '));
        total[size - 1]++;
      }
  }
  return seen.map((set, index) => (total[index] === 0 ? 0 : set.size / total[index]));
}
