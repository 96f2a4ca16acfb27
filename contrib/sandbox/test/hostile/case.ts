import type { Reason, ScriptCall, ScriptEnd } from '../../src/engine/engine.ts';
import type { ScriptLimits } from '../../src/engine/limits.ts';

/** How a run may come to its end: by itself, or for one of the reasons that an engine gives. */
type Ending = Reason | 'done';

/** A script that wants more than it may have. */
export interface LimitCase {
  readonly title: string;
  readonly payload: string;
  /** The one way in which it must end, or each of several where it depends on how fast the machine is. */
  readonly expected: Ending | readonly Ending[];
  /** What differs from the limits that all of them have. */
  readonly limits?: Partial<ScriptLimits>;
  /** It waits for the host, so that it may take until the end of the whole time. */
  readonly isWaiting?: true;
}

/** What came of a script. */
export interface Ran {
  readonly end: ScriptEnd;
  /** The calls that reached the host. */
  readonly calls: readonly ScriptCall[];
  readonly milliseconds: number;
}

/** A script that wants out. */
export interface EscapeCase {
  readonly title: string;
  readonly payload: string;
  /** The harmless end: those fields of it that are said must be equal. Or what says whether it was harmless. */
  readonly expected: Partial<ScriptEnd> | ((ran: Ran) => boolean);
  /** The calls that reach the host, as `name arguments`. Defaults to none unless `expected` is a function. */
  readonly calls?: readonly string[];
  readonly limits?: Partial<ScriptLimits>;
}

/** The end of a script that gave back this value. */
export function done(value: unknown): Partial<ScriptEnd> {
  return { status: 'done', output: JSON.stringify(value) };
}

/** The end of a script that threw, in these words. */
export function threw(message: string): Partial<ScriptEnd> {
  return { status: 'failed', reason: 'threw', message };
}

export function failedBy(reason: Reason): Partial<ScriptEnd> {
  return { status: 'failed', reason };
}
