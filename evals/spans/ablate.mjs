// Measures what each part of the classifier contributes: the same training without it, measured in the same way.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { endProgress, fail, occasionalProgress, readOptions, root } from '../../tools/command.mjs';
import { writeResult } from '../../tools/figures.mjs';
import { buildTraining } from '../../training/build.mjs';
import { data } from './records.mjs';

const options = readOptions(
  `
Trains the classifier without our own corpus, without word classes and without neighbours, and measures each on the documents
that are kept back from training. Test sources are not read. Some twenty minutes.

  npm run eval -- ablation
  npm run eval -- ablation --dry  write nothing
`,
  { dry: { type: 'boolean' } },
);

if (!existsSync(join(data, 'bipia.jsonl')))
  fail(`${data} has no records`, 'see evals/spans/README.md for their sources', 2);
const load = await buildTraining();
const { train, committed } = await load('training', 'train');
const { fitModel } = await load('training', 'model', 'fit');
const show = occasionalProgress();

/** Recall of attacks that address the model at 1 %, with the pooling that suits the variant best. */
function measure(name, { model, sets }) {
  const onProgress = (stage, done, all) => show(`${name}: ${stage} ${Math.floor((100 * done) / all)} %`);
  const { recall_fpr1, interval } = fitModel(model, sets.dev, onProgress).addresses;
  endProgress();
  return { recall_fpr1, interval };
}

const without = (part) =>
  train({
    root,
    data,
    without: part,
    onProgress: (stage, done, all) => show(`without ${part}: ${stage} ${Math.floor((100 * done) / all)} %`),
  });
const result = {
  whole: measure('whole', committed({ root, data })),
  'without our corpus': measure('without our corpus', without('corpus')),
  'without word classes': measure('without word classes', without('classes')),
  'without neighbours': measure('without neighbours', without('context')),
};
for (const [name, { recall_fpr1, interval }] of Object.entries(result))
  console.log(`${name.padEnd(22)} recall at 1 %: ${recall_fpr1} [${interval}]`);
if (!options.dry) writeResult('ablation', { variants: result });
