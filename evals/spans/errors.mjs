// Prints the errors of the classifier, for a person to read and sort.
import { fail, readOptions } from '../../tools/command.mjs';
import { loadClassifier } from './classifier.mjs';
import { thresholdFor } from './figures.mjs';
import { data, isPooled, readRecords } from './records.mjs';

const options = readOptions(
  `
Prints missed attacks and false alarms at the point where 1 % of the pooled benign documents are flagged, spread over the
sources. Texts of the data sets go to the terminal only; nothing is written.

  npm run eval -- errors  fifty of each, of the test split
  npm run eval -- errors --split dev --count 10
`,
  { split: { type: 'string' }, count: { type: 'string' } },
);

const count = Number(options.count ?? 50);
if (!Number.isSafeInteger(count) || count < 1)
  fail(`--count must be a whole number of at least 1; received ${options.count}`, 'use --count 50', 2);
const records = readRecords(options.split ?? 'test');
if (records.length === 0) fail(`${data} has no records`, 'see evals/spans/README.md for their sources', 2);
const [{ analyze }, { loadModel }, { WEIGHTS }, { CALIBRATION }] = await loadClassifier(
  'finding/analyze',
  'model/model',
  'model/weights',
  'finding/calibration',
);
const model = loadModel(WEIGHTS, CALIBRATION.digest);
for (const record of records) Object.assign(record, analyze(model, record.text, Number.NEGATIVE_INFINITY, CALIBRATION));

const benign = records.filter(isPooled);
const threshold = thresholdFor(
  benign.map(({ highest }) => highest),
  0.01,
);

/** Every nth, so that all sources are included. */
function spread(group) {
  const step = Math.max(1, Math.floor(group.length / count));
  return group.filter((_, index) => index % step === 0).slice(0, count);
}

const oneLine = (text) => text.replace(/\s+/g, ' ').slice(0, 260);
const misses = records.filter(({ injected, highest }) => injected && highest <= threshold);
console.log(`# ${misses.length} missed; ${count} of them`);
for (const { source, attack, text, spans, highest } of spread(misses)) {
  const [span] = spans;
  console.log(
    `${highest.toFixed(1)} ${source}:${attack ?? ''} | ${oneLine(span ? text.slice(span.start, span.end) : text)}`,
  );
}
const alarms = records.filter(({ injected, highest }) => !injected && highest > threshold);
console.log(`# ${alarms.length} false alarms; ${count} of them`);
for (const { source, text, findings, highest } of spread(alarms)) {
  const top = findings.reduce((one, other) => (other.score > one.score ? other : one));
  console.log(`${highest.toFixed(1)} ${source} | ${oneLine(text.slice(top.start, top.end))}`);
}
