// What each part of the classifier is worth: the same training without it, measured in the same way.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { endProgress, fail, progress, readOptions, root, runNode } from '../../tools/command.mjs';
import { writeResult } from '../../tools/figures.mjs';
import { groupBy, shareAbove, thresholdFor } from './figures.mjs';
import { data, readRecords } from './records.mjs';

const options = readOptions(
  `
Trains the classifier without our own corpus, without word classes and without neighbours, and reads with it without the
view, and measures each on dev and test. Nothing is chosen by the outcome. Some ten minutes.

  npm run eval:ablation
  npm run eval:ablation -- --dry     write nothing
`,
  { dry: { type: 'boolean' } },
);

const built = await runNode('node_modules/typescript/bin/tsc', ['-p', 'training/tsconfig.json']);
if (built.code !== 0) fail(`the training does not compile:\n${built.output}`, 'run npm run typecheck');
const load = (...path) => import(pathToFileURL(join(root, '.train', ...path)).href);
const source = ['packages', 'classifier', 'src'];
const { train } = await load('training', 'train.js');
const { analyze } = await load(...source, 'analyze.js');
const { segment } = await load(...source, 'segment.js');
const { readFeatures } = await load(...source, 'feature.js');
const { score } = await load(...source, 'score.js');

const splits = { dev: readRecords('dev'), test: readRecords('test') };
if (splits.test.length === 0) fail(`${data} holds no records`, 'see evals/spans/README.md for where they come from', 2);
const REACH = { outside: 0, inside: 0 };
const APART = new Set(['notinject', 'authensor']);

const withView = (model, text) => analyze(model, text, Number.POSITIVE_INFINITY, REACH).highest;

/** The raw text, cut and scored as it stands. */
function withoutView(model, text) {
  const segments = segment(text, []);
  const { scores } = score(model, segments, readFeatures(text, segments, model.lexicon));
  return scores.reduce((highest, value) => Math.max(highest, value), Number.NEGATIVE_INFINITY);
}

function measure(model, highestOf) {
  return Object.fromEntries(
    Object.entries(splits).map(([split, records]) => {
      const scored = records.map((record) => ({ ...record, highest: highestOf(model, record.text) }));
      const benign = scored.filter(({ injected, source: from }) => !injected && !APART.has(from));
      const threshold = thresholdFor(
        benign.map(({ highest }) => highest),
        0.01,
      );
      const injected = scored.filter((record) => record.injected);
      const recall = groupBy(injected, ({ source: from }) => from).map(([name, group]) => [
        name,
        shareAbove(group, threshold),
      ]);
      return [split, { recall_fpr1: shareAbove(injected, threshold), by_source: Object.fromEntries(recall) }];
    }),
  );
}

function trained(without) {
  let shown = 0;
  const onProgress = (stage, done, all) => {
    if (Date.now() - shown < (process.stdout.isTTY ? 200 : 30_000)) return;
    shown = Date.now();
    progress(`${without ?? 'whole'}: ${stage} ${Math.floor((done / all) * 100)} %`);
  };
  const { model } = train({ root, data, without, onProgress });
  endProgress();
  return model;
}

const whole = trained(undefined);
const result = {
  whole: measure(whole, withView),
  'without the view': measure(whole, withoutView),
  'without our corpus': measure(trained('corpus'), withView),
  'without word classes': measure(trained('classes'), withView),
  'without neighbours': measure(trained('context'), withView),
};
for (const [name, { dev, test }] of Object.entries(result))
  console.log(`${name.padEnd(22)} recall at 1 %: dev ${dev.recall_fpr1}  test ${test.recall_fpr1}`);
if (!options.dry) writeResult('ablation', { variants: result });
