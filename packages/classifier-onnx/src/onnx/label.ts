import { asObject, refuse, requireOption } from '../base/option.ts';
import { isTag } from '../base/span.ts';

/** What one class of a model means: the tag of a finding, or null for harmless. */
export type Meaning = string | null;

/** In the order of the model's classes; or by the names that `id2label` in its config.json gives them. */
export type Labels = readonly Meaning[] | Readonly<Record<string, Meaning>>;

/** What a model says of one token or window. */
export interface Scored {
  /** How probable it is that this is anything but harmless. */
  readonly score: number;
  readonly tag: string;
}

export type Activation = 'softmax' | 'sigmoid';

function namesOf(config: unknown): string[] {
  const table = asObject(asObject(config)?.id2label);
  requireOption(table !== undefined, 'labels by name need a config with id2label.');
  return Object.keys(table).map((_, index) => {
    const name = table[index];
    requireOption(typeof name === 'string', 'id2label in the config is not a list of names by number.');
    return name;
  });
}

/** One meaning per class. A class without one is refused: left out, what it finds would read as harmless. */
export function readLabels(labels: Labels, config: unknown): readonly Meaning[] {
  const meanings: readonly unknown[] = Array.isArray(labels)
    ? [...labels]
    : namesOf(config).map((name) =>
        Object.hasOwn(labels, name)
          ? (labels as Record<string, Meaning>)[name]
          : refuse(`labels does not say what ${name} means: give it a tag, or null for harmless.`),
      );
  requireOption(
    meanings.every((meaning): meaning is Meaning => meaning === null || isTag(meaning)),
    'A label is null, or a tag of lower-case letters, digits and hyphens.',
  );
  requireOption(meanings.some(isTag), 'At least one label names a finding.');
  return meanings;
}

/** Softmax needs a harmless class: without one the rest of the probability is always a finding. */
export function checkActivation(activation: Activation, meanings: readonly Meaning[]): void {
  requireOption(activation === 'softmax' || activation === 'sigmoid', 'activation is softmax or sigmoid.');
  requireOption(activation === 'sigmoid' || meanings.includes(null), 'With softmax one label at least is null.');
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
