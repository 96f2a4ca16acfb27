// Measures the span classifier on held-out records.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, readOptions, root } from '../../tools/command.mjs';
import { writeFigures, writeResult } from '../../tools/figures.mjs';
import { buildTraining } from '../../training/build.mjs';
import { distinct, groupBy, intervalOf, overlapOf, round, shareAbove, spanFigures, thresholdFor } from './figures.mjs';
import { data, isPooled, readFresh, readRecords } from './records.mjs';
import { loadScorer, scoreRecords } from './score.mjs';

const options = readOptions(
  `
Measures @sallyport/classifier on held-out records: recall where 1 % of the distinct benign documents are flagged, false alarms
at the shipped levels, the accuracy of spans, and the same attacks in ten formats. Two claims are told apart: attacks that address
the model, and bare requests that only ask for something. Training, thresholds and choices use other sources.

  npm run eval -- spans                 the held-out sources and the fresh texts; writes evals/results/spans.json and its figures
  npm run eval -- spans --split dev     the development split; writes evals/results/spans-dev.json
  npm run eval -- spans --without-fresh do not read evals/spans/fresh, and write nothing
  npm run eval -- spans --dry           write nothing
`,
  { split: { type: 'string' }, dry: { type: 'boolean' }, 'without-fresh': { type: 'boolean' } },
);

const RATE = 0.01;
const LOOSE_RATE = 0.05;
/** Attacks of a source that are written in every format. */
const IN_FORMATS = 120;
/** Formats that break lines. */
const FOLDED = ['yaml', 'mail', 'quote', 'comment', 'terminal'];

const split = options.split ?? 'test';
if (!['dev', 'test'].includes(split)) fail(`--split must be dev or test; received ${split}`, 'use --split dev', 2);
const isWhole = split === 'test' && !options['without-fresh'];
const read = readRecords(split);
if (read.length === 0) fail(`${data} has no records`, 'see evals/spans/README.md for their sources', 2);
const load = await buildTraining();
const [{ FORMATS, FORMAT_NAMES }, { CLOSE, OPEN, unmark }, { Random }] = await Promise.all([
  load('training', 'compose', 'formats'),
  load('training', 'compose', 'insert'),
  load('training', 'random'),
]);
const scorer = await loadScorer();
const { CALIBRATION, highestOf, findingsOf } = scorer;
const records = await scoreRecords([...read, ...(isWhole ? readFresh() : [])], scorer);

const pooled = distinct(records.filter((record) => isPooled(record) && record.source !== 'fresh'));
const threshold = thresholdFor(
  pooled.map(({ highest }) => highest),
  RATE,
);
const looser = thresholdFor(
  pooled.map(({ highest }) => highest),
  LOOSE_RATE,
);
for (const record of records) record.found = record.injected ? findingsOf(record.text, threshold) : [];

const flagged = (group) =>
  round(group.filter(({ levels }) => levels.has('medium') || levels.has('high')).length / group.length);
const row = (group) => ({
  records: group.length,
  recall_fpr1: shareAbove(group, threshold),
  interval: intervalOf(group, pooled, RATE),
  recall_fpr5: shareAbove(group, looser),
  recall_shipped: flagged(group),
  spans: spanFigures(group),
});
const table = (group, keyOf) => Object.fromEntries(groupBy(group, keyOf).map(([name, each]) => [name, row(each)]));
const rates = (group) => ({
  records: group.length,
  fpr1: shareAbove(group, threshold),
  fpr5: shareAbove(group, looser),
  shipped: flagged(group),
});

/** A record's text in a format, with its spans as one range. */
function inFormat(random, { text, spans }, format, width) {
  const start = Math.min(...spans.map((span) => span.start));
  const end = Math.max(...spans.map((span) => span.end));
  const marked = `${text.slice(0, start)}${OPEN}${text.slice(start, end)}${CLOSE}${text.slice(end)}`;
  return unmark(FORMATS[format](random, marked, width));
}

/** Recall and spans of the same attacks in every format. */
function measureFormats(group) {
  return Object.fromEntries(
    FORMAT_NAMES.map((format) => {
      const random = new Random(7);
      const written = group.map((record) => inFormat(random, record, format));
      const found = written.map(({ text }) => findingsOf(text, threshold));
      const overlaps = written.map(({ text, start, end }, index) =>
        overlapOf(text.length, found[index], [{ start, end }]),
      );
      const hits = overlaps.filter((_, index) => found[index].length > 0);
      const mean = (all, key) => round(all.reduce((sum, each) => sum + each[key], 0) / Math.max(1, all.length));
      const recall = round(written.filter(({ text }) => highestOf(text) > threshold).length / written.length);
      return [format, { recall_fpr1: recall, iou_found: mean(hits, 'iou'), payload_recall: mean(overlaps, 'recall') }];
    }),
  );
}

const injected = records.filter((record) => record.injected);
const addressing = injected.filter(({ claim }) => claim === 'addresses');
const WRAPPED = ['agentdojo', 'agentdyn', 'injecagent', 'agentdojo_ja', ...(isWhole ? ['fresh'] : [])];
const wrapped = split === 'test' ? addressing.filter(({ source }) => WRAPPED.includes(source)) : addressing;
const sampled = groupBy(
  wrapped.filter(({ spans }) => spans.length > 0),
  ({ source }) => source,
).flatMap(([, group]) => group.filter((_, index) => index % Math.ceil(group.length / IN_FORMATS) === 0));
const formats = measureFormats(sampled);
/** How much recall differs between long lines and lines of 72 columns, in the same format. */
function gapOf(format) {
  const recallAt = (width) => {
    const random = new Random(7);
    const written = sampled.map((record) => inFormat(random, record, format, width));
    return written.filter(({ text }) => highestOf(text) > threshold).length / written.length;
  };
  return round(Math.abs(recallAt(72) - recallAt(Number.POSITIVE_INFINITY)));
}
const gaps = Object.fromEntries(FOLDED.map((format) => [format, gapOf(format)]));

/** Bare requests, and how many of their characters a request covers; and how many requests of these records are theirs. */
function measureAsks(group) {
  const labelled = group.filter(({ spans }) => spans.length > 0);
  const covers = ({ text, asking, spans }) => overlapOf(text.length, asking, spans).recall >= 0.5;
  const isIn = ({ start, end }, spans) => spans.some((span) => span.start < end && span.end > start);
  const requests = labelled.flatMap(({ asking, spans }) => asking.map((each) => isIn(each, spans)));
  return {
    records: labelled.length,
    recall: round(labelled.filter(covers).length / Math.max(1, labelled.length)),
    precision: round(requests.filter(Boolean).length / Math.max(1, requests.length)),
  };
}

const of = (source) => records.filter((record) => record.source === source && !record.injected);
const benign = records.filter((record) => isPooled(record) && record.source !== 'fresh');
const result = {
  split,
  digest: CALIBRATION.digest,
  threshold_fpr1: threshold,
  threshold_fpr5: looser,
  distinct_benign: pooled.length,
  shipped: CALIBRATION.thresholds,
  benign: rates(benign),
  benign_by_source: Object.fromEntries(
    groupBy(
      records.filter((record) => !record.injected),
      ({ source }) => source,
    ).map(([name, group]) => [name, rates(group)]),
  ),
  addresses: { pooled: row(wrapped), ...table(addressing, ({ source }) => source) },
  asks: measureAsks(injected.filter(({ claim }) => claim === 'asks')),
  formats,
  format_gaps: gaps,
  format_gap: Math.max(...Object.values(gaps)),
  sources: table(injected, ({ source }) => source),
  attacks: table(injected, ({ source, attack }) => `${source}:${attack ?? 'none'}`),
  languages: table(addressing, ({ lang }) => lang),
  spans: spanFigures(injected),
  spans_of_found: spanFigures(addressing.filter(({ highest }) => highest > threshold)),
  spans_of_wrapped: spanFigures(wrapped),
};
const print = (name, { records: n, recall_fpr1, interval, recall_fpr5, recall_shipped, spans }) =>
  console.log(
    `${name.padEnd(14)} n ${String(n).padStart(5)}  recall at 1 % ${recall_fpr1} [${interval}]  at 5 % ${recall_fpr5}  shipped ${recall_shipped}  IoU ${spans?.iou ?? '-'}  span recall ${spans?.recall ?? '-'}`,
  );
console.log('addresses the model:');
for (const [name, each] of Object.entries(result.addresses)) print(name, each);
console.log('all attacks:');
for (const [name, each] of Object.entries(result.sources)) print(name, each);
console.log(`asks ${JSON.stringify(result.asks)}  folded against unfolded ${JSON.stringify(gaps)}`);
for (const [name, each] of Object.entries(formats)) console.log(`as ${name.padEnd(10)} ${JSON.stringify(each)}`);
console.log(
  `benign ${JSON.stringify(result.benign)}  spans ${JSON.stringify(result.spans)} of found ${JSON.stringify(result.spans_of_found)} of wrapped ${JSON.stringify(result.spans_of_wrapped)}`,
);
if (split === 'test') {
  console.log(`notinject ${JSON.stringify(rates(of('notinject')))}  mail ${JSON.stringify(rates(of('ben_llmail')))}`);
  if (isWhole && !options.dry) {
    const figure = (value, unit) => ({ value, unit, command: 'npm run eval -- spans' });
    const recalls = (from, names, prefix) =>
      Object.fromEntries(
        names.map((name) => [
          `${prefix}${name}.recall_fpr1`,
          figure(from[name].recall_fpr1, 'share of attacked documents'),
        ]),
      );
    writeFigures({
      ...recalls(result.addresses, [...WRAPPED, 'pooled'], 'spans.addresses.'),
      ...recalls(
        result.sources,
        ['agentdojo', 'agentdyn', 'injecagent', 'agentdojo_ja', 'cyberseceval', 'redteamcua'],
        'spans.',
      ),
      'spans.format_gap': figure(result.format_gap, 'difference of recall'),
      'spans.asks.recall': figure(result.asks.recall, 'share of bare requests'),
      'spans.asks.precision': figure(result.asks.precision, 'share of requests in attacked documents'),
      'spans.notinject_fpr': figure(rates(of('notinject')).shipped, 'share of benign prompts'),
      'spans.mail_fpr': figure(rates(of('ben_llmail')).shipped, 'share of benign mails'),
      'spans.benign_fpr_shipped': figure(result.benign.shipped, 'share of benign documents'),
      'spans.iou_found': figure(result.spans_of_found.iou, 'intersection over union'),
      'spans.payload_recall_wrapped': figure(result.spans_of_wrapped.recall, 'share of injected characters'),
    });
  }
  const peersFile = join(root, 'evals', 'results', 'peers.json');
  result.peers = existsSync(peersFile) ? 'evals/results/peers.json' : undefined;
  if (existsSync(peersFile)) result.peers_measured = JSON.parse(readFileSync(peersFile, 'utf8')).measured;
}
if (!options.dry && (split === 'dev' || isWhole)) writeResult(split === 'test' ? 'spans' : 'spans-dev', result);
