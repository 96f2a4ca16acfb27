import { describe, expect, it } from 'vitest';
import { sentencesOf, windowsOf } from '../src/onnx/window.ts';

describe('windows and sentences', () => {
  it('leave out no token', () => {
    for (let count = 0; count < 30; count++)
      for (const [size, stride] of [
        [1, 1],
        [4, 3],
        [7, 7],
        [30, 20],
      ] as const) {
        const seen = new Set<number>();
        for (const { from, to } of windowsOf(count, size, stride)) for (let at = from; at < to; at++) seen.add(at);
        expect(seen.size).toBe(count);
      }
  });

  it('end where sentences end', () => {
    const text = 'One 1.5 two. Three!" Four\nfive\u3002six';
    const offsets = Array.from(text.matchAll(/\S/g), ({ index }) => [index, index + 1] as const);
    const texts = sentencesOf(text, offsets).map(({ from, to }) =>
      text.slice((offsets[from] as readonly [number, number])[0], (offsets[to - 1] as readonly [number, number])[1]),
    );
    expect(texts).toEqual(['One 1.5 two.', 'Three!"', 'Four', 'five\u3002', 'six']);
  });
});
