// Measures what each part of the classifier contributes: the same training without it, measured in the same way.
import { endProgress, fail, progress, readOptions, root } from '../../tools/command.mjs';
import { writeResult } from '../../tools/figures.mjs';
import { buildTraining } from '../../training/build.mjs';
import { groupBy, shareAbove, thresholdFor } from './figures.mjs';
import { data, isPooled, readRecords } from './records.mjs';

const options = readOptions(
  `
Trains the classifier without our own corpus, without word classes and without neighbours, reads with the committed one
without rules and without the view, and measures each on dev and test. Nothing is chosen by the outcome. Some ten minutes.

  npm run eval -- ablation
  npm run eval -- ablation --dry  write nothing
`,
  { dry: { type: 'boolean' } },
);

const load = await buildTraining();
const source = ['packages', 'classifier', 'src'];
const { train, committed } = await load('training', 'train');
const { analyze } = await load(...source, 'finding', 'analyze');
const { readView } = await import('@sallyport/core/text');
const { segment } = await load(...source, 'language', 'segments');
const { readFeatures } = await load(...source, 'model', 'features');
const { score } = await load(...source, 'model', 'network');

const splits = { dev: readRecords('dev'), test: readRecords('test') };
if (splits.test.length === 0) fail(`${data} has no records`, 'see evals/spans/README.md for their sources', 2);
const REACH = { outside: 0, inside: 0 };

const withView = (model, text) => analyze(model, text, Number.POSITIVE_INFINITY, REACH).highest;

/** The findings of the network alone. */
function highestIn(model, text, hidden) {
  const segments = segment(text, hidden);
  const { scores } = score(model, segments, readFeatures(text, segments, model.lexicon));
  return scores.reduce((highest, value) => Math.max(highest, value), Number.NEGATIVE_INFINITY);
}

/** The raw text, segmented and scored without decoding. */
const withoutView = (model, text) => highestIn(model, text, []);

/** All layers, but without the rules for override phrases and for texts about attacks. */
function withoutRules(model, text) {
  const { layers, hidden } = readView(text);
  return Math.max(...layers.map(({ kind, text: layer }) => highestIn(model, layer, kind === 'plain' ? hidden : [])));
}

function measure(model, highestOf) {
  return Object.fromEntries(
    Object.entries(splits).map(([split, records]) => {
      const scored = records.map((record) => ({ ...record, highest: highestOf(model, record.text) }));
      const benign = scored.filter(isPooled);
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
    progress(`without ${without}: ${stage} ${Math.floor((done / all) * 100)} %`);
  };
  const { model } = train({ root, data, without, onProgress });
  endProgress();
  return model;
}

const { model: whole } = committed({ root, data });
const result = {
  whole: measure(whole, withView),
  'without the view and rules': measure(whole, withoutView),
  'without rules': measure(whole, withoutRules),
  'without our corpus': measure(trained('corpus'), withView),
  'without word classes': measure(trained('classes'), withView),
  'without neighbours': measure(trained('context'), withView),
};
for (const [name, { dev, test }] of Object.entries(result))
  console.log(`${name.padEnd(26)} recall at 1 %: dev ${dev.recall_fpr1}  test ${test.recall_fpr1}`);
if (!options.dry) writeResult('ablation', { variants: result });
