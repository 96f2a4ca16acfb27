import type { ClassifierV1 } from '@sallyport/core';
import type { ClassifierResult } from '@sallyport/core/stages';
import { CALIBRATION } from './finding/calibration.ts';
import { readSpans, readSpansAndRequests, type SpanFound } from './finding/spans.ts';
import { loadModel, type Model } from './model/model.ts';

/**
 * Verdicts are cached under the classifier's id. The digest in it names the weights; the revision is raised with every
 * other change of the findings: rules, view, levels.
 */
const REVISION = 4;

let loading: Promise<Model> | undefined;

async function importModel(): Promise<Model> {
  try {
    const { WEIGHTS } = await import('./model/weights.ts');
    return loadModel(WEIGHTS, CALIBRATION.digest);
  } catch (cause) {
    loading = undefined;
    throw new Error('The weights of @sallyport/classifier cannot be loaded; see the cause.', { cause });
  }
}

/**
 * The weights are a module of 1.5 MB: they are imported on first use, so that a bundler gives them a chunk of their
 * own.
 */
function model(): Promise<Model> {
  loading ??= importModel();
  return loading;
}

/**
 * Finds every range of a text that reads like an instruction to the model, sorted by start. The first call loads the
 * weights.
 *
 * @example
 * ```ts
 * for (const { start, end, likelihood, tag } of await findSpans(mail))
 *   console.log(likelihood, tag, mail.slice(start, end));
 * ```
 */
export async function findSpans(text: string): Promise<SpanFound[]> {
  return readSpans(await model(), text);
}

/**
 * The built-in classifier: finds instructions aimed at the model in the content that an agent reads, and every plain
 * request as a span of likelihood `none`. It runs in linear time without I/O and gives the same result on every
 * platform; `prepare` loads its weights. It misses attacks and flags harmless text, at the rates that the README
 * states. Provenance decides what an agent may do, not this classifier.
 *
 * @example
 * ```ts
 * const boundary = createBoundary({ classifier: spanClassifier });
 * await spanClassifier.prepare(); // optional: load the weights at startup instead of with the first text
 * ```
 */
export const spanClassifier: ClassifierV1 & Required<Pick<ClassifierV1, 'prepare'>> = Object.freeze({
  specificationVersion: 'v1',
  id: `sallyport-spans-${REVISION}-${CALIBRATION.digest.slice(0, 12)}`,
  async prepare(): Promise<void> {
    await model();
  },
  async doClassify({ text, view }): Promise<ClassifierResult> {
    return { spans: readSpansAndRequests(await model(), text, view?.()) };
  },
} satisfies ClassifierV1);
