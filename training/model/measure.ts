// Figures of a scored set: the share of documents above a threshold, in total and by group.
/** The lowest threshold that at most this share of the benign scores exceeds. */
export function thresholdFor(benign: readonly number[], rate: number): number {
  const sorted = [...benign].sort((one, other) => other - one);
  const allowed = Math.floor(sorted.length * rate);
  return (sorted[allowed] as number) + 1e-6;
}

export function shareAbove(scores: readonly number[], threshold: number): number {
  return scores.length === 0 ? Number.NaN : scores.filter((score) => score > threshold).length / scores.length;
}
