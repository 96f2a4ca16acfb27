// Statistics over scored records: thresholds, recall, spans.

/** The lowest score that at most this share of the benign ones exceeds. */
export function thresholdFor(scores, rate) {
  const sorted = [...scores].sort((one, other) => other - one);
  return sorted[Math.floor(sorted.length * rate)];
}

export const round = (value) => Math.round(value * 10_000) / 10_000;

export function shareAbove(records, threshold) {
  if (records.length === 0) return undefined;
  return round(records.filter(({ highest }) => highest > threshold).length / records.length);
}

/** Records by the value of a key, in the order of names. */
export function groupBy(records, keyOf) {
  const groups = new Map();
  for (const record of records) {
    const key = keyOf(record);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(record);
  }
  return [...groups].sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Intersection over union, and share of the truth found, in characters. */
export function overlapOf(length, found, truth) {
  const marks = new Uint8Array(length);
  for (const { start, end } of found) for (let i = start; i < end; i++) marks[i] |= 1;
  for (const { start, end } of truth) for (let i = start; i < end; i++) marks[i] |= 2;
  const counts = [0, 0, 0, 0];
  for (const mark of marks) counts[mark]++;
  const [, onlyFound, missed, both] = counts;
  const either = onlyFound + missed + both;
  return { iou: either === 0 ? 0 : both / either, recall: missed + both === 0 ? 0 : both / (missed + both) };
}

/** Mean span figures over records with known spans; a record without a finding counts as 0. */
export function spanFigures(records) {
  const labelled = records.filter(({ injected, spans }) => injected && spans.length > 0);
  if (labelled.length === 0) return undefined;
  const overlaps = labelled.map(({ text, found, spans }) => overlapOf(text.length, found, spans));
  const mean = (key) => round(overlaps.reduce((sum, overlap) => sum + overlap[key], 0) / overlaps.length);
  return { records: labelled.length, iou: mean('iou'), recall: mean('recall') };
}
