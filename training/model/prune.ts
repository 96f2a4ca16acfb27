// Which features the model knows: those that many different segments have. What is seen twice is remembered, not learned.
import type { Features } from '../../packages/classifier/src/model/features.ts';

export class FeatureCounter {
  readonly #segments = new Set<number>();
  readonly #counts = new Map<number, number>();

  add({ count, offsets, hashes }: Features): void {
    for (let i = 0; i < count; i++) {
      const own = hashes.subarray(offsets[i], offsets[i + 1]);
      let signature = 0;
      for (const hash of own) signature = (Math.imul(signature, 0x01000193) + hash) | 0;
      if (this.#segments.has(signature)) continue;
      this.#segments.add(signature);
      for (const hash of new Set(own)) this.#counts.set(hash, (this.#counts.get(hash) ?? 0) + 1);
    }
  }

  /** The most frequent features, at most `most`, each in at least `least` different segments; in the order of their hashes. */
  frequent(least: number, most: number): Int32Array {
    const chosen = [...this.#counts].filter(([, count]) => count >= least);
    chosen.sort(([one, often], [other, oftener]) => oftener - often || one - other);
    return Int32Array.from(chosen.slice(0, most), ([hash]) => hash).sort();
  }
}
