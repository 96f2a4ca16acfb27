// Checks the training corpus: its format, its size, its repetition, and its overlap with the test sources.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { tsImport } from 'tsx/esm/api';
import { endProgress, fail, progress, readOptions, root } from '../../tools/command.mjs';
import { writeFigures, writeResult } from '../../tools/figures.mjs';
import { distinctShares, openingOf } from './grams.mjs';
import { overlap } from './overlap.mjs';
import { FOLDERS, HEADERS, keyOf, readRecords, wordOf } from './read.mjs';
import { neighbours, round, spreadOf } from './similar.mjs';
import { count, datasheetHolds } from './tables.mjs';

const options = readOptions(
  `
Checks training/corpus: headers, {goal}, counts, languages, repetition, and runs of words shared with the test sources
under ../shared/data/spans (left out when that folder does not exist). Writes evals/results/corpus.json and two figures.

  npm run check -- corpus               exit 1 when something is wrong, 2 when there is nothing to check
  npm run check -- corpus --dry         write nothing
  npm run check -- corpus --draft       for an unfinished corpus: too few texts is a warning
  npm run check -- corpus --datasheet   update the tables of training/corpus/DATASHEET.md first
  npm run check -- corpus --spans ../elsewhere/spans

Similarity is the Jaccard index of character 5-grams, against all texts of the same kind. A shared run is 5 words
(8 for whole documents), or 12 and 20 characters in scripts without blanks. Runs are named by the start of their SHA-256.
`,
  {
    dry: { type: 'boolean' },
    draft: { type: 'boolean' },
    datasheet: { type: 'boolean' },
    spans: { type: 'string' },
  },
);

const FLOORS = { injection: 4000, wrapper: 800, planted: 3000, benign: 6000, mention: 1 };
const LANGUAGES = 20;
const SIMILAR = 0.8;
const COMMON_OPENING = 0.01;
const directory = join(root, 'training', 'corpus');
const datasheet = join(directory, 'DATASHEET.md');
const kinds = Object.values(FOLDERS);

for (const folder of Object.keys(FOLDERS))
  if (!existsSync(join(directory, folder)))
    fail(`training/corpus/${folder} does not exist`, 'check out the whole repository', 2);

progress('reading');
const { items: records, problems } = readRecords(directory);
const warnings = [];
if (records.length === 0) fail('training/corpus contains no text', 'check out the whole repository', 2);

/** The corpus as training reads it: repeated texts once, and each with its language. */
async function readAsTraining() {
  const { readCorpus } = await tsImport('../corpus.ts', import.meta.url);
  const first = new Map();
  for (const record of records) {
    const key = `${record.kind} ${keyOf(record.text)}`;
    const known = first.get(key);
    if (known === undefined) first.set(key, record);
    else problems.push(`${record.place} repeats ${known.place}`);
  }
  const items = readCorpus(directory).map((item) => ({ ...first.get(`${item.kind} ${keyOf(item.text)}`), ...item }));
  if (items.length !== first.size || items.some(({ place }) => place === undefined))
    problems.push(`training/corpus.ts reads ${items.length} texts, this check reads ${first.size}: they must be equal`);
  return items;
}

const items = await readAsTraining();
const byKind = Object.fromEntries(kinds.map((kind) => [kind, items.filter((item) => item.kind === kind)]));
const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
const isLanguage = ({ lang }) => names.of(lang) !== undefined;
const languages = new Set(items.filter(isLanguage).map(({ lang }) => lang)).size;

function checkSizes() {
  const short = options.draft ? warnings : problems;
  for (const [kind, floor] of Object.entries(FLOORS))
    if (byKind[kind].length < floor) short.push(`${byKind[kind].length} texts of ${kind}, fewer than ${floor}`);
  if (languages < LANGUAGES) short.push(`${languages} languages, fewer than ${LANGUAGES}`);
  for (const [brief] of count(items.filter((item) => !isLanguage(item)).map((item) => item.brief)))
    problems.push(`the first two letters of ${brief} are read as a language: correct training/corpus.ts or the name`);
  const benign = new Map(byKind.benign.map((item) => [keyOf(item.text), item.place]));
  for (const { text, place } of byKind.injection)
    if (benign.has(keyOf(text))) problems.push(`${place} is also a benign text, ${benign.get(keyOf(text))}`);
}

function openingsOf(own) {
  const openings = count(own.map(({ text }) => openingOf(text)));
  const common = openings.filter(([, times]) => times > own.length * COMMON_OPENING);
  const share = common.reduce((sum, [, times]) => sum + times, 0) / Math.max(1, own.length);
  return { distinct: openings.length, common: Object.fromEntries(common), share_common: round(share) };
}

function diversityOf(texts, nearest) {
  const [one, two, three] = distinctShares(texts).map(round);
  return { distinct: { one, two, three }, nearest: spreadOf(nearest) };
}

function measure(kind) {
  const own = byKind[kind];
  const texts = own.map(({ text }) => text);
  const { nearest, pairs } = neighbours(texts, SIMILAR);
  for (const { one, other, similarity } of pairs)
    problems.push(`${own[other].place} is nearly ${own[one].place} (${similarity.toFixed(2)})`);
  const briefs = Object.fromEntries(
    [...new Set(own.map(({ brief }) => brief))].map((brief) => {
      const here = own.flatMap((item, index) => (item.brief === brief ? [index] : []));
      const diversity = diversityOf(
        here.map((index) => texts[index]),
        here.map((index) => nearest[index]),
      );
      return [brief, { texts: here.length, ...diversity }];
    }),
  );
  const words = HEADERS[kind].map(([name]) => [name, Object.fromEntries(count(own.map((item) => wordOf(item, name))))]);
  return {
    texts: own.length,
    languages: Object.fromEntries(count(own.map(({ lang }) => lang))),
    ...Object.fromEntries(words),
    ...diversityOf(texts, nearest),
    openings: openingsOf(own),
    near_duplicates: pairs.length,
    briefs,
  };
}

/** A sample of the common override openers that training composes from parts, as if they were texts of the corpus. */
async function phrases() {
  const { override } = await tsImport('../compose/override.ts', import.meta.url);
  const { Random } = await tsImport('../random.ts', import.meta.url);
  const random = new Random(1);
  return Array.from({ length: 20_000 }, () => {
    const { text } = override(random, random.chance(0.2) ? undefined : '{goal}');
    return { kind: 'phrase', place: 'training/compose/override.ts', text };
  });
}

checkSizes();
const measured = {};
for (const kind of kinds) {
  progress(`comparing ${byKind[kind].length} texts of ${kind}`);
  measured[kind] = measure(kind);
}
progress('comparing with the test sources');
const spans = options.spans ?? join('..', 'shared', 'data', 'spans');
const shared = overlap([...items, ...(await phrases())], resolve(root, spans));
problems.push(...(shared.problems ?? []));
if (!datasheetHolds(datasheet, items, options.datasheet === true))
  problems.push('the tables of training/corpus/DATASHEET.md are stale: run with --datasheet');
endProgress();

for (const kind of kinds) {
  const { texts, distinct, nearest, openings } = measured[kind];
  console.log(
    `${kind.padEnd(9)} ${String(texts).padStart(5)} texts; distinct 1-, 2-, 3-grams ${Object.values(distinct).join(', ')}; ` +
      `nearest neighbour mean ${nearest.mean}, p50 ${nearest.p50}, p99 ${nearest.p99}, max ${nearest.max}; ` +
      `common openings ${openings.share_common}`,
  );
}
console.log(`${languages} languages, ${Object.keys(measured.benign.channel).length} channels`);
if (shared.skipped) console.log(`skipped the comparison with the test sources: ${spans} does not exist`);
for (const [source, { spans: inSpans, documents, eight_words: long }] of Object.entries(shared.sources ?? {}))
  console.log(
    `${source.padEnd(18)} shared runs: ${inSpans.digests.length} with spans, ${documents.digests.length} with documents ` +
      `(${Object.entries(documents.shared)
        .map(([kind, each]) => `${kind} ${each.grams}`)
        .join(', ')}), ` +
      `${long.digests.length} of 8 words`,
  );

if (!options.dry) {
  const command = 'npm run check -- corpus';
  const { problems: _, ...overlapResult } = shared;
  const note = 'similarity: Jaccard of character 5-grams within a kind; digests: first 12 hex digits of SHA-256';
  writeResult('corpus', { note, problems: problems.length, warnings, kinds: measured, overlap: overlapResult });
  writeFigures({
    'spans.corpus_injections': { value: measured.injection.texts, unit: 'texts', command },
    'spans.corpus_planted': { value: measured.planted.texts, unit: 'texts', command },
    'spans.corpus_benign': { value: measured.benign.texts, unit: 'texts', command },
  });
}
for (const warning of warnings) console.log(`warning: ${warning}`);
for (const problem of problems) console.error(problem);
if (problems.length > 0)
  fail(`${problems.length} problems in training/corpus`, 'reword or delete the texts named above');
const compared = shared.skipped ? 'not compared with the test sources' : 'share no phrase with the test sources';
console.log(`OK - ${items.length} texts are well formed, distinct, and ${compared}`);
