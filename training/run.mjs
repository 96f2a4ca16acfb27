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

  npm run eval -- train           takes some minutes on two cores
  npm run eval -- train --levels  keep the weights and set the levels again, with two models that each lack half of the sources
  npm run eval -- train --check   train, write nothing, exit 1 when the committed weights differ
`,
  { check: { type: 'boolean' }, levels: { type: 'boolean' } },
);

const load = await buildTraining();
const { train, calibrated, committed, writeModel, committedDigest } = await load('training', 'train');

const data = join(root, '..', 'shared', 'data', 'spans');
const started = Date.now();
const show = occasionalProgress();

function onProgress(stage, done, all) {
  const bar = '#'.repeat(Math.floor((done / all) * 30)).padEnd(30, '.');
  const seconds = Math.round((Date.now() - started) / 1000);
  show(`${stage.padEnd(10)} [${bar}] ${Math.floor((done / all) * 100)} %, ${seconds} s`);
}

if (!existsSync(data)) fail(`${data} does not exist`, 'see evals/spans/README.md for its sources', 2);
const trained = options.levels ? committed({ root, data }) : train({ root, data, onProgress });
endProgress();
if (options.check) {
  if (committedDigest(root) !== trained.digest)
    fail(
      `trained ${trained.digest}, committed ${committedDigest(root)}`,
      'run npm run eval -- train and commit the result',
    );
  console.log('OK - the committed weights match the data');
} else {
  const halfModels = [0, 1].map((unseen) => train({ root, data, unseen, onProgress }).model);
  const result = calibrated(trained, halfModels, onProgress);
  endProgress();
  writeModel(root, trained, result.thresholds);
  const seconds = Math.round((Date.now() - started) / 1000);
  const kilobytes = Math.round(trained.weights.length / 102.4) / 10;
  const documents = trained.sets.train.length;
  writeResult('training', { digest: trained.digest, kilobytes, documents, ...result });
  writeFigures({ 'spans.model_kb': { value: kilobytes, unit: 'KB of text', command: 'npm run eval -- train' } });
  console.log(`OK - ${kilobytes} KB of weights in ${seconds} s, levels from ${JSON.stringify(result.thresholds)}`);
}
