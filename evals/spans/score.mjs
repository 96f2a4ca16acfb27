// Scores records with the built classifier: the highest log odds, its sentence, the levels, what asks.
import { endProgress, occasionalProgress } from '../../tools/command.mjs';
import { loadClassifier } from './classifier.mjs';

/** Loads the classifier, and returns what the measurements need of it. */
export async function loadScorer() {
  const [{ analyze }, { loadModel }, { WEIGHTS }, { CALIBRATION }, { spanClassifier }] = await loadClassifier(
    'finding/analyze',
    'model/model',
    'model/weights',
    'finding/calibration',
    'classifier',
  );
  const model = loadModel(WEIGHTS, CALIBRATION.digest);
  const highestOf = (text) => analyze(model, text, Number.POSITIVE_INFINITY, CALIBRATION).highest;
  const findingsOf = (text, threshold) => analyze(model, text, threshold, CALIBRATION).findings;
  return { CALIBRATION, spanClassifier, highestOf, findingsOf };
}

/** The record with its scores. `top` is the text of the strongest finding, for benign records only. */
export async function scoreRecords(records, { spanClassifier, highestOf, findingsOf }) {
  const show = occasionalProgress();
  const scored = [];
  for (const [index, record] of records.entries()) {
    const { text, injected } = record;
    const highest = highestOf(text);
    const { spans } = await spanClassifier.doClassify({ text });
    const [strongest] = injected ? [] : findingsOf(text, highest - 1e-3).sort((one, other) => other.score - one.score);
    scored.push({
      ...record,
      highest,
      top: strongest === undefined ? '' : text.slice(strongest.start, strongest.end),
      levels: new Set(spans.map(({ likelihood }) => likelihood)),
      asking: spans.filter(({ tag }) => tag === 'request'),
    });
    show(`${index} of ${records.length} records`);
  }
  endProgress();
  return scored;
}
