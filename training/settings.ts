// All hyperparameters, chosen on the dev split. Changing any of them changes the model.
import type { Reach } from '../packages/classifier/src/finding/findings.ts';

export const SETTINGS = {
  seed: 20261117,
  assemble: { seed: 11, injectedTimes: 2, plantedTimes: 6, benignTimes: 1, outputs: 6000 },
  /** The number of different segments that must have a feature before the model knows it. */
  minSegments: 6,
  maxFeatures: 49_152,
  epochs: 8,
  /** The first epoch whose states are averaged, and the documents between two of them. */
  averageFrom: 4,
  averageEvery: 4000,
  learning: { rate: 0.08, dropout: 0.5, hardest: 10, clearest: 3, asks: 0.5 },
  weights: { own: 1, mention: 0.5, shared: 1 },
} as const;

/** Log odds a neighbour needs to belong to a finding. */
export const REACH: Reach = { outside: 4, before: 0, after: -2 };
