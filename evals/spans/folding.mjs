// Checks that folding and wrapping a text changes neither its verdict nor its spans.
import { join } from 'node:path';
import { endProgress, fail, occasionalProgress, readOptions, root } from '../../tools/command.mjs';
import { writeResult } from '../../tools/figures.mjs';
import { buildTraining } from '../../training/build.mjs';
import { overlapOf, round } from './figures.mjs';
import { loadScorer } from './score.mjs';

const options = readOptions(
  `
Takes paragraphs of training/corpus, attacks and harmless ones, and writes each in a format with long lines and with lines of 40 to
120 columns: YAML, JSON with line breaks, mail, a quotation, HTML, a comment. Both must get the same level, and the same span:
nine tenths of both in common. Exit 1 when more than two cases in a hundred differ.

  npm run eval -- folding                 100,000 cases; writes evals/results/folding.json
  npm run eval -- folding --cases 2000 --dry
`,
  { cases: { type: 'string' }, dry: { type: 'boolean' } },
);

const cases = Number(options.cases ?? 100_000);
if (!Number.isSafeInteger(cases) || cases < 1)
  fail(`--cases must be a whole number of at least 1; received ${options.cases}`, 'use --cases 1000', 2);
const SAME_SPAN = 0.9;
const ALLOWED = 0.02;
/** Shorter paragraphs are rarely wrapped. */
const MIN_LENGTH = 90;
const NAMES = ['yaml', 'mail', 'quote', 'html', 'comment', 'json'];

const load = await buildTraining();
const [{ FORMATS, wrap }, { readCorpus }, { Random }] = await Promise.all([
  load('training', 'compose', 'formats'),
  load('training', 'corpus'),
  load('training', 'random'),
]);
const { CALIBRATION, findingsOf } = await loadScorer();
const paragraphs = readCorpus(join(root, 'training', 'corpus'))
  .filter(({ kind }) => kind !== 'mention')
  .flatMap(({ text }) => text.replace(/[\u27e6\u27e7]/g, '').split('\n'))
  .filter(
    (line) => line.length >= MIN_LENGTH && /^\p{Lu}/u.test(line) && /[.!?]$/.test(line) && !/[{}<>|=]/.test(line),
  );

/** The text in a format; JSON holds the line breaks of the wrapped text as escapes. */
function written(format, seed, text, width) {
  const random = new Random(seed);
  return format === 'json' ? FORMATS.json(random, wrap(text, width)) : FORMATS[format](random, text, width);
}

function levelOf(findings) {
  const highest = Math.max(Number.NEGATIVE_INFINITY, ...findings.map(({ score }) => score));
  const { low, medium, high } = CALIBRATION.thresholds;
  return [low, medium, high].filter((limit) => highest >= limit).length;
}

/** Positions of words only, so that the same words have the same positions in both texts. */
function wordsOf(text, spans) {
  const found = [];
  let position = 0;
  for (const { index, 0: word } of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (spans.some(({ start, end }) => start <= index && end >= index + word.length))
      found.push({ start: position, end: position + 1 });
    position++;
  }
  return { found, length: position };
}

const random = new Random(20261117);
const show = occasionalProgress();
const counts = Object.fromEntries(NAMES.map((name) => [name, { cases: 0, level: 0, span: 0 }]));
for (let index = 0; index < cases; index++) {
  const text = random.pick(paragraphs);
  const format = random.pick(NAMES);
  const seed = random.below(2 ** 31);
  const [long, folded] = [Number.POSITIVE_INFINITY, 40 + random.below(81)].map((width) => {
    const whole = written(format, seed, text, width);
    const findings = findingsOf(whole, CALIBRATION.thresholds.low);
    return { level: levelOf(findings), ...wordsOf(whole, findings) };
  });
  const count = counts[format];
  count.cases++;
  if (long.level !== folded.level) count.level++;
  else if (long.level > 0 && overlapOf(long.length, folded.found, long.found).iou < SAME_SPAN) count.span++;
  show(`${index} of ${cases} cases`);
}
endProgress();
const sum = (key) => Object.values(counts).reduce((all, each) => all + each[key], 0);
for (const [name, each] of Object.entries(counts)) console.log(name.padEnd(8), JSON.stringify(each));
const changed = round((sum('level') + sum('span')) / cases);
console.log(`${cases} cases: ${sum('level')} with another level, ${sum('span')} with another span, ${changed} in all`);
if (!options.dry)
  writeResult('folding', {
    digest: CALIBRATION.digest,
    cases,
    level: sum('level'),
    span: sum('span'),
    changed,
    formats: counts,
  });
if (changed > ALLOWED) fail(`${changed} of the cases differ`, 'see language/unfold.ts');
