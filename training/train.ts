// From corpus and shared data to weights.ts and calibration.ts of @sallyport/classifier.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildLexicon } from '../packages/classifier/src/language/lexicon.ts';
import { buildVocabulary } from '../packages/classifier/src/model/feature-table.ts';
import {
  CLASSES_PREVIOUS,
  CLASSES_SELF,
  FORM,
  HEAD,
  HIDDEN,
  PREVIOUS,
  WHOLE,
} from '../packages/classifier/src/model/layout.ts';
import { loadModel, type Model } from '../packages/classifier/src/model/model.ts';
import { readCorpus } from './corpus.ts';
import { readSplit } from './document.ts';
import { assemble, type Sets } from './model/assemble.ts';
import { Average } from './model/average.ts';
import { exportModel } from './model/export.ts';
import type { Fitted } from './model/fit.ts';
import { readLexicon } from './model/lexicon.ts';
import { createNetwork, type Network } from './model/network.ts';
import { featuresOf, type Prepared, prepare } from './model/prepare.ts';
import { FeatureCounter } from './model/prune.ts';
import { Trainer } from './model/trainer.ts';
import { Random } from './random.ts';
import { REACH, SETTINGS } from './settings.ts';

export interface TrainOptions {
  readonly root: string;
  readonly data: string;
  /** Trains without our own corpus, without word classes or without context, to measure what each contributes. */
  readonly without?: 'corpus' | 'classes' | 'context';
  /** Trains without this part of the families of planted texts, so that they can be measured as unseen ones. */
  readonly leftOut?: number;
  readonly onProgress: (stage: string, done: number, all: number) => void;
}

export interface Trained {
  readonly weights: string;
  readonly digest: string;
  readonly bytes: number;
  readonly model: Model;
  readonly sets: Sets;
}

/** Sources that quote attacks. They get less weight, because likelihood.ts handles quotations. */
const ABOUT_ATTACKS = new Set([
  'own:mentions/en',
  'own:mentions/en2',
  'own:benign/about-attacks',
  'own:benign/about-attacks2',
  'ben_promptfoo_docs',
]);

function weightOf({ document }: Prepared): number {
  if (ABOUT_ATTACKS.has(document.source)) return SETTINGS.weights.mention;
  return document.source.startsWith('own:') ? SETTINGS.weights.own : SETTINGS.weights.shared;
}

/** The document with its segments read without their neighbours. */
function withoutContext(prepared: Prepared): Prepared {
  return { ...prepared, alone: true };
}

/** Rows that are never trained must not contribute. */
function forgetContext({ first }: Network): void {
  first.fill(0, PREVIOUS * HIDDEN, HEAD * HIDDEN);
  first.fill(0, WHOLE * HIDDEN, CLASSES_SELF * HIDDEN);
  first.fill(0, CLASSES_PREVIOUS * HIDDEN, FORM * HIDDEN);
}

/** The documents for training and for development. */
export function setsOf({ root, data, without, leftOut }: Omit<TrainOptions, 'onProgress'>): Sets {
  const items = readCorpus(join(root, 'training', 'corpus'));
  const shared = [...readSplit(data, 'train'), ...readSplit(data, 'dev')];
  return assemble(items, shared, { ...SETTINGS.assemble, corpus: without !== 'corpus', leftOut });
}

export function train(options: TrainOptions): Trained {
  const { root, without, onProgress } = options;
  const sets = setsOf(options);
  const entries = without === 'classes' ? [] : readLexicon(join(root, 'training', 'lexicon'));
  const lexicon = buildLexicon(entries);
  const counter = new FeatureCounter();
  for (const [index, document] of sets.train.entries()) {
    counter.add(featuresOf(document, lexicon));
    if (index % 500 === 0) onProgress('vocabulary', index, sets.train.length);
  }
  const chosen = counter.frequent(SETTINGS.minSegments, SETTINGS.maxFeatures);
  const vocabulary = buildVocabulary(chosen);
  const prepared = sets.train.map((document, index) => {
    if (index % 500 === 0) onProgress('features', index, sets.train.length);
    const ready = prepare(document, lexicon, vocabulary);
    return without === 'context' ? withoutContext(ready) : ready;
  });
  const network = createNetwork(new Random(SETTINGS.seed), vocabulary.size);
  if (without === 'context') forgetContext(network);
  const trainer = new Trainer(network);
  const random = new Random(SETTINGS.seed + 1);
  const average = new Average();
  for (let epoch = 0; epoch < SETTINGS.epochs; epoch++) {
    const learning = { ...SETTINGS.learning, rate: SETTINGS.learning.rate * (1 - epoch / SETTINGS.epochs) };
    for (const [index, each] of random.shuffle(prepared).entries()) {
      trainer.learn(each, weightOf(each), random, learning);
      if (epoch >= SETTINGS.averageFrom && index % SETTINGS.averageEvery === 0) average.add(network);
      if (index % 500 === 0) onProgress('epochs', epoch * prepared.length + index, SETTINGS.epochs * prepared.length);
    }
  }
  average.applyTo(network);
  const exported = exportModel(network, entries, chosen);
  return { ...exported, model: loadModel(exported.weights, exported.digest), sets };
}

/** The committed weights with the documents of development, to fit pooling and levels again without training. */
export function committed(options: Pick<TrainOptions, 'root' | 'data'>): Trained {
  const source = readFileSync(join(options.root, 'packages', 'classifier', 'src', 'model', 'weights.ts'), 'utf8');
  const weights = /'([A-Za-z0-9+/=]+)'/.exec(source)?.[1] ?? '';
  const digest = committedDigest(options.root);
  return { weights, digest, bytes: (weights.length * 3) / 4, model: loadModel(weights, digest), sets: setsOf(options) };
}

function literal(value: object): string {
  return JSON.stringify(value)
    .replace(/"(\w+)":/g, ' $1: ')
    .replaceAll(',', ', ')
    .replaceAll('  ', ' ')
    .replace('}', ' }');
}

export function writeModel(
  root: string,
  { weights, digest }: Trained,
  { thresholds, pooling, asks_level }: Fitted,
): void {
  const directory = join(root, 'packages', 'classifier', 'src');
  writeFileSync(
    join(directory, 'model', 'weights.ts'),
    `/** Made by \`npm run eval -- train\`. */\nexport const WEIGHTS: string =\n  '${weights}';\n`,
  );
  const calibration = `import type { Tuning } from './analyze.ts';
import type { Thresholds } from './likelihood.ts';

/** Made by \`npm run eval -- train\`, with the weights: levels at fixed rates of false alarms on sources kept back. */
export const CALIBRATION: Tuning & { readonly digest: string; readonly thresholds: Thresholds } = {
  digest: '${digest}',
  thresholds: ${literal(thresholds)},
  pooling: ${literal(pooling)},
  asks: ${asks_level},
  reach: ${literal(REACH)},
};
`;
  writeFileSync(join(directory, 'finding', 'calibration.ts'), calibration);
}

/** The digest the package is built with. */
export function committedDigest(root: string): string {
  const source = readFileSync(join(root, 'packages', 'classifier', 'src', 'finding', 'calibration.ts'), 'utf8');
  return /digest: '([0-9a-f]+)'/.exec(source)?.[1] ?? '';
}
