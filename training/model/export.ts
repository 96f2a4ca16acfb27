// Encodes the trained network for the package: rows in 8 bits, the rest in 32-bit floats, as one line of text.
import { digestText } from '@sallyport/core/adapter';
import type { Network } from './network.ts';

export interface Exported {
  readonly weights: string;
  readonly digest: string;
  readonly bytes: number;
}

/** The step with the smallest loss: it clips the few largest values. */
function stepOf(table: Float32Array): number {
  const sample: number[] = [];
  for (let i = 0; i < table.length; i += 7) sample.push(Math.abs(table[i] as number));
  sample.sort((one, other) => one - other);
  return (sample[Math.floor(sample.length * 0.9995)] as number) / 127;
}

export function exportModel(
  network: Network,
  lexicon: readonly (readonly [number, number])[],
  vocabulary: Int32Array,
): Exported {
  const scale = stepOf(network.table);
  const dense = [
    [scale],
    network.first,
    network.firstBias,
    network.last,
    network.lastBias,
    network.asks,
    network.asksBias,
    network.tags,
    network.tagBias,
  ];
  const numbers = dense.reduce((sum, values) => sum + values.length, 0);
  const bytes = Buffer.alloc(4 + lexicon.length * 8 + 4 + vocabulary.length * 4 + numbers * 4 + network.table.length);
  let at = bytes.writeInt32LE(lexicon.length, 0);
  for (const [hash, classes] of lexicon) {
    at = bytes.writeInt32LE(hash, at);
    at = bytes.writeInt32LE(classes, at);
  }
  at = bytes.writeInt32LE(vocabulary.length, at);
  for (const hash of vocabulary) at = bytes.writeInt32LE(hash, at);
  for (const values of dense) for (const value of values) at = bytes.writeFloatLE(value, at);
  for (const value of network.table) at = bytes.writeInt8(Math.max(-127, Math.min(127, Math.round(value / scale))), at);
  const padded = Buffer.concat([bytes, Buffer.alloc((3 - (bytes.length % 3)) % 3)]);
  const weights = padded.toString('base64');
  return { weights, digest: digestText(weights), bytes: padded.length };
}
