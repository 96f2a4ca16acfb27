import type { ScriptAnswer, ScriptCall, ScriptEnd } from './engine.ts';
import type { ScriptLimits } from './limits.ts';

/** What a thread is told. */
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

/** What a thread says. */
export type Report =
  | { readonly type: 'ready' }
  | { readonly type: 'call'; readonly call: ScriptCall }
  /** It waits, after so many milliseconds of running and so many answers in all. */
  | { readonly type: 'idle'; readonly ran: number; readonly answers: number }
  | { readonly type: 'end'; readonly end: ScriptEnd };
