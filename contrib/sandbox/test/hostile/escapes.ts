import { BOUNDARY } from './boundary.ts';
import type { EscapeCase } from './case.ts';
import { ENDS } from './ends.ts';
import { GLOBALS } from './names.ts';
import { PATCHED } from './patched.ts';
import { STACKS } from './stacks.ts';
import { SYNTAX } from './syntax.ts';
import { WALKS } from './walks.ts';

/** Every script that wants out. */
export const ESCAPE_CASES: readonly EscapeCase[] = [
  ...WALKS,
  ...STACKS,
  ...BOUNDARY,
  ...PATCHED,
  ...GLOBALS,
  ...SYNTAX,
  ...ENDS,
];
