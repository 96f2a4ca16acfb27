// Generates packages/core/src/frame/words.ts from packages/core/words/frame/words.txt.
import { readFileSync } from 'node:fs';
import { getEncoding } from 'js-tiktoken';

const COUNT = 2048;
const LINE_WIDTH = 112;
const ENDINGS = ['s', 'es', 'er', 'ed', 'ing', 'ly'];

function linesOf(name: string): readonly string[] {
  return readFileSync(new URL(`../words/frame/${name}`, import.meta.url), 'utf8')
    .trim()
    .split('\n');
}

/** What is wrong with a list of words for frames. Empty if nothing is. */
function problemsOf(words: readonly string[]): readonly string[] {
  const tokens = getEncoding('o200k_base');
  const known = new Set(words);
  // The words with which a person asks for an act: a code must not read like a request.
  const acts = new Set(linesOf('verbs.txt'));
  const problems = words.flatMap((word) => [
    ...(/^[a-z]{3,7}$/.test(word) ? [] : [`"${word}" must have 3 to 7 letters`]),
    ...(tokens.encode(` ${word}`).length === 1 ? [] : [`"${word}" must be one token after a blank`]),
    ...(acts.has(word) ? [`"${word}" asks for an act`] : []),
    ...ENDINGS.filter((ending) => known.has(word + ending)).map(
      (ending) => `"${word}" is also there as ${word}${ending}`,
    ),
  ]);
  if (words.length !== COUNT) problems.push(`expected ${COUNT} words; received ${words.length}`);
  if (known.size !== words.length) problems.push('a word occurs twice');
  if (words.join() !== words.toSorted().join()) problems.push('the words must be in the order of the alphabet');
  return problems;
}

/** The file of the words, as a path, its text and its size. */
export function makeFrameWords(): [path: string, text: string, size: string] {
  const words = linesOf('words.txt');
  const problems = problemsOf(words);
  if (problems.length > 0) throw new Error(`frame/words.txt: ${problems.join('; ')}.`);
  const lines = [''];
  for (const word of words) {
    const last = lines.at(-1) as string;
    if (last.length + word.length > LINE_WIDTH) lines.push(`${word} `);
    else lines.splice(-1, 1, `${last}${word} `);
  }
  const rows = lines.map((line) => `  '${line}'`).join(' +\n');
  const text = `// The words that the code of a frame is made of. Made by \`npx tsx packages/core/generate/tables.ts\` from
// packages/core/words/frame/words.txt; change it there.

const LIST =
${rows};

/** ${COUNT} short words. Each is one token of common tokenizers, and none asks for anything. */
export const FRAME_WORDS: readonly string[] = Object.freeze(LIST.trim().split(' '));
`;
  return ['packages/core/src/frame/words.ts', text, `${words.length} words`];
}
