// Every feature of the conformance table, in its order.

import { ACROSS } from './feature/across.ts';
import { GATE } from './feature/gate.ts';
import { OFFER } from './feature/legacy-offer.ts';
import { TALK } from './feature/legacy-talk.ts';
import { LINES } from './feature/lines.ts';
import { MODERN } from './feature/modern.ts';
import { NPM } from './feature/npm.ts';
import type { Feature } from './feature.ts';

export const FEATURES: readonly Feature[] = [
  ...OFFER,
  ...TALK,
  ...GATE.slice(0, 1),
  ...LINES,
  ...MODERN,
  ...GATE.slice(1),
  ...ACROSS,
  ...NPM,
];
