// Finds what the corpus shares with the test texts. The test texts themselves are never printed or stored: a shared run of words
// is reported by the beginning of its SHA-256 and its position in the corpus.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gramsOf, tokensOf } from './grams.mjs';

/** Held-out sources; of `ben_` those that have records of the split `test`. */
const SOURCES =
  /^(?:agentdojo|agentdojo_ja|agentdyn|authensor|cyberseceval|doomarena|injecagent|notinject|redteamcua|ben_\w+)$/;

/** Runs of words that may be shared, each with the reason. */
const COMMON = new Map([
  ['ignore all previous instructions and', 'the best known opening of all, quoted in every text about such attacks'],
]);

function digest(gram) {
  return createHash('sha256').update(gram).digest('hex').slice(0, 12);
}

/** The position of a run in an item, so that it can be found without printing it. */
function wordsAt(item, gram) {
  const tokens = tokensOf(item.text.replaceAll('{goal}', ' '));
  for (let start = 0; start < tokens.length; start++)
    for (let end = start + 1; end <= Math.min(tokens.length, start + 20); end++)
      if (tokens.slice(start, end).join(gram.includes(' ') ? ' ' : '') === gram) return `words ${start + 1} to ${end}`;
  return 'a run of words';
}

/**
 * The distinct injected spans and full texts of the test records of each source. An injected record whose span is not
 * known counts whole.
 * @param {string} directory
 */
function* readTests(directory) {
  for (const file of readdirSync(directory).sort()) {
    const source = file.replace(/\.jsonl$/, '');
    if (source === file || !SOURCES.test(source)) continue;
    const spans = new Set();
    const documents = new Set();
    for (const line of readFileSync(join(directory, file), 'utf8').split('\n')) {
      if (line === '') continue;
      const record = JSON.parse(line);
      if (record.split !== 'test') continue;
      documents.add(record.text);
      if (record.label !== 'injection') continue;
      if (record.spans.length === 0) spans.add(record.text);
      for (const { start, end } of record.spans) spans.add(record.text.slice(start, end));
    }
    if (documents.size > 0) yield { source, spans, documents };
  }
}

function indexOf(items, size) {
  const index = new Map();
  for (const item of items)
    for (const gram of gramsOf(item.text, size)) {
      const known = index.get(gram);
      if (known === undefined) index.set(gram, new Set([item]));
      else known.add(item);
    }
  return index;
}

/** The grams of these texts that the index contains, and the number of grams and items for each kind. */
function sharedWith(texts, index, size) {
  const grams = new Set();
  for (const text of texts) for (const gram of gramsOf(text, size)) if (index.has(gram)) grams.add(gram);
  const kinds = {};
  for (const gram of grams)
    for (const kind of new Set([...index.get(gram)].map((item) => item.kind))) {
      kinds[kind] ??= { grams: 0, items: 0 };
      kinds[kind].grams++;
    }
  const items = new Set([...grams].flatMap((gram) => [...index.get(gram)]));
  for (const item of items) kinds[item.kind].items++;
  return { grams, kinds };
}

/**
 * @param {readonly { kind: string, place: string, text: string }[]} items
 * @param {string} directory
 * @returns {{ skipped: true } | { sources: object, problems: string[], allowed: number }}
 */
export function overlap(items, directory) {
  if (!existsSync(directory)) return { skipped: true };
  const fives = indexOf(items, 5);
  const eights = indexOf(items, 8);
  const sources = {};
  const problems = new Set();
  let allowed = 0;
  for (const { source, spans, documents } of readTests(directory)) {
    const inSpans = sharedWith(spans, fives, 5);
    const inDocuments = sharedWith(documents, fives, 5);
    const long = sharedWith(documents, eights, 8);
    for (const gram of inSpans.grams) {
      if (COMMON.has(gram)) allowed++;
      else
        for (const item of fives.get(gram))
          problems.add(
            `${item.place} shares ${wordsAt(item, gram)} (${digest(gram)}) with an injected span of ${source}`,
          );
    }
    for (const gram of long.grams)
      for (const item of eights.get(gram))
        problems.add(`${item.place} shares ${wordsAt(item, gram)} (${digest(gram)}) with a document of ${source}`);
    sources[source] = {
      spans: { texts: spans.size, shared: inSpans.kinds, digests: [...inSpans.grams].map(digest).sort() },
      documents: {
        texts: documents.size,
        shared: inDocuments.kinds,
        digests: [...inDocuments.grams].map(digest).sort(),
      },
      eight_words: { shared: long.kinds, digests: [...long.grams].map(digest).sort() },
    };
  }
  if (Object.keys(sources).length === 0) problems.add(`${directory} has no test record: nothing was compared`);
  return { sources, problems: [...problems], allowed };
}
