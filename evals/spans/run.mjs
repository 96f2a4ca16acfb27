// Measures the span classifier on held-out records.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endProgress, fail, progress, readOptions, root } from '../../tools/command.mjs';
import { writeFigures, writeResult } from '../../tools/figures.mjs';
import { loadClassifier } from './classifier.mjs';
import { groupBy, round, shareAbove, spanFigures, thresholdFor } from './figures.mjs';
import { data, isPooled, readRecords } from './records.mjs';

const options = readOptions(
  `
Measures @sallyport/classifier on the records of a split: recall where 1 % of the pooled benign documents are flagged,
false alarms at the shipped levels, and the accuracy of spans. Training, thresholds and choices use train and dev only.

  npm run eval -- spans              the held-out sources; writes evals/results/spans.json and its figures
  npm run eval -- spans --split dev  the development split; writes evals/results/spans-dev.json
  npm run eval -- spans --dry        write nothing
`,
  { split: { type: 'string' }, dry: { type: 'boolean' } },
);

const split = options.split ?? 'test';
if (!['dev', 'test'].includes(split)) fail(`--split must be dev or test; received ${split}`, 'use --split dev', 2);
const records = readRecords(split);
if (records.length === 0) fail(`${data} has no records`, 'see evals/spans/README.md for their sources', 2);
const [{ analyze }, { loadModel }, { WEIGHTS }, { CALIBRATION }, { findSpans }] = await loadClassifier(
  'finding/analyze',
  'model/model',
  'model/weights',
  'finding/calibration',
  'classifier',
);
const model = loadModel(WEIGHTS, CALIBRATION.digest);

let shown = 0;
for (const [index, record] of records.entries()) {
  record.highest = analyze(model, record.text, Number.POSITIVE_INFINITY, CALIBRATION.reach).highest;
  record.levels = new Set((await findSpans(record.text)).map(({ likelihood }) => likelihood));
  if (Date.now() - shown > (process.stdout.isTTY ? 200 : 10_000)) {
    shown = Date.now();
    progress(`${index} of ${records.length} records`);
  }
}
endProgress();

const benign = records.filter(isPooled);
const threshold = thresholdFor(
  benign.map(({ highest }) => highest),
  0.01,
);
const looser = thresholdFor(
  benign.map(({ highest }) => highest),
  0.05,
);
for (const record of records)
  record.found = record.injected ? analyze(model, record.text, threshold, CALIBRATION.reach).findings : [];

const flagged = (group) =>
  round(group.filter(({ levels }) => levels.has('medium') || levels.has('high')).length / group.length);
const row = (group) => ({
  records: group.length,
  recall_fpr1: shareAbove(group, threshold),
  recall_fpr5: shareAbove(group, looser),
  recall_shipped: flagged(group),
  spans: spanFigures(group),
});
const injected = records.filter((record) => record.injected);
const table = (group, keyOf) => Object.fromEntries(groupBy(group, keyOf).map(([name, each]) => [name, row(each)]));
const rates = (group) => ({
  records: group.length,
  fpr1: shareAbove(group, threshold),
  fpr5: shareAbove(group, looser),
  shipped: flagged(group),
});
const of = (source) => records.filter((record) => record.source === source && !record.injected);
const spanned = spanFigures(injected);
const peersFile = join(root, 'evals', 'results', 'peers.json');
const result = {
  split,
  digest: CALIBRATION.digest,
  threshold_fpr1: threshold,
  threshold_fpr5: looser,
  shipped: CALIBRATION.thresholds,
  benign: rates(benign),
  benign_by_source: Object.fromEntries(
    groupBy(
      records.filter((record) => !record.injected),
      ({ source }) => source,
    ).map(([name, group]) => [name, rates(group)]),
  ),
  sources: table(injected, ({ source }) => source),
  attacks: table(injected, ({ source, attack }) => `${source}:${attack ?? 'none'}`),
  languages: table(injected, ({ lang }) => lang),
  spans: spanned,
  spans_of_found: spanFigures(injected.filter(({ highest }) => highest > threshold)),
};
for (const [name, { records: n, recall_fpr1, recall_fpr5, recall_shipped, spans }] of Object.entries(result.sources))
  console.log(
    `${name.padEnd(14)} n ${String(n).padStart(5)}  recall at 1 % ${recall_fpr1}  at 5 % ${recall_fpr5}  shipped ${recall_shipped}  IoU ${spans?.iou ?? '-'}  span recall ${spans?.recall ?? '-'}`,
  );
console.log(
  `benign ${JSON.stringify(result.benign)}  spans ${JSON.stringify(spanned)} of found ${JSON.stringify(result.spans_of_found)}`,
);
if (split === 'test') {
  console.log(`notinject ${JSON.stringify(rates(of('notinject')))}  mail ${JSON.stringify(rates(of('ben_llmail')))}`);
  if (!options.dry) {
    const figure = (value, unit) => ({ value, unit, command: 'npm run eval -- spans' });
    const recalls = ['agentdojo', 'agentdyn', 'injecagent', 'agentdojo_ja', 'cyberseceval', 'redteamcua'];
    writeFigures({
      ...Object.fromEntries(
        recalls.map((name) => [
          `spans.${name}.recall_fpr1`,
          figure(result.sources[name].recall_fpr1, 'share of attacked documents'),
        ]),
      ),
      'spans.notinject_fpr': figure(rates(of('notinject')).fpr1, 'share of benign prompts'),
      'spans.mail_fpr': figure(rates(of('ben_llmail')).fpr1, 'share of benign mails'),
      'spans.benign_fpr_shipped': figure(result.benign.shipped, 'share of benign documents'),
      'spans.iou': figure(spanned.iou, 'intersection over union'),
      'spans.payload_recall': figure(spanned.recall, 'share of injected characters'),
    });
  }
  result.peers = existsSync(peersFile) ? 'evals/results/peers.json' : undefined;
  if (existsSync(peersFile)) result.peers_measured = JSON.parse(readFileSync(peersFile, 'utf8')).measured;
}
if (!options.dry) writeResult(split === 'test' ? 'spans' : 'spans-dev', result);
