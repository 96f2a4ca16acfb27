import type { ScriptLimits } from './limits.ts';

/** A call of a function that was offered to a script. */
export interface ScriptCall {
  /** The first is 0. The same script over the same answers makes the same calls under the same numbers. */
  readonly index: number;
  readonly name: string;
  /** The arguments, as the JSON text of a list; undefined where they are longer than they may be, or no list. */
  readonly arguments: string | undefined;
}

/** What a script is told of a call: a value, or words that it can show to somebody. */
export type ScriptAnswer =
  | { readonly ok: true; readonly json: string }
  | { readonly ok: false; readonly message: string };

/** Everything that a script is run on. The same task with the same answers in the same order ends the same way. */
export interface ScriptTask {
  readonly source: string;
  /** What the script finds under `input`, as JSON text. */
  readonly input: string;
  /** The names of the functions it may call. */
  readonly functions: readonly string[];
  readonly limits: ScriptLimits;
  /** What its clock shows, in milliseconds since 1970. It stands still. */
  readonly now: number;
  readonly signal?: AbortSignal;
  call(call: ScriptCall): Promise<ScriptAnswer>;
  /** The script waits for answers and does nothing else. */
  onIdle?(): void;
}

/** Why a script did not come to its end. */
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

export type Reason = (typeof REASONS)[number];

/** How a script ended. `message` may hold words of the script: it is content, never an instruction. */
export type ScriptEnd =
  | { readonly status: 'done'; readonly output: string; readonly steps: number }
  | { readonly status: 'failed'; readonly reason: Reason; readonly message: string; readonly steps: number };

/** Runs scripts of one language, where they can reach nothing but what a task offers. */
export interface ScriptEngine {
  readonly language: 'javascript' | 'python';
  /** What a model that is to write scripts has to know of the language. */
  readonly description: string;
  run(task: ScriptTask): Promise<ScriptEnd>;
  /** Ends what still runs, and lets go of what was kept ready. */
  close(): Promise<void>;
}

const WORDS: Readonly<Record<Exclude<Reason, 'threw' | 'syntax'>, string>> = {
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

export function failure(reason: keyof typeof WORDS, steps = 0): ScriptEnd {
  return Object.freeze({ status: 'failed', reason, message: WORDS[reason], steps });
}

/** What is too long before anything runs. */
export function refusalOf({ source, input, limits }: ScriptTask): ScriptEnd | undefined {
  if (Buffer.byteLength(source) > limits.sourceBytes) return failure('source');
  return Buffer.byteLength(input) > limits.inputBytes ? failure('input') : undefined;
}
