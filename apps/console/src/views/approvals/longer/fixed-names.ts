import type { Approval } from '../../../api/types.ts';
import { argumentsOf } from '../question.ts';

/** The arguments of a call by name: those that later calls must share, and those that may differ. */
export interface FixedNames {
  readonly fixed: readonly string[];
  readonly free: readonly string[];
}

/** Undefined if the call does not say. */
export function fixedNamesOf(approval: Approval): FixedNames | undefined {
  const pointers = approval.question.fixed;
  const given = argumentsOf(approval);
  if (pointers === undefined || given === undefined) return undefined;
  const firsts = new Set(
    pointers.map((path) => (path.split('/')[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~')),
  );
  const names = given.map(({ name }) => name);
  return {
    fixed: names.filter((name) => firsts.has(name)),
    free: names.filter((name) => !firsts.has(name)),
  };
}
