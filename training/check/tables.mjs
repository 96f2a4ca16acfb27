// Generates the tables of training/corpus/DATASHEET.md from the corpus.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { FOLDERS, HEADERS, wordOf } from './read.mjs';

const BLOCK = /(<!-- corpus tables -->\n)[\s\S]*?(<!-- end of corpus tables -->)/;
const KINDS = Object.values(FOLDERS);
const number = (value) => (value === 0 ? '-' : value.toLocaleString('en-US'));

/**
 * How often each value occurs, most frequent first.
 * @param {readonly string[]} values
 * @returns {[string, number][]}
 */
export function count(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([one, some], [other, more]) => more - some || (one < other ? -1 : 1));
}

function table(heads, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [
    line(heads),
    `|---|${heads
      .slice(1)
      .map(() => '--:|')
      .join('')}`,
    ...rows.map(line),
  ].join('\n');
}

/** One row for each value, one column for each kind that has such a value. */
function crossTable(items, title, pick) {
  const kinds = KINDS.filter((kind) => items.some((item) => item.kind === kind && pick(item) !== undefined));
  const counted = items.filter((item) => kinds.includes(item.kind));
  const rows = count(counted.map(pick)).map(([value]) => [
    value,
    ...kinds.map((kind) => number(counted.filter((item) => item.kind === kind && pick(item) === value).length)),
  ]);
  return table([title, ...kinds], rows);
}

function lengths(items) {
  const sorted = items.map(({ text }) => text.length).sort((one, other) => one - other);
  return [0.1, 0.5, 0.9].map((share) => number(sorted[Math.floor(share * sorted.length)] ?? 0));
}

function tablesOf(items) {
  const overview = KINDS.map((kind) => {
    const own = items.filter((item) => item.kind === kind);
    const files = new Set(own.map(({ brief }) => brief)).size;
    const languages = new Set(own.map(({ lang }) => lang)).size;
    return [kind, number(own.length), number(files), number(languages), ...lengths(own)];
  });
  const names = new Set(Object.values(HEADERS).flatMap((header) => header.map(([name]) => name)));
  names.delete('genre');
  const genres = count(items.filter(({ kind }) => kind === 'benign').map((item) => wordOf(item, 'genre')));
  return [
    'Characters are UTF-16 code units: a tenth of the texts is shorter than the first number, a tenth longer than the last.',
    table(['kind', 'texts', 'files', 'languages', 'characters, p10', 'p50', 'p90'], overview),
    crossTable(items, 'language', ({ lang }) => lang),
    ...[...names].map((name) => crossTable(items, name, (item) => wordOf(item, name))),
    `${genres.length} genres: ${genres.map(([genre, times]) => `${genre} ${number(times)}`).join(', ')}.`,
  ].join('\n\n');
}

/**
 * Whether the marked block of the data sheet contains these tables; `write` updates it.
 * @param {string} file
 * @param {readonly { kind: string, brief: string, lang: string, words: readonly string[], text: string }[]} items
 * @param {boolean} write
 */
export function datasheetHolds(file, items, write) {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (!BLOCK.test(text)) return false;
  const fresh = text.replace(BLOCK, (_, before, after) => `${before}\n${tablesOf(items)}\n\n${after}`);
  if (write && fresh !== text) writeFileSync(file, fresh);
  return write || fresh === text;
}
