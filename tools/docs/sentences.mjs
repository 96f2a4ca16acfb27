// The sentences of a Markdown document: of paragraphs, items of lists and rows of tables. Code, headings, pictures, rows
// with figures and generated tables are not read.
import { createHash } from 'node:crypto';

const START_LENGTH = 60;
const SKIPPED = /^(?:#|!\[|\|[\s:|-]+\|$|\*\*[^*]+\*\*$|\|.*<!-- figure: )/;
const ITEM = /^(?:[-*] |\d+\. |\|)/;
// After a full stop, a question mark or an exclamation mark, and what closes after it. Not inside a word, as in `e.g.` or `x.y`.
const END = /(?<=[.!?]["')*]{0,3})\s+(?=["'(*[`]{0,3}[\p{Lu}`])/u;

/** The blocks of a document as one line each: a paragraph, an item, a row. */
function* blocksOf(text) {
  const plain = text.replace(/^```[\s\S]*?^```$/gm, '').replace(/^<!-- table: [\s\S]*?^<!-- end/gm, '<!-- end');
  let block = '';
  for (const line of plain.split('\n').map((each) => each.trim())) {
    const isBreak = line === '' || SKIPPED.test(line) || ITEM.test(line);
    if (isBreak && block !== '') {
      yield block;
      block = '';
    }
    if (line !== '' && !SKIPPED.test(line)) block += block === '' ? line : ` ${line}`;
  }
  if (block !== '') yield block;
}

/** The cells of a row, without the links to tests that a guarantee has in its second cell. */
function cellsOf(row) {
  const cells = row.slice(1, -1).split(/(?<!\\)\|/);
  const isProof = (cell) => /\.(?:test\.)?ts\)|`npm run /.test(cell);
  return cells.map((cell) => cell.trim()).filter((cell, index) => cell !== '' && (index === 0 || !isProof(cell)));
}

function* sentencesOf(text) {
  let isHeader = true;
  for (const block of blocksOf(text)) {
    const isRow = block.startsWith('|');
    // The first row of a table names its columns.
    if (isRow && isHeader) isHeader = false;
    else yield* (isRow ? cellsOf(block).join(' | ') : block.replace(ITEM, '')).split(END);
    if (!isRow) isHeader = true;
  }
}

/**
 * Every sentence of a document by its key: its beginning, and a part of the digest of all of it.
 * @param {string} text
 * @returns {Map<string, string>}
 */
export function keyedSentences(text) {
  const entries = [...sentencesOf(text)].map((sentence) => {
    const clean = sentence
      .replace(/<!--.*?-->/g, '')
      .replace(/\]\([^)]*\)/g, ']')
      .replace(/[\][*`]/g, '')
      .replace(/\s+/g, ' ')
      .trim();
    const digest = createHash('sha256').update(clean).digest('hex').slice(0, 6);
    return /** @type {const} */ ([`${clean.slice(0, START_LENGTH).trim()} #${digest}`, clean]);
  });
  return new Map(entries.filter(([, sentence]) => /\p{L}/u.test(sentence)));
}
