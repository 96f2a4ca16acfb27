// Scores of documents by the first tier, by the second and by both, and what the second adds.
import { round, seeded, thresholdFor } from './figures.mjs';

const FPR = 0.01;
const WEIGHTS = [0.25, 0.5, 0.75, 1, 1.5, 2];
/** Log odds below the threshold of 1 % from which a text is read. */
const BANDS = [1, 2, 3, 4, 5, 6, 8, 10, 12];
/** The share of the gain that must stay when only doubtful texts are read. */
const KEPT = 0.95;
const RESAMPLES = 400;
const UNREAD = -4;

/** The layers with other scores: `change` gets those of a layer and what the second tier says of its sentences. */
function rescored({ layers, odds }, change) {
  return layers.map((layer, index) => ({
    ...layer,
    scores: change(
      layer.scores,
      odds.filter((each) => each.layer === index),
    ),
  }));
}

function sum(scores, odds, weight) {
  const both = scores.slice();
  for (const { at, value } of odds) both[at] += weight * value;
  return both;
}

function alone(scores, odds) {
  const second = scores.map(() => UNREAD);
  for (const { at, value } of odds) second[at] = value;
  return second;
}

/** Each document with its pooled score by the first tier, by the second, and by both for each weight. */
export function scoresOf(points, pooled) {
  return points.map((point) => ({
    ...point,
    first: pooled(point.layers),
    second: pooled(rescored(point, alone)),
    both: Object.fromEntries(
      WEIGHTS.map((weight) => [weight, pooled(rescored(point, (scores, odds) => sum(scores, odds, weight)))]),
    ),
  }));
}

const byFirst = ({ first }) => first;
const bySecond = ({ second }) => second;
/** Both tiers. A text that does not leave the first tier in doubt is not read by the second. */
const byBoth = (weight, doubt) => (point) => (point.first < doubt ? point.first : point.both[weight]);

const benignOf = (points) => points.filter(({ kind }) => kind === 'benign');

function recallOf(attacks, benign, scoreOf) {
  const threshold = thresholdFor(benign.map(scoreOf), FPR);
  return attacks.filter((each) => scoreOf(each) > threshold).length / attacks.length;
}

/** The weight and the doubt that suit the attacks of other sources. The families that are measured have no part in it. */
export function choose(points, highestDoubt) {
  const benign = benignOf(points);
  const attacks = points.filter(({ kind }) => kind === 'kept-back');
  const recallWith = (scoreOf) => recallOf(attacks, benign, scoreOf);
  const recalls = WEIGHTS.map((weight) => recallWith(byBoth(weight, Number.NEGATIVE_INFINITY)));
  const weight = WEIGHTS[recalls.indexOf(Math.max(...recalls))];
  const first = recallWith(byFirst);
  const enough = first + KEPT * (Math.max(...recalls) - first);
  const threshold = thresholdFor(benign.map(byFirst), FPR);
  const doubts = BANDS.map((band) => round(threshold - band)).filter((doubt) => doubt <= highestDoubt);
  const doubt = doubts.find((each) => recallWith(byBoth(weight, each)) >= enough) ?? doubts.at(-1);
  const both = WEIGHTS.map((each, index) => ({ weight: each, recall: round(recalls[index]) }));
  return { weight, doubt, chosen_on: { attacks: attacks.length, first: round(first), both } };
}

function groupByFamily(attacks) {
  const families = new Map();
  for (const each of attacks) families.set(each.family, [...(families.get(each.family) ?? []), each]);
  return [...families.values()];
}

/** The middle 95 % of the gain over resampled benign documents and resampled families. */
function gainInterval(attacks, benign, scoreOf) {
  const random = seeded(20261117);
  const again = (list) => list.map(() => list[Math.floor(random() * list.length)]);
  const families = groupByFamily(attacks);
  const gains = Array.from({ length: RESAMPLES }, () => {
    const [some, others] = [again(families).flat(), again(benign)];
    return recallOf(some, others, scoreOf) - recallOf(some, others, byFirst);
  }).sort((one, other) => one - other);
  return [gains[Math.floor(RESAMPLES * 0.025)], gains[Math.floor(RESAMPLES * 0.975)]].map(round);
}

function compareIn(points, weight, doubt) {
  const benign = benignOf(points);
  const attacks = points.filter(({ kind }) => kind === 'family');
  const recallWith = (scoreOf) => round(recallOf(attacks, benign, scoreOf));
  const both = byBoth(weight, doubt);
  return {
    benign: benign.length,
    attacks: attacks.length,
    families: groupByFamily(attacks).length,
    first: recallWith(byFirst),
    second: recallWith(bySecond),
    both: recallWith(both),
    gain: round(recallWith(both) - recallWith(byFirst)),
    interval: gainInterval(attacks, benign, both),
    every_text_read: recallWith(byBoth(weight, Number.NEGATIVE_INFINITY)),
    by_weight: WEIGHTS.map((each) => ({ weight: each, recall: recallWith(byBoth(each, doubt)) })),
  };
}

/** How many harmless texts of other languages are flagged where 1 % of all are: a bias for a language would show here. */
function otherLanguagesFlagged(points, scoreOf) {
  const benign = benignOf(points);
  const threshold = thresholdFor(benign.map(scoreOf), FPR);
  const others = benign.filter(({ english }) => !english);
  return round(others.filter((each) => scoreOf(each) > threshold).length / others.length);
}

/** All documents, then English and the other languages apart, each with the threshold of its own harmless documents. */
export function compare(points, weight, doubt) {
  const of = (english) => points.filter((each) => each.english === english);
  const both = byBoth(weight, doubt);
  const read = benignOf(points).filter(({ first }) => first >= doubt);
  return {
    all: compareIn(points, weight, doubt),
    english: compareIn(of(true), weight, doubt),
    other_languages: compareIn(of(false), weight, doubt),
    other_languages_flagged: {
      first: otherLanguagesFlagged(points, byFirst),
      both: otherLanguagesFlagged(points, both),
    },
    benign_read: round(read.length / benignOf(points).length),
    sentences_read: round(
      read.reduce((all, { odds }) => all + odds.length, 0) /
        benignOf(points).reduce(
          (all, { layers }) => all + layers.reduce((count, each) => count + each.segments.count, 0),
          0,
        ),
    ),
  };
}
