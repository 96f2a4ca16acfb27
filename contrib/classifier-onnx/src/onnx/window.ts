/** Tokens from `from` to `to`, exclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Windows of `size` tokens, each beginning `stride` tokens after the previous one. Every token is in a window; the last one is full. */
export function windowsOf(count: number, size: number, stride: number): Range[] {
  const windows: Range[] = [];
  for (let from = 0; from + size < count; from += stride) windows.push({ from, to: from + size });
  if (count > 0) windows.push({ from: Math.max(0, count - size), to: count });
  return windows;
}

const SENTENCE_END = /[.!?\u3002\uff01\uff1f\u061f\u0964]["')\]\u2019\u201d]*(?=\s|$)|[\u3002\uff01\uff1f]|\n/gu;

/** The sentences of a text as ranges of its tokens, in order. */
export function sentencesOf(text: string, offsets: readonly (readonly [number, number])[]): Range[] {
  const sentences: Range[] = [];
  let from = 0;
  const closeBefore = (end: number): void => {
    let to = from;
    while (to < offsets.length && (offsets[to] as readonly [number, number])[0] < end) to++;
    if (to > from) sentences.push({ from, to });
    from = to;
  };
  for (const { index, 0: mark } of text.matchAll(SENTENCE_END)) closeBefore(index + mark.length);
  closeBefore(Number.POSITIVE_INFINITY);
  return sentences;
}
