import type { ClassifierV1 } from '@sallyport/core';
import { LIKELIHOODS, type Likelihood } from '@sallyport/core/stages';

const rank = (likelihood: Likelihood): number => LIKELIHOODS.indexOf(likelihood);

/** The classifier as a workspace wants it: spans of a tag count from a likelihood on. What is `high` always counts. */
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
      const counts = ({ tag, likelihood }: (typeof spans)[number]): boolean =>
        likelihood === 'high' || rank(likelihood) >= rank(thresholds.get(tag) ?? 'low');
      return { spans: spans.filter(counts) };
    },
  };
}

/**
 * By tag, from which likelihood on spans count in a workspace. A threshold that feedback moved for single servers counts where it
 * holds for all of them: one conversation reads them all.
 */
export function commonThresholds(
  policy: Readonly<Record<string, Likelihood>>,
  servers: readonly ReadonlyMap<string, Likelihood>[],
): ReadonlyMap<string, Likelihood> {
  const common = new Map<string, Likelihood>(Object.entries(policy));
  for (const [tag] of servers[0] ?? []) {
    const least = servers
      .map((each) => each.get(tag) ?? 'low')
      .reduce((one, other) => (rank(one) < rank(other) ? one : other));
    if (rank(least) > rank(common.get(tag) ?? 'low')) common.set(tag, least);
  }
  return common;
}
