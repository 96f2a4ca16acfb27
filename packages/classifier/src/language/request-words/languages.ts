import { ARABIC } from './arabic.ts';
import { CYRILLIC } from './cyrillic.ts';
import { EAST_ASIAN } from './east-asian.ts';
import { GERMANIC } from './germanic.ts';
import { INDIC } from './indic.ts';
import { OTHER_LATIN } from './other-latin.ts';
import type { RequestWords } from './request-words.ts';
import { ROMANCE } from './romance.ts';

/** Request words of every language other than English. */
export const LANGUAGES: readonly RequestWords[] = [
  ...GERMANIC,
  ...ROMANCE,
  ...OTHER_LATIN,
  ...CYRILLIC,
  ...ARABIC,
  ...INDIC,
  ...EAST_ASIAN,
];
