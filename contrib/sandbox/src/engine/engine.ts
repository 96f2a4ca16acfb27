import type { ScriptLimits } from './limits.ts';

/** A script's call of a function. */
export interface ScriptCall {
  /** Counts from 0. The same script with the same answers makes the same calls in the same order. */
  readonly index: number;
  /** The function's name. */
  readonly name: string;
  /** The arguments as JSON text of a list, or undefined if they are too long or not a list. */
  readonly arguments: string | undefined;
}

/** The answer to a script's call: a value, or an error message. */
export type ScriptAnswer =
  | { readonly ok: true; readonly json: string }
  | { readonly ok: false; readonly message: string };

/** A script and its surroundings. The same task with the same answers in the same order ends in the same way. */
export interface ScriptTask {
  /** The script's code. */
  readonly source: string;
  /** The value of the global `input`, as JSON text. */
  readonly input: string;
  /** The names of the functions that the script may call. */
  readonly functions: readonly string[];
  /** See `DEFAULT_LIMITS`. */
  readonly limits: ScriptLimits;
  /** The time that the script sees, in milliseconds since 1970. It does not advance. */
  readonly now: number;
  /** Stops the script. */
  readonly signal?: AbortSignal;
  /** Answers a call. */
  call(call: ScriptCall): Promise<ScriptAnswer>;
  /** Called when the script only waits for answers. */
  onIdle?(): void;
}

/**
 * The reasons for which a script fails.
 *
 * @example
 * ```ts
 * const counts = Object.fromEntries(REASONS.map((reason) => [reason, 0]));
 * ```
 */
export const REASONS = [
  'syntax',
  'threw',
  'stuck',
  'memory',
  'stack',
  'steps',
  'time',
  'calls',
  'output',
  'source',
  'input',
  'aborted',
  'diverged',
  'crashed',
] as const;

/** Why a script failed. See `REASONS`. */
export type Reason = (typeof REASONS)[number];

/** How a script ended. `message` may contain text of the script. Treat it as untrusted content. */
export type ScriptEnd =
  | { readonly status: 'done'; readonly output: string; readonly steps: number }
  | { readonly status: 'failed'; readonly reason: Reason; readonly message: string; readonly steps: number };

/** Runs scripts of one language. They can reach only what a task offers. */
export interface ScriptEngine {
  /** The language of the scripts. */
  readonly language: 'javascript' | 'python';
  /** Explains the language to the model that writes scripts. */
  readonly description: string;
  /** Runs a script to its end. */
  run(task: ScriptTask): Promise<ScriptEnd>;
  /** Ends running scripts and releases the spare threads. */
  close(): Promise<void>;
}

const MESSAGES: Readonly<Record<Exclude<Reason, 'threw' | 'syntax'>, string>> = {
  stuck: 'The script waits for something that never comes.',
  memory: 'The script needed more memory than it may use.',
  stack: 'The script calls itself too deeply.',
  steps: 'The script took more steps than it may.',
  time: 'The script ran longer than it may.',
  calls: 'The script made more calls than it may.',
  output: 'What the script gave back is longer or deeper than it may be.',
  source: 'The script itself is longer than it may be.',
  input: 'The input of the script is longer than it may be.',
  aborted: 'The script was stopped.',
  diverged: 'The script, run again, did something else than before.',
  crashed: 'The machine that ran the script broke down.',
};

export function failure(reason: keyof typeof MESSAGES, steps = 0): ScriptEnd {
  return Object.freeze({ status: 'failed', reason, message: MESSAGES[reason], steps });
}

/** The failure of a task that is too long to run. */
export function refusalOf({ source, input, limits }: ScriptTask): ScriptEnd | undefined {
  if (Buffer.byteLength(source) > limits.sourceBytes) return failure('source');
  return Buffer.byteLength(input) > limits.inputBytes ? failure('input') : undefined;
}
