// Statistics over scored records: thresholds, recall with intervals, spans.

/** The lowest score that at most this share of the benign ones exceeds. */
export function thresholdFor(scores, rate) {
  const sorted = [...scores].sort((one, other) => other - one);
  return sorted[Math.floor(sorted.length * rate)];
}

/**
 * The records without those whose highest sentence another record has too, apart from digits: a page that is there ten times is
 * one false alarm.
 */
export function distinct(records) {
  const seen = new Set();
  return records.filter(({ top, text }) => {
    const key = (top === '' ? text : top).toLowerCase().replace(/\d+/g, '0').replace(/\s+/g, ' ');
    return !seen.has(key) && seen.add(key);
  });
}

export const round = (value) => Math.round(value * 10_000) / 10_000;

export function shareAbove(records, threshold) {
  if (records.length === 0) return undefined;
  return round(records.filter(({ highest }) => highest > threshold).length / records.length);
}

/** Numbers from 0 to 1 that are the same in every run. */
export function seeded(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 14)) >>> 0) / 2 ** 32;
  };
}

const RESAMPLES = 400;

/** The middle 95 % of the recall where a share of the benign records is flagged, over resampled records of both kinds. */
export function intervalOf(records, benign, rate) {
  const random = seeded(20261117);
  const again = (group) => group.map(() => group[Math.floor(random() * group.length)].highest);
  const recalls = Array.from({ length: RESAMPLES }, () => {
    const threshold = thresholdFor(again(benign), rate);
    return again(records).filter((score) => score > threshold).length / records.length;
  }).sort((one, other) => one - other);
  return [recalls[Math.floor(RESAMPLES * 0.025)], recalls[Math.floor(RESAMPLES * 0.975)]].map(round);
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
