// Fits the pooling and the levels on documents of sources that were kept back, and measures there.
import { originalSpan, readView } from '@sallyport/decode';
import { highestOf, type ScoredLayer, scoreLayers } from '../../packages/classifier/src/finding/analyze.ts';
import type { Thresholds } from '../../packages/classifier/src/finding/likelihood.ts';
import type { Pooling } from '../../packages/classifier/src/finding/pool-scores.ts';
import { isAboutAttacks } from '../../packages/classifier/src/language/about-attacks.ts';
import type { Model } from '../../packages/classifier/src/model/model.ts';
import { Random } from '../random.ts';
import { type DevDocument, foldOf } from './assemble.ts';
import { shareAbove, thresholdFor } from './measure.ts';
import { asksOf } from './prepare.ts';

const RATES = { low: 0.01, medium: 0.005, high: 0.001 } as const;
const FPR = 0.01;
const NEIGHBOURS = [0, 0.1, 0.2, 0.3, 0.5];
const CHANCES = [0.25, 0.5, 0.75, 1];
const RESAMPLES = 200;

export interface Fitted {
  readonly pooling: Pooling;
  readonly thresholds: Thresholds;
  readonly asks_level: number;
}

interface Scored {
  readonly document: DevDocument;
  readonly layers: readonly ScoredLayer[];
}

interface Point {
  readonly document: DevDocument;
  readonly score: number;
}

function isBenign({ injected, source }: DevDocument): boolean {
  return !injected && !source.startsWith('own:mentions');
}

function addresses({ injected, claim }: DevDocument): boolean {
  return injected && claim !== 'asks';
}

function scoresOf(points: readonly Point[], isWanted: (document: DevDocument) => boolean): number[] {
  return points.filter(({ document }) => isWanted(document)).map(({ score }) => score);
}

function recallAt(points: readonly Point[], rate: number): number {
  return shareAbove(scoresOf(points, addresses), thresholdFor(scoresOf(points, isBenign), rate));
}

/** The middle 95 % of the recall over resampled documents. */
function intervalOf(points: readonly Point[], rate: number): readonly [number, number] {
  const random = new Random(5);
  const [benign, attacks] = [scoresOf(points, isBenign), scoresOf(points, addresses)];
  const again = (scores: readonly number[]) => scores.map(() => scores[random.below(scores.length)] as number);
  const recalls = Array.from({ length: RESAMPLES }, () =>
    shareAbove(again(attacks), thresholdFor(again(benign), rate)),
  );
  recalls.sort((one, other) => one - other);
  return [recalls[Math.floor(RESAMPLES * 0.025)] as number, recalls[Math.floor(RESAMPLES * 0.975)] as number];
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function scoreAll(
  model: Model,
  documents: readonly DevDocument[],
  onProgress: (stage: string, done: number, all: number) => void,
): Scored[] {
  return documents.map((document, index) => {
    if (index % 200 === 0) onProgress('dev', index, documents.length);
    const layers = scoreLayers(model, readView(document.text), isAboutAttacks(document.text));
    return { document, layers };
  });
}

function pointsAt(scored: readonly Scored[], pooling: Pooling): Point[] {
  return scored.map(({ document, layers }) => ({ document, score: highestOf(layers, pooling) }));
}

function bestPooling(scored: readonly Scored[]): Pooling {
  const candidates = NEIGHBOURS.flatMap((neighbours) => CHANCES.map((chance) => ({ neighbours, chance })));
  const recalls = candidates.map((pooling) => recallAt(pointsAt(scored, pooling), FPR));
  return candidates[recalls.indexOf(Math.max(...recalls))] as Pooling;
}

/** The share of requests that the model must not rule out. */
const NOT_RULED_OUT = 0.99;

/** The level of what asks: below it nothing does. */
function fitAsks(scored: readonly Scored[]) {
  const asking: number[] = [];
  const others: number[] = [];
  for (const { document, layers } of scored) {
    if (document.format !== 'plain') continue;
    const [{ layer, text, segments, asks }] = layers as [ScoredLayer];
    for (let i = 0; i < segments.count; i++) {
      const [from, to] = [segments.starts[i] as number, segments.ends[i] as number];
      const { start, end } = originalSpan(layer, from, to);
      const label = asksOf(document, start, end, text.slice(from, to));
      if (label >= 0) (label === 1 ? asking : others).push(asks[i] as number);
    }
  }
  asking.sort((one, other) => one - other);
  const level = Math.floor((asking[Math.floor(asking.length * (1 - NOT_RULED_OUT))] as number) * 100) / 100;
  const [found, wrong] = [asking, others].map((all) => all.filter((score) => score >= level).length) as [
    number,
    number,
  ];
  return {
    level,
    segments: asking.length,
    others: others.length,
    recall: round(found / asking.length),
    precision: round(found / Math.max(1, found + wrong)),
  };
}

function table(
  points: readonly Point[],
  keyOf: (document: DevDocument) => string | undefined,
  thresholds: readonly number[],
) {
  const groups = new Map<string, number[]>();
  for (const { document, score } of points) {
    const key = keyOf(document);
    if (key !== undefined) groups.set(key, [...(groups.get(key) ?? []), score]);
  }
  return Object.fromEntries(
    [...groups]
      .sort()
      .map(([key, scores]) => [
        key,
        { documents: scores.length, above: thresholds.map((threshold) => round(shareAbove(scores, threshold))) },
      ]),
  );
}

/** Fits pooling and levels; returns them with the figures of development. */
export function fitModel(
  model: Model,
  documents: readonly DevDocument[],
  onProgress: (stage: string, done: number, all: number) => void,
  given?: Pooling,
) {
  const scored = scoreAll(model, documents, onProgress);
  const pooling = given ?? bestPooling(scored);
  const points = pointsAt(scored, pooling);
  const benign = scoresOf(points, isBenign);
  const at = (rate: number): number => Math.ceil(thresholdFor(benign, rate) * 1000) / 1000;
  const thresholds = { low: at(RATES.low), medium: at(RATES.medium), high: at(RATES.high) };
  const one = at(FPR);
  const levels = [one, thresholds.low, thresholds.medium, thresholds.high];
  const sourceOf = ({ source }: DevDocument) =>
    source.replace(/^own:/, '').replace(/\/(\w\w)(?:-latn)?-\w+$/, '/other languages');
  const of = (claim: string, keyOf: (document: DevDocument) => string) => (document: DevDocument) =>
    document.injected && (document.claim ?? 'addresses') === claim ? keyOf(document) : undefined;
  const asking = fitAsks(scored);
  return {
    pooling,
    thresholds,
    asks_level: asking.level,
    asking,
    threshold_fpr1: one,
    documents: { benign: benign.length, attacks: points.length - benign.length },
    addresses: {
      recall_fpr1: round(recallAt(points, FPR)),
      interval: intervalOf(points, FPR).map(round),
      by_source: table(points, of('addresses', sourceOf), levels),
      by_format: table(
        points,
        of('addresses', ({ format }) => format),
        levels,
      ),
      by_language: table(
        points,
        of('addresses', ({ lang }) => lang),
        levels,
      ),
      by_family: table(
        points,
        of('addresses', ({ family }) => family ?? 'other'),
        levels,
      ),
    },
    asks: table(points, of('asks', sourceOf), levels),
    benign: {
      by_source: table(points, (document) => (isBenign(document) ? sourceOf(document) : undefined), levels),
      by_format: table(points, (document) => (isBenign(document) ? document.format : undefined), levels),
    },
  };
}

/** How many attacks of each family are found at 1 % false alarms, by a model that was trained without the family. */
export interface FamilyResult {
  readonly threshold: number;
  readonly families: Readonly<Record<string, { readonly attacks: number; readonly found: number }>>;
}

/** Measures the planted texts of one part of the families, as they were written. The pooling is fitted on the same documents. */
export function measureFamilies(
  model: Model,
  documents: readonly DevDocument[],
  part: number,
  onProgress: (stage: string, done: number, all: number) => void,
): FamilyResult {
  const plain = documents.filter(({ format }) => format === 'plain');
  const scored = scoreAll(model, plain, onProgress);
  const points = pointsAt(scored, bestPooling(scored));
  const threshold = thresholdFor(scoresOf(points, isBenign), FPR);
  const families: Record<string, { attacks: number; found: number }> = {};
  for (const { document, score } of points) {
    if (!addresses(document) || document.family === undefined || foldOf(document.family) !== part) continue;
    families[document.family] ??= { attacks: 0, found: 0 };
    const family = families[document.family] as { attacks: number; found: number };
    family.attacks++;
    if (score > threshold) family.found++;
  }
  return { threshold: round(threshold), families };
}

/** All parts together: each family counts once, by the model that never saw it. */
export function summarize(results: readonly FamilyResult[]) {
  const families = Object.fromEntries(
    results.flatMap((each) => Object.entries(each.families)).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
  const sum = (key: 'attacks' | 'found') => Object.values(families).reduce((all, each) => all + each[key], 0);
  return { recall: round(sum('found') / sum('attacks')), attacks: sum('attacks'), found: sum('found'), families };
}
