// Measures false alarms of the shipped classifier on benign texts: receipts of tools, READMEs and source files.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { endProgress, fail, occasionalProgress, readOptions, root } from '../../tools/command.mjs';
import { writeFigures, writeResult } from '../../tools/figures.mjs';
import { loadClassifier } from './classifier.mjs';
import { round } from './figures.mjs';

const READMES = 900;
const SOURCES = 400;

const options = readOptions(
  `
Measures the false alarms of @sallyport/classifier, at its shipped levels, on benign texts:
  receipts  what tools print (evals/spans/receipts); a span of low, medium or high is a false alarm
  READMEs   ${READMES} of the npm packages in node_modules; a span of medium or high is a false alarm
  sources   ${SOURCES} source files of the same packages; the same
Files are sorted by package and chosen at even distances. If fewer are suitable, all of them are measured. The choice depends
on what is installed: run npm ci first.

  npm run eval -- shipped         writes two figures and evals/results/spans-shipped.json
  npm run eval -- shipped --list  also print each false alarm: file, likelihood and the flagged text
  npm run eval -- shipped --dry   write nothing
`,
  { list: { type: 'boolean' }, dry: { type: 'boolean' } },
);

const MIN_CHARACTERS = 500;
const MAX_CHARACTERS = 40_000;
const MAX_LINE = 500;
const modules = join(root, 'node_modules');
const byName = (one, other) => (one < other ? -1 : Number(one > other));
const namesIn = (folder) => readdirSync(folder, { withFileTypes: true }).sort((a, b) => byName(a.name, b.name));

/** The packages of a node_modules folder and of those inside it. Links are left out: they are the packages of this repository. */
function* packagesIn(folder, scope = '') {
  for (const entry of namesIn(folder)) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory() || entry.name.startsWith('.')) continue;
    if (entry.name.startsWith('@')) yield* packagesIn(path, `${entry.name}/`);
    else {
      yield { name: scope + entry.name, path };
      if (existsSync(join(path, 'node_modules'))) yield* packagesIn(join(path, 'node_modules'));
    }
  }
}

function* filesIn(folder) {
  for (const entry of namesIn(folder)) {
    if (entry.isFile()) yield join(folder, entry.name);
    else if (entry.isDirectory() && entry.name !== 'node_modules') yield* filesIn(join(folder, entry.name));
  }
}

/** The texts of files that are long enough, short enough and accepted, without repetitions. */
function readTexts(files, accepts = () => true) {
  const texts = new Map();
  for (const file of files) {
    // A character has at most three bytes per UTF-16 unit.
    if (statSync(file).size > 3 * MAX_CHARACTERS) continue;
    const text = readFileSync(file, 'utf8');
    if (text.length < MIN_CHARACTERS || text.length > MAX_CHARACTERS || texts.has(text) || !accepts(text)) continue;
    texts.set(text, relative(root, file));
  }
  return [...texts].map(([text, name]) => ({ name, text }));
}

/** Texts at even distances, in their order; all of them if there are not more. */
const choose = (texts, count) =>
  texts.length <= count
    ? texts
    : Array.from({ length: count }, (_, index) => texts[Math.floor((index * texts.length) / count)]);

const receiptsFile = join(root, 'evals', 'spans', 'receipts', 'receipts.jsonl');
if (!existsSync(receiptsFile)) fail('there are no receipts', 'run node evals/spans/receipts/collect.mjs', 2);
if (!existsSync(modules)) fail('node_modules does not exist', 'run npm ci', 2);
const packages = [...packagesIn(modules)].sort((one, other) => byName(one.name, other.name));
const readmes = packages.flatMap(({ path }) =>
  namesIn(path)
    .filter((entry) => entry.isFile() && /^readme\.(?:md|markdown)$/i.test(entry.name))
    .map((entry) => join(path, entry.name)),
);
const sources = packages.flatMap(({ path }) => [...filesIn(path)].filter((file) => /\.(?:js|ts|mjs|py)$/.test(file)));
const isWritten = (text) => text.split('\n').every((line) => line.length <= MAX_LINE);

const SETS = {
  receipts: {
    texts: readFileSync(receiptsFile, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map(({ tool, call, text }) => ({ name: `${tool}: ${call}`, text })),
    levels: ['low', 'medium', 'high'],
  },
  readmes: { texts: choose(readTexts(readmes), READMES), levels: ['medium', 'high'] },
  sources: { texts: choose(readTexts(sources, isWritten), SOURCES), levels: ['medium', 'high'] },
};

const [{ findSpans }, { CALIBRATION }] = await loadClassifier('classifier', 'finding/calibration');
const progress = occasionalProgress();
const result = { digest: CALIBRATION.digest };
const alarms = [];
for (const [set, { texts, levels }] of Object.entries(SETS)) {
  let flagged = 0;
  for (const [index, { name, text }] of texts.entries()) {
    progress(`${set}: ${index} of ${texts.length}`);
    const spans = (await findSpans(text)).filter(({ likelihood }) => levels.includes(likelihood));
    if (spans.length > 0) flagged++;
    for (const { start, end, likelihood, tag } of spans)
      alarms.push({ set, name, likelihood, tag, text: text.slice(start, end) });
  }
  result[set] = { texts: texts.length, levels, flagged, share: round(flagged / texts.length) };
}
endProgress();

const together = {
  texts: result.readmes.texts + result.sources.texts,
  flagged: result.readmes.flagged + result.sources.flagged,
};
const rows = { ...result, 'READMEs and sources': together };
console.log('set                  texts  flagged    share');
for (const [name, { texts, flagged }] of Object.entries(rows).filter(([, row]) => row.texts !== undefined)) {
  const share = `${((100 * flagged) / texts).toFixed(2)} %`;
  console.log(`${name.padEnd(19)}  ${String(texts).padStart(5)}  ${String(flagged).padStart(7)}  ${share.padStart(7)}`);
}
if (options.list)
  for (const { set, name, likelihood, tag, text } of alarms)
    console.log(`\n${set}  ${name}\n  ${likelihood} ${tag}: ${JSON.stringify(text)}`);

if (!options.dry) {
  const figure = (value, unit) => ({ value, unit, command: 'npm run eval -- shipped' });
  writeFigures({
    'spans.receipts_flagged': figure(result.receipts.flagged, 'receipts'),
    'spans.readme_flagged_pct': figure(
      round((100 * together.flagged) / together.texts),
      '% of READMEs and source files',
    ),
  });
  writeResult('spans-shipped', result);
}
