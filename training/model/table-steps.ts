// Steps of the table: each feature has one learning rate, which falls with the gradients it has seen.
import { WIDTH } from '../../packages/classifier/src/model/layout.ts';
import type { Prepared } from './prepare.ts';

export interface TableState {
  readonly rows: Float32Array;
  /** The sum of squared gradients of each feature. */
  readonly squares: Float32Array;
}

function step(
  { rows, squares }: TableState,
  row: number,
  norm: number,
  gradient: Float32Array,
  from: number,
  rate: number,
): void {
  squares[row] = (squares[row] as number) + norm;
  const scaled = rate / Math.sqrt(squares[row] as number);
  for (let d = 0; d < WIDTH; d++)
    rows[row * WIDTH + d] = (rows[row * WIDTH + d] as number) - scaled * (gradient[from + d] as number);
}

/** The features that are the first words of a segment. */
export function stepHeads(table: TableState, { rows }: Prepared, i: number, heads: Float32Array, rate: number): void {
  for (let slot = 0; slot < 2; slot++) {
    const row = rows.heads[i * 2 + slot] as number;
    if (row < 0) continue;
    let norm = 0;
    for (let d = 0; d < WIDTH; d++) norm += (heads[slot * WIDTH + d] as number) ** 2 / WIDTH;
    step(table, row, norm, heads, slot * WIDTH, rate);
  }
}

/** All features of a document that were not dropped. `gradients` are those of its segments' vectors, and are scaled here. */
export function spread(
  table: TableState,
  { rows: { offsets, rows }, segments }: Prepared,
  gradients: Float32Array,
  whole: Float32Array,
  kept: Uint8Array,
  rate: number,
): void {
  for (let i = 0; i < segments.count; i++) {
    const from = offsets[i] as number;
    const to = offsets[i + 1] as number;
    const scale = 1 / Math.sqrt(to - from + 1);
    const base = i * WIDTH;
    let norm = 0;
    for (let d = 0; d < WIDTH; d++) {
      const gradient = ((gradients[base + d] as number) + (whole[d] as number)) * scale;
      gradients[base + d] = gradient;
      norm += gradient * gradient;
    }
    if (norm < 1e-12) continue;
    norm /= WIDTH;
    for (let k = from; k < to; k++) if (kept[k] !== 0) step(table, rows[k] as number, norm, gradients, base, rate);
  }
}
