import { ALLOCATIONS } from './allocations.ts';
import type { LimitCase } from './case.ts';
import { FLOODS } from './floods.ts';
import { LOOPS } from './loops.ts';
import { NATIVES } from './natives.ts';
import { RECURSION } from './recursion.ts';

/** Every script that wants more than it may have. */
export const LIMIT_CASES: readonly LimitCase[] = [...LOOPS, ...ALLOCATIONS, ...RECURSION, ...FLOODS, ...NATIVES];
