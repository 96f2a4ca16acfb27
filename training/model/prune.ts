// Chooses the features that the model knows: those of many different segments. Rare features would only be memorised.
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

  /** The most frequent features, at most `max`, each in at least `min` different segments; in the order of their hashes. */
  frequent(min: number, max: number): Int32Array {
    const chosen = [...this.#counts].filter(([, count]) => count >= min);
    chosen.sort(([one, often], [other, oftener]) => oftener - often || one - other);
    return Int32Array.from(chosen.slice(0, max), ([hash]) => hash).sort();
  }
}
