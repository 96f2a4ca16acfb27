// Measures how many attacks are still found in disguise, and whether their spans have the exact position.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { endProgress, fail, progress, readOptions, root } from '../../tools/command.mjs';
import { writeFigures, writeResult } from '../../tools/figures.mjs';
import { loadClassifier } from './classifier.mjs';
import { DISGUISES, disguiseSpans, PLACES, traceRange } from './disguises.mjs';
import { groupBy, round } from './figures.mjs';
import { data, readRecords } from './records.mjs';

const options = readOptions(
  `
Takes 200 attacks whose spans are known, writes each span in twelve disguises and three hidden places, and measures recall
before and after where 1 % of benign documents are flagged, whether findings overlap the disguised range, and whether the view
maps back to exactly that range.

  npm run eval -- obfuscation               on dev; writes evals/results/obfuscation.json and its figure
  npm run eval -- obfuscation --split test  on the held-out sources: once, at the end
  npm run eval -- obfuscation --dry         write nothing
`,
  { split: { type: 'string' }, dry: { type: 'boolean' } },
);

const SOURCES = {
  dev: ['bipia', 'piarena', 'tasktracker'],
  test: ['agentdojo', 'agentdyn', 'injecagent', 'redteamcua', 'doomarena', 'cyberseceval'],
};
const SAMPLE = 200;
/** With fewer attacks found without a disguise, a small drop would mean little. */
const MIN_FOUND = 40;
const SEED = 20261115;

const split = options.split ?? 'dev';
if (!Object.hasOwn(SOURCES, split)) fail(`--split must be dev or test; received ${split}`, 'use --split dev', 2);
const records = readRecords(split);
if (records.length === 0) fail(`${data} has no records`, 'see evals/spans/README.md for their sources', 2);
const [{ analyze }, { loadModel }, { WEIGHTS }, { CALIBRATION }] = await loadClassifier(
  'finding/analyze',
  'model/model',
  'model/weights',
  'finding/calibration',
);
const { originalSpan, readView } = await import('@sallyport/decode');
const model = loadModel(WEIGHTS, CALIBRATION.digest);

/** The threshold of `npm run eval -- spans` if it was measured with these weights and levels, else that of the level medium. */
function readThreshold() {
  const file = join(root, 'evals', 'results', 'spans.json');
  const spans = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const isCurrent = spans.digest === CALIBRATION.digest && isDeepStrictEqual(spans.shipped, CALIBRATION.thresholds);
  return isCurrent && spans.threshold_fpr1 !== undefined
    ? { value: spans.threshold_fpr1, from: 'evals/results/spans.json' }
    : { value: CALIBRATION.thresholds.medium, from: 'the level medium' };
}

/** Spans without surrounding white space; none if one of them is not plain ASCII that is read without decoding. */
function plainSpans({ text, spans }) {
  const trimmed = spans
    .map(({ start, end }) => {
      const payload = text.slice(start, end);
      return { start: start + payload.length - payload.trimStart().length, end: start + payload.trimEnd().length };
    })
    .sort((one, other) => one.start - other.start);
  const isPlain = trimmed.every(({ start, end }, index) => {
    const payload = text.slice(start, end);
    const isApart = index === 0 || start >= trimmed[index - 1].end;
    return isApart && /^[\n -~]+$/.test(payload) && readView(payload).layers[0].text === payload;
  });
  return isPlain ? trimmed : [];
}

/** A linear congruential generator: the same sample everywhere. */
let state = SEED;
function below(limit) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
}

function shuffled(list) {
  const copy = [...list];
  for (let at = copy.length - 1; at > 0; at--) {
    const other = below(at + 1);
    [copy[at], copy[other]] = [copy[other], copy[at]];
  }
  return copy;
}

/** One item of each list in turn, until all are used. */
function inTurn(lists) {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) =>
    lists.filter(({ length }) => at < length).map((list) => list[at]),
  ).flat();
}

function sample() {
  const able = records
    .filter(({ source, injected, lang }) => injected && lang === 'en' && SOURCES[split].includes(source))
    .map((record) => ({ ...record, spans: plainSpans(record) }))
    .filter(({ spans }) => spans.length > 0);
  const sources = groupBy(able, ({ source }) => source).map(([, group]) =>
    inTurn(groupBy(group, ({ attack }) => attack ?? '').map(([, attacks]) => shuffled(attacks))),
  );
  return { able: able.length, chosen: inTurn(sources).slice(0, SAMPLE) };
}

const threshold = readThreshold();

function measure(text, ranges) {
  const { highest, findings } = analyze(model, text, threshold.value, CALIBRATION);
  const overlaps = findings.some((found) => ranges.some(({ start, end }) => found.start < end && found.end > start));
  return { isFound: highest > threshold.value, overlaps };
}

function trace(text, ranges, disguise) {
  const { layers } = readView(text);
  const traced = ranges.map((range) => traceRange(layers, range, disguise, originalSpan));
  return { isRead: traced.every(({ isRead }) => isRead), isExact: traced.every(({ isExact }) => isExact) };
}

const { able, chosen } = sample();
if (chosen.length < SAMPLE) fail(`only ${chosen.length} attacks can be disguised`, `check the records of ${data}`, 2);
const plain = chosen.map(({ text, spans }) => measure(text, spans));
const share = (count, all) => (all === 0 ? 0 : round(count / all));
const points = (before, after) => Math.round((before - after) * 1000) / 10;
const plainFound = plain.filter(({ isFound }) => isFound).length;
const plainRecall = share(plainFound, chosen.length);
if (plainFound < MIN_FOUND)
  fail(
    `only ${plainFound} of ${SAMPLE} attacks are found in the open`,
    'do weights, code and threshold go together?',
    2,
  );

function measureDisguise(disguise) {
  const rows = chosen.map(({ text, spans }, index) => {
    const { text: disguised, ranges } = disguiseSpans(text, spans, disguise);
    const wasFound = plain[index].isFound;
    return { wasFound, ...measure(disguised, ranges), ...trace(disguised, ranges, disguise) };
  });
  const count = (test) => rows.filter(test).length;
  const found = count(({ isFound }) => isFound);
  const kept = count(({ isFound, wasFound }) => isFound && wasFound);
  const recall = share(found, rows.length);
  return {
    recall,
    drop_points: points(plainRecall, recall),
    kept_of_plain_found: share(kept, plainFound),
    overlap_of_found: share(
      count(({ isFound, overlaps }) => isFound && overlaps),
      found,
    ),
    read: count(({ isRead }) => isRead),
    exact: count(({ isExact }) => isExact),
    total: rows.length,
  };
}

function measureAll(disguises) {
  const measured = disguises.map((disguise) => {
    progress(`${disguise.name}: ${chosen.length} documents`);
    return [disguise.name, measureDisguise(disguise)];
  });
  endProgress();
  for (const [name, row] of measured)
    console.log(
      `${name.padEnd(13)} recall ${row.recall}, drop ${row.drop_points} points, kept ${row.kept_of_plain_found} of the found, ` +
        `on the range ${row.overlap_of_found}, read ${row.read}, exact ${row.exact} of ${row.total}`,
    );
  return Object.fromEntries(measured);
}

const disguises = measureAll(DISGUISES);
const places = measureAll(PLACES);
const meanOf = (values) => Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 100) / 100;
const drops = Object.entries(disguises).map(([name, { drop_points }]) => ({ name, drop_points }));
const mean = meanOf(drops.map(({ drop_points }) => drop_points));
// The stricter figure: an attack found only because of its disguise does not compensate for one that the disguise hid.
const lost = meanOf(Object.values(disguises).map(({ kept_of_plain_found }) => points(1, kept_of_plain_found)));
const worst = drops.reduce((one, other) => (other.drop_points > one.drop_points ? other : one));
const command = split === 'dev' ? 'npm run eval -- obfuscation' : `npm run eval -- obfuscation --split ${split}`;
console.log(
  `plain recall ${plainRecall} of ${chosen.length} at ${round(threshold.value)} (${threshold.from}); ` +
    `mean drop ${mean} points, worst ${worst.name} ${worst.drop_points}; of those found in the open ${lost} points are lost`,
);
if (!options.dry) {
  writeResult('obfuscation', {
    split,
    digest: CALIBRATION.digest,
    threshold: threshold.value,
    threshold_from: threshold.from,
    attacks: {
      able,
      sampled: chosen.length,
      sources: Object.fromEntries(groupBy(chosen, ({ source }) => source).map(([name, group]) => [name, group.length])),
    },
    plain: {
      recall: plainRecall,
      found: plainFound,
      overlap_of_found: share(plain.filter(({ isFound, overlaps }) => isFound && overlaps).length, plainFound),
    },
    mean_drop_points: mean,
    mean_lost_points_of_plain_found: lost,
    worst,
    disguises,
    places,
  });
  writeFigures({ 'spans.obfuscated_drop': { value: mean, unit: 'points of recall', command } });
}
