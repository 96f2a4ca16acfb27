import type { ClassifierV1 } from '@sallyport/core';
import { LIKELIHOODS, type Likelihood, type Span } from '@sallyport/core/stages';
import { withinFloor } from '../../store/policy/floor.ts';

const rank = (likelihood: Likelihood): number => LIKELIHOODS.indexOf(likelihood);

/** Applies the thresholds to a span. Spans with `none` always count. */
export function isReported({ tag, likelihood }: MarkedSpan, thresholds: ReadonlyMap<string, Likelihood>): boolean {
  return likelihood === 'none' || rank(likelihood) >= rank(withinFloor(thresholds.get(tag) ?? 'low'));
}

type MarkedSpan = Pick<Span, 'tag' | 'likelihood'>;

/**
 * Wraps a classifier so that spans below the threshold of their tag are dropped. No threshold is above the
 * floor, even if one is stored, and spans with `none` are always kept: they are requests, which the gate needs.
 */
export function withThresholds(classifier: ClassifierV1, thresholds: ReadonlyMap<string, Likelihood>): ClassifierV1 {
  if (thresholds.size === 0) return classifier;
  const name = JSON.stringify([...thresholds].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  return {
    specificationVersion: 'v1',
    id: `${classifier.id} from ${name}`,
    async prepare() {
      await classifier.prepare?.();
    },
    async doClassify(input) {
      const { spans } = await classifier.doClassify(input);
      return { spans: spans.filter((span) => isReported(span, thresholds)) };
    },
  };
}

/**
 * The thresholds of a workspace, by tag. A threshold that was raised for single servers applies only if it was raised for all of
 * them, because one conversation reads the results of all servers.
 */
export function commonThresholds(
  policy: Readonly<Record<string, Likelihood>>,
  servers: readonly ReadonlyMap<string, Likelihood>[],
): ReadonlyMap<string, Likelihood> {
  const common = new Map<string, Likelihood>(Object.entries(policy));
  for (const [tag] of servers[0] ?? []) {
    const lowest = servers
      .map((each) => each.get(tag) ?? 'low')
      .reduce((one, other) => (rank(one) < rank(other) ? one : other));
    if (rank(lowest) > rank(common.get(tag) ?? 'low')) common.set(tag, lowest);
  }
  return common;
}
