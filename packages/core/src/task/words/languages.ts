import type { ActWords } from './act-words.ts';
import { ARABIC } from './arabic.ts';
import { EAST_ASIAN } from './east-asian.ts';
import { GERMANIC } from './germanic.ts';
import { INDIC } from './indic.ts';
import { OTHER_LATIN } from './other-latin.ts';
import { ROMANCE } from './romance.ts';
import { RUSSIAN } from './russian.ts';
import { THAI } from './thai.ts';
import { UKRAINIAN } from './ukrainian.ts';

/** The words of every language, English first. */
export const LANGUAGES: readonly ActWords[] = [
  ...GERMANIC,
  ...ROMANCE,
  ...OTHER_LATIN,
  ...RUSSIAN,
  ...UKRAINIAN,
  ...ARABIC,
  ...INDIC,
  ...EAST_ASIAN,
  ...THAI,
];
