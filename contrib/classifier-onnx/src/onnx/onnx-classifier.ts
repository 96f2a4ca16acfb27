import type { ClassifierV1 } from '@sallyport/core';
import type { AbortSignalLike } from '@sallyport/core/adapter';
import type { ClassifierResult, Span } from '@sallyport/core/stages';
import { throwIfAborted } from '../base/abort.ts';
import { refuse, requireOption, shown } from '../base/option.ts';
import { highest } from '../base/span.ts';
import { checkEncoding } from '../tokenizer/tokenizer.ts';
import { type Scored, scoreRow } from './label.ts';
import { loadSettings, type OnnxClassifierOptions, type Settings } from './load.ts';
import { type Reading, spanOf, spansOfTokens } from './token-spans.ts';
import { type Range, sentencesOf, windowsOf } from './window.ts';

interface Job extends Reading {
  readonly signal: AbortSignalLike;
}

/** Scores for one range of tokens: one for each of them, or one for all. */
async function scoreRange(settings: Settings, range: Range, { ids, signal }: Job): Promise<Scored[]> {
  const { kind, model, tokenizer, meanings, activation } = settings;
  const { prefix, suffix } = tokenizer;
  const all = [...prefix, ...ids.slice(range.from, range.to), ...suffix];
  const classes = meanings.length;
  const shape = kind === 'token' ? { rows: all.length, classes } : { classes };
  const logits = await model.run(all, shape, signal);
  const skipped = kind === 'token' ? prefix.length : 0;
  const rows = kind === 'token' ? range.to - range.from : 1;
  return Array.from({ length: rows }, (_, row) => scoreRow(logits, (skipped + row) * classes, meanings, activation));
}

/** A token in several windows gets the highest of its scores: at the edge of a window it lacks context. */
async function classifyTokens(settings: Settings, job: Job): Promise<Span[]> {
  const scores: Scored[] = Array.from(job.ids, () => ({ score: 0, tag: '' }));
  for (const range of windowsOf(job.ids.length, settings.size, settings.stride))
    for (const [index, scored] of (await scoreRange(settings, range, job)).entries())
      if (scored.score > (scores[range.from + index] as Scored).score) scores[range.from + index] = scored;
  return spansOfTokens(job, scores, settings);
}

async function classifySequences(settings: Settings, job: Job): Promise<Span[]> {
  const windows = windowsOf(job.ids.length, settings.size, settings.stride);
  const sentences = settings.sentences
    ? sentencesOf(job.text, job.offsets).filter(({ from, to }) => to - from <= settings.size)
    : [];
  const spans: Span[] = [];
  for (const range of [...windows, ...sentences]) {
    const [scored] = await scoreRange(settings, range, job);
    spans.push(...spanOf(job, range, scored as Scored, settings.thresholds));
  }
  return highest(spans);
}

/**
 * Creates a classifier from your own token or sequence classification model in ONNX. The model runs once on a short text, so that
 * a model that does not fit its options is refused here.
 *
 * @example
 * ```ts
 * const second = await createOnnxClassifier({
 *   runtime: await import('onnxruntime-node'),
 *   id: 'protectai-deberta-v3-base-v2',
 *   kind: 'sequence',
 *   modelPath: 'models/protectai/model.onnx',
 *   tokenizerPath: 'models/protectai/tokenizer.json',
 *   labels: [null, 'injection'],
 * });
 * ```
 */
export async function createOnnxClassifier(options: OnnxClassifierOptions): Promise<ClassifierV1> {
  const { id } = options;
  requireOption(
    typeof id === 'string' && id !== '',
    `\`id\` must be a non-empty string that names the model and its version; received ${shown(id)}.`,
  );
  const settings = await loadSettings(options);

  async function doClassify({ text, signal }: { text: string; signal: AbortSignalLike }): Promise<ClassifierResult> {
    throwIfAborted(signal);
    if (text === '') return { spans: [] };
    const { ids, offsets } = settings.tokenizer.encode(text);
    checkEncoding({ ids, offsets }, text.length);
    const classify = settings.kind === 'token' ? classifyTokens : classifySequences;
    return { spans: await classify(settings, { ids, offsets, text, signal }) };
  }

  try {
    await doClassify({ text: 'Good morning.', signal: { aborted: false, addEventListener: () => undefined } });
  } catch (cause) {
    refuse('The model does not fit `kind`, `labels` and `tokenizer`; see the cause.', cause);
  }
  return Object.freeze({ specificationVersion: 'v1', id, doClassify });
}
