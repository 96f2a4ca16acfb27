// The mean of the network's states during training: more stable than any single state, at no cost at run time.
import type { Network } from './network.ts';

export class Average {
  readonly #sums = new Map<keyof Network, Float64Array>();
  #count = 0;

  add(network: Network): void {
    this.#count++;
    for (const [name, values] of Object.entries(network) as [keyof Network, Float32Array][]) {
      const sums = this.#sums.get(name) ?? new Float64Array(values.length);
      for (let i = 0; i < values.length; i++) sums[i] = (sums[i] as number) + (values[i] as number);
      this.#sums.set(name, sums);
    }
  }

  /** Replaces the network's numbers with the mean. */
  applyTo(network: Network): void {
    if (this.#count === 0) return;
    for (const [name, sums] of this.#sums) {
      const values = network[name];
      for (let i = 0; i < values.length; i++) values[i] = (sums[i] as number) / this.#count;
    }
  }
}
