// From corpus and shared data to weights.ts and calibration.ts of @sallyport/classifier.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyze } from '../packages/classifier/src/finding/analyze.ts';
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
import { type Document, readSplit } from './document.ts';
import { assemble, type Sets } from './model/assemble.ts';
import { Average } from './model/average.ts';
import { calibrate, measureSpans, tagTable } from './model/calibrate.ts';
import { exportModel } from './model/export.ts';
import { readLexicon } from './model/lexicon.ts';
import { shareAbove } from './model/measure.ts';
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
  /** Trains without this half of the benign sources, so that the model can be measured on unseen sources. */
  readonly unseen?: Half;
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

export type Half = 0 | 1;

function halfOf(source: string): Half {
  let hash = 3;
  for (let i = 0; i < source.length; i++) hash = Math.imul(hash ^ source.charCodeAt(i), 0x01000193);
  return ((hash >>> 9) & 1) as Half;
}

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

export function train({ root, data, without, unseen, onProgress }: TrainOptions): Trained {
  const items = without === 'corpus' ? [] : readCorpus(join(root, 'training', 'corpus'));
  const shared = readSplit(data, 'train');
  const sets = assemble(
    items.filter(({ kind, brief, lang }) => kind !== 'benign' || lang !== 'en' || halfOf(`own:${brief}`) !== unseen),
    shared.filter(({ injected, source, lang }) => injected || lang !== 'en' || halfOf(source) !== unseen),
    readSplit(data, 'dev'),
    { ...SETTINGS.assemble, corpus: without !== 'corpus' },
  );
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
    const options = { ...SETTINGS.learning, rate: SETTINGS.learning.rate * (1 - epoch / SETTINGS.epochs) };
    for (const [index, each] of random.shuffle(prepared).entries()) {
      trainer.learn(each, weightOf(each), random, options);
      if (epoch > 0 && index % SETTINGS.averageEvery === 0) average.add(network);
      if (index % 500 === 0) onProgress('epochs', epoch * prepared.length + index, SETTINGS.epochs * prepared.length);
    }
  }
  average.applyTo(network);
  const exported = exportModel(network, entries, chosen);
  return { ...exported, model: loadModel(exported.weights, exported.digest), sets };
}

/** The committed weights with the documents for calibration, to set the levels again without training. */
export function committed({ root, data }: Pick<TrainOptions, 'root' | 'data'>): Trained {
  const source = readFileSync(join(root, 'packages', 'classifier', 'src', 'model', 'weights.ts'), 'utf8');
  const weights = /'([A-Za-z0-9+/=]+)'/.exec(source)?.[1] ?? '';
  const digest = committedDigest(root);
  const items = readCorpus(join(root, 'training', 'corpus'));
  const sets = assemble(items, readSplit(data, 'train'), readSplit(data, 'dev'), {
    ...SETTINGS.assemble,
    corpus: true,
  });
  return { weights, digest, bytes: (weights.length * 3) / 4, model: loadModel(weights, digest), sets };
}

function groupOf({ source, injected }: Document): string {
  if (!injected && source.startsWith('ben_')) return 'ben_*';
  return source.replace(/^own:/, '');
}

function isOrdinary({ injected, source }: Document): boolean {
  return !injected && !source.startsWith('own:mentions');
}

/**
 * Levels, and their results on the held-back documents. A benign document is scored by the model that was trained without its
 * source, because users have documents from new sources. Only English has enough sources to be halved: without its only benign
 * source, every text of a language would look like an attack.
 */
export function calibrated(
  { model, sets }: Trained,
  halfModels: Readonly<Record<Half, Model>>,
  onProgress: TrainOptions['onProgress'],
) {
  const highest = sets.dev.map((document, index) => {
    if (index % 200 === 0) onProgress('dev', index, sets.dev.length);
    const scorer = document.injected || document.lang !== 'en' ? model : halfModels[halfOf(document.source)];
    return analyze(scorer, document.text, Number.POSITIVE_INFINITY, REACH).highest;
  });
  // Documents that quote attacks are left out: likelihood.ts caps them, and they must not set the levels of other documents.
  const benign = highest.filter((_, index) => isOrdinary(sets.dev[index] as Document));
  const thresholds = calibrate(benign);
  const groups = new Map<string, { injected: number[]; benign: number[] }>();
  for (const [index, document] of sets.dev.entries()) {
    const group = groups.get(groupOf(document)) ?? { injected: [], benign: [] };
    (document.injected ? group.injected : group.benign).push(highest[index] as number);
    groups.set(groupOf(document), group);
  }
  const round = (value: number): number => Math.round(value * 1000) / 1000;
  const rates = (scores: readonly number[]) => ({
    documents: scores.length,
    low: round(shareAbove(scores, thresholds.low)),
    medium: round(shareAbove(scores, thresholds.medium)),
    high: round(shareAbove(scores, thresholds.high)),
  });
  const own = sets.dev.filter(({ source }) => source.startsWith('own:'));
  return {
    thresholds,
    injected: Object.fromEntries(
      [...groups]
        .filter(([, { injected }]) => injected.length > 0)
        .map(([name, { injected }]) => [name, rates(injected)]),
    ),
    benign: Object.fromEntries(
      [...groups].filter(([, group]) => group.benign.length > 0).map(([name, group]) => [name, rates(group.benign)]),
    ),
    spans: {
      own: measureSpans(model, own, thresholds.medium, REACH),
      shared: measureSpans(
        model,
        sets.dev.filter(({ source }) => !source.startsWith('own:')),
        thresholds.medium,
        REACH,
      ),
    },
    tags: tagTable(model, own, thresholds.medium, REACH),
  };
}

export function writeModel(root: string, { weights, digest }: Trained, thresholds: object): void {
  const directory = join(root, 'packages', 'classifier', 'src');
  mkdirSync(directory, { recursive: true });
  writeFileSync(
    join(directory, 'model', 'weights.ts'),
    `/** Made by \`npm run eval -- train\`. */\nexport const WEIGHTS: string =\n  '${weights}';\n`,
  );
  const calibration = `import type { Thresholds } from './likelihood.ts';
import type { Reach } from './findings.ts';

/** Made by \`npm run eval -- train\`, with the weights: levels at fixed rates of false alarms on documents kept back. */
export const CALIBRATION: { readonly digest: string; readonly thresholds: Thresholds; readonly reach: Reach } = {
  digest: '${digest}',
  thresholds: ${JSON.stringify(thresholds).replaceAll('"', '').replaceAll(',', ', ').replaceAll(':', ': ').replace('{', '{ ').replace('}', ' }')},
  reach: { outside: ${REACH.outside}, inside: ${REACH.inside} },
};
`;
  writeFileSync(join(directory, 'finding', 'calibration.ts'), calibration);
}

/** The digest the package is built with. */
export function committedDigest(root: string): string {
  const source = readFileSync(join(root, 'packages', 'classifier', 'src', 'finding', 'calibration.ts'), 'utf8');
  return /digest: '([0-9a-f]+)'/.exec(source)?.[1] ?? '';
}
