import { SandboxError } from '../errors.ts';

/** What a script may use. Every one of them is enforced from outside the script. */
export interface ScriptLimits {
  /** Bytes of the machine that it runs in, all in all. @default 64 MiB */
  readonly memory: number;
  /** Steps, counted alike on every machine, in tens of thousands: turns of a loop, calls, tries of a regular expression. @default 50 million */
  readonly steps: number;
  /** Milliseconds that the script itself runs, without those in which it waits. @default 10000 */
  readonly time: number;
  /** Milliseconds from beginning to end. @default 120000 */
  readonly total: number;
  /** Calls of functions that were offered. @default 100 */
  readonly calls: number;
  /** UTF-8 bytes of the arguments of one call, as JSON. @default 64 KiB */
  readonly argumentBytes: number;
  /** UTF-8 bytes of what one call answers, as JSON. @default 1 MiB */
  readonly resultBytes: number;
  /** UTF-8 bytes of what the script gives back, as JSON. @default 64 KiB */
  readonly outputBytes: number;
  /** @default 64 KiB */
  readonly sourceBytes: number;
  /** UTF-8 bytes of the input, as JSON. @default 8 MiB */
  readonly inputBytes: number;
}

const KIB = 1024;
const MIB = KIB * KIB;

export const DEFAULT_LIMITS: ScriptLimits = Object.freeze({
  memory: 64 * MIB,
  steps: 50_000_000,
  time: 10_000,
  total: 120_000,
  calls: 100,
  argumentBytes: 64 * KIB,
  resultBytes: MIB,
  outputBytes: 64 * KIB,
  sourceBytes: 64 * KIB,
  inputBytes: 8 * MIB,
});

/** The machine itself needs some, and a 32-bit one has no more. */
const BOUNDS: Readonly<Partial<Record<keyof ScriptLimits, readonly [number, number]>>> = {
  memory: [4 * MIB, 1024 * MIB],
};

/** The limits with their defaults. One that is no number, or not a sensible one, is refused: it would be none. */
export function checkLimits(given: Partial<ScriptLimits> = {}, defaults: ScriptLimits = DEFAULT_LIMITS): ScriptLimits {
  const limits = { ...defaults, ...given };
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(DEFAULT_LIMITS, name))
      throw new SandboxError(
        'ERR_INVALID_OPTION',
        `There is no limit ${name}: see ${Object.keys(DEFAULT_LIMITS).join(', ')}.`,
      );
    const [least, most] = BOUNDS[name as keyof ScriptLimits] ?? [1, 2 ** 31 - 1];
    if (!Number.isInteger(value) || value < least || value > most)
      throw new SandboxError('ERR_INVALID_OPTION', `limits.${name} is a whole number from ${least} to ${most}.`);
  }
  return Object.freeze(limits);
}
