import { asObject, refuse, requireOption, shown } from '../base/option.ts';
import { isTag } from '../base/span.ts';

/**
 * The meaning of a class: the tag of a finding, or null for harmless.
 *
 * @example
 * ```ts
 * const meaning: Meaning = 'injection';
 * ```
 */
export type Meaning = string | null;

/**
 * The meaning of each class: in the order of the model's classes, or by the names in `id2label` of its config.json.
 *
 * @example
 * ```ts
 * const byName: Labels = { SAFE: null, INJECTION: 'injection' };
 * const inOrder: Labels = [null, 'injection'];
 * ```
 */
export type Labels = readonly Meaning[] | Readonly<Record<string, Meaning>>;

/** The model's result for one token or window. */
export interface Scored {
  /** The probability that it is not harmless. */
  readonly score: number;
  readonly tag: string;
}

/**
 * How logits become probabilities. Models with several labels at once need 'sigmoid'.
 *
 * @example
 * ```ts
 * const activation: Activation = 'softmax';
 * ```
 */
export type Activation = 'softmax' | 'sigmoid';

function namesOf(config: unknown): string[] {
  const table = asObject(asObject(config)?.id2label);
  requireOption(table !== undefined, '`labels` by name need `config` or `configPath` with an object `id2label`.');
  return Object.keys(table).map((_, index) => {
    const name = table[index];
    requireOption(typeof name === 'string', '`id2label` in the config must have a name for every number from 0 on.');
    return name;
  });
}

/** One meaning per class. A class without one is refused: its findings would count as harmless. */
export function readLabels(labels: Labels, config: unknown): readonly Meaning[] {
  const meanings: readonly unknown[] = Array.isArray(labels)
    ? [...labels]
    : namesOf(config).map((name) =>
        Object.hasOwn(labels, name)
          ? (labels as Record<string, Meaning>)[name]
          : refuse(`\`labels\` must have an entry for the class ${shown(name)}: a tag, or null for harmless.`),
      );
  requireOption(
    meanings.every((meaning): meaning is Meaning => meaning === null || isTag(meaning)),
    'Each label must be null or a tag of 1 to 40 lower-case letters, digits and hyphens.',
  );
  requireOption(meanings.some(isTag), 'At least one label must be a tag; received only null.');
  return meanings;
}

/** Softmax needs a harmless class: without one the probability of a finding is always 1. */
export function checkActivation(activation: Activation, meanings: readonly Meaning[]): void {
  requireOption(
    activation === 'softmax' || activation === 'sigmoid',
    `\`activation\` must be 'softmax' or 'sigmoid'; received ${shown(activation)}.`,
  );
  requireOption(activation === 'sigmoid' || meanings.includes(null), 'With softmax at least one label must be null.');
}

/**
 * Reads the row of logits at `at`. With softmax the findings share a probability, which is their sum; with sigmoid each
 * has its own, and the highest counts.
 */
export function scoreRow(
  logits: Float32Array,
  at: number,
  meanings: readonly Meaning[],
  activation: Activation,
): Scored {
  const classes = meanings.length;
  let top = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < classes; index++) top = Math.max(top, logits[at + index] as number);
  let [total, found, best, tag] = [0, 0, -1, ''];
  for (let index = 0; index < classes; index++) {
    const logit = logits[at + index] as number;
    const weight = activation === 'softmax' ? Math.exp(logit - top) : 1 / (1 + Math.exp(-logit));
    const meaning = meanings[index] as Meaning;
    total += weight;
    if (meaning === null) continue;
    found += weight;
    if (weight > best) [best, tag] = [weight, meaning];
  }
  return { score: activation === 'softmax' ? found / total : best, tag };
}
