// Trains the span classifier, and writes two source files of @sallyport/classifier.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { endProgress, fail, occasionalProgress, readOptions, root } from '../tools/command.mjs';
import { writeFigures, writeResult } from '../tools/figures.mjs';
import { buildTraining } from './build.mjs';

const options = readOptions(
  `
Trains the span classifier from training/corpus and ../shared/data/spans, and writes packages/classifier/src/model/weights.ts
and calibration.ts, evals/results/training.json and the figure spans.model_kb. Seeded: the same data give the same bytes.

  npm run eval -- train             takes some minutes on two cores
  npm run eval -- train --levels    keep the weights, and fit the pooling and the levels again
  npm run eval -- train --families  how many attacks are found whose families are kept back from training;
                                    writes evals/results/families.json and its figure
  npm run eval -- train --families --part 2  train again without another part of the families; prints, writes nothing
  npm run eval -- train --check     train, write nothing, exit 1 when the committed weights differ
`,
  {
    check: { type: 'boolean' },
    levels: { type: 'boolean' },
    families: { type: 'boolean' },
    part: { type: 'string' },
  },
);

const load = await buildTraining();
const { train, committed, writeModel, committedDigest } = await load('training', 'train');
const { fitModel, measureFamilies, summarize } = await load('training', 'model', 'fit');

const data = join(root, '..', 'shared', 'data', 'spans');
const started = Date.now();
const show = occasionalProgress();

function onProgress(stage, done, all) {
  const bar = '#'.repeat(Math.floor((done / all) * 30)).padEnd(30, '.');
  const seconds = Math.round((Date.now() - started) / 1000);
  show(`${stage.padEnd(10)} [${bar}] ${Math.floor((done / all) * 100)} %, ${seconds} s`);
}

if (!existsSync(data)) fail(`${data} does not exist`, 'see evals/spans/README.md for its sources', 2);

/** The committed model knows no family of the first part. A model that knows none of another part is trained first. */
function measureParts() {
  const part = Number(options.part ?? 0);
  const trained = part === 0 ? committed({ root, data }) : train({ root, data, leftOut: part, onProgress });
  const { recall, ...rest } = summarize([measureFamilies(trained.model, trained.sets.dev, part, onProgress)]);
  endProgress();
  const families = Object.keys(rest.families).length;
  console.log(`part ${part}: ${rest.found} of ${rest.attacks} attacks of ${families} families are found, ${recall}`);
  if (part !== 0) return;
  writeResult('families', { digest: committedDigest(root), recall, ...rest });
  writeFigures({
    'spans.addresses.left_out_families.recall_fpr1': {
      value: recall,
      unit: 'share of attacks of families that training never saw',
      command: 'npm run eval -- train --families',
    },
  });
}

function trainModel() {
  const trained = options.levels ? committed({ root, data }) : train({ root, data, onProgress });
  endProgress();
  if (options.check) {
    if (committedDigest(root) !== trained.digest)
      fail(
        `trained ${trained.digest}, committed ${committedDigest(root)}`,
        'run npm run eval -- train and commit the result',
      );
    return console.log('OK - the committed weights match the data');
  }
  const result = fitModel(trained.model, trained.sets.dev, onProgress);
  endProgress();
  writeModel(root, trained, result);
  const seconds = Math.round((Date.now() - started) / 1000);
  const kilobytes = Math.round(trained.weights.length / 102.4) / 10;
  writeResult('training', { digest: trained.digest, kilobytes, documents: trained.sets.train.length, ...result });
  writeFigures({ 'spans.model_kb': { value: kilobytes, unit: 'KB of text', command: 'npm run eval -- train' } });
  console.log(`OK - ${kilobytes} KB of weights in ${seconds} s, levels from ${JSON.stringify(result.thresholds)}`);
}

if (options.families) measureParts();
else trainModel();
