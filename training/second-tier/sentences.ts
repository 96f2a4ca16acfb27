// The sentences from which the head of the second tier learns, and the documents on which it is measured: only what leaves the
// first tier in doubt, because only that is read by the second.

import { join } from 'node:path';
import { readView } from '@sallyport/decode';
import { highestOf, type ScoredLayer, scoreLayers } from '../../packages/classifier/src/finding/analyze.ts';
import { CALIBRATION } from '../../packages/classifier/src/finding/calibration.ts';
import { isAboutAttacks } from '../../packages/classifier/src/language/about-attacks.ts';
import type { Model } from '../../packages/classifier/src/model/model.ts';
import { Composer } from '../compose/compose.ts';
import { type Item, readCorpus } from '../corpus.ts';
import type { Document } from '../document.ts';
import { type DevDocument, foldOf, isDev, type Sets } from '../model/assemble.ts';
import { prepare } from '../model/prepare.ts';
import { Random } from '../random.ts';

/** The first tier's log odds above which a sentence is read: nine in ten of harmless ones are below. */
export const DOUBT = -6;

/** The first tier's lowest level: every text with a finding of the first tier must be read by the second. */
export const LOWEST_LEVEL: number = CALIBRATION.thresholds.low;

const SEED = 77;
const MAX_LENGTH = 4000;
/** Documents of each kind of source: embedding all of them would take an hour. */
const ATTACKS = { own: 900, shared: 250, otherLanguages: 250 } as const;
const BENIGN = { shared: 500, mentions: 150 } as const;

interface Sentence {
  readonly text: string;
  /** 1 if it addresses the model, otherwise 0. */
  readonly label: number;
}

interface MeasuredDocument {
  /** `kept-back` are attacks of other sources that neither tier learned from; the weight is chosen on them. */
  readonly kind: 'benign' | 'kept-back' | 'family';
  readonly english: boolean;
  readonly family: string;
  readonly length: number;
  readonly layers: readonly ScoredLayer[];
}

function isEnglish({ lang }: { readonly lang: string }): boolean {
  return lang === 'en';
}

/** The documents for the head, none of which is of the first part of the families or of the part left out. */
function documentsFor(root: string, sets: Sets, leftOut: number): Document[] {
  const items = readCorpus(join(root, 'training', 'corpus')).filter((item) => !isDev(item));
  const of = (kind: Item['kind']) => items.filter((item) => item.kind === kind);
  const random = new Random(SEED);
  const composer = new Composer(random, {
    ...{ injections: of('injection'), wrappers: of('wrapper'), benign: of('benign'), mentions: of('mention') },
    hosts: [],
  });
  const some = <T>(all: readonly T[], count: number): T[] => random.shuffle(all).slice(0, count);
  const others = sets.train.filter(({ family, text }) => family === undefined && text.length <= MAX_LENGTH);
  const attacks = others.filter(({ injected, claim }) => injected && claim !== 'asks');
  const isOwn = ({ source }: Document) => source.startsWith('own:');
  const planted = of('planted').map((item) => composer.asWritten(item));
  return [
    ...planted.filter(({ family }) => foldOf(family as string) !== leftOut),
    ...some(
      attacks.filter((each) => isOwn(each) && isEnglish(each)),
      ATTACKS.own,
    ),
    ...some(
      attacks.filter((each) => !isOwn(each) && isEnglish(each)),
      ATTACKS.shared,
    ),
    ...some(
      attacks.filter((each) => !isEnglish(each)),
      ATTACKS.otherLanguages,
    ),
    ...of('benign').map((item) => composer.asItIs(item)),
    ...some(
      others.filter((each) => !each.injected && !isOwn(each)),
      BENIGN.shared,
    ),
    ...some(of('mention'), BENIGN.mentions).map((item) => composer.mention(item)),
  ];
}

/** The score of a text, as the classifier pools it. */
export function pooledScore(layers: readonly ScoredLayer[]): number {
  return highestOf(layers, CALIBRATION.pooling);
}

function layersOf(model: Model, { text }: Document): ScoredLayer[] {
  return scoreLayers(model, readView(text), isAboutAttacks(text));
}

/** The labelled sentences in doubt of the documents for the head. */
export function sentencesFor(root: string, sets: Sets, model: Model, leftOut: number): Sentence[] {
  return documentsFor(root, sets, leftOut).flatMap((document) => {
    const { labels } = prepare(document, model.lexicon, model.vocabulary);
    const [{ text, segments, scores }] = layersOf(model, document) as [ScoredLayer];
    return Array.from(labels, (label, at) => ({
      text: text.slice(segments.starts[at], segments.ends[at]),
      label,
    })).filter(({ label }, at) => label >= 0 && (scores[at] as number) > DOUBT);
  });
}

function kindOf({ injected, claim, family, source }: DevDocument, part: number): MeasuredDocument['kind'] | undefined {
  if (!injected) return source.startsWith('own:mentions') ? undefined : 'benign';
  if (claim === 'asks') return undefined;
  if (family === undefined) return 'kept-back';
  return foldOf(family) === part ? 'family' : undefined;
}

/** The documents of development, as they were written. */
export function measuredDocuments(sets: Sets, model: Model, part: number): MeasuredDocument[] {
  return sets.dev.flatMap((document) => {
    const kind = document.format === 'plain' ? kindOf(document, part) : undefined;
    if (kind === undefined) return [];
    const { text, family = '' } = document;
    return [{ kind, english: isEnglish(document), family, length: text.length, layers: layersOf(model, document) }];
  });
}
