import type { ScriptAnswer, ScriptCall, ScriptEnd } from './engine.ts';
import type { ScriptLimits } from './limits.ts';

/** A message to a thread. */
export type Order =
  | {
      readonly type: 'start';
      readonly source: string;
      readonly input: string;
      readonly functions: readonly string[];
      readonly limits: ScriptLimits;
      readonly now: number;
    }
  | { readonly type: 'answer'; readonly index: number; readonly answer: ScriptAnswer };

/** A message from a thread. */
export type Report =
  | { readonly type: 'ready' }
  | { readonly type: 'call'; readonly call: ScriptCall }
  /** The script waits. `ran`: milliseconds it has run. `answers`: answers it has received. */
  | { readonly type: 'idle'; readonly ran: number; readonly answers: number }
  | { readonly type: 'end'; readonly end: ScriptEnd };
