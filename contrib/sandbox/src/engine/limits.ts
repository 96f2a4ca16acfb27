import { SandboxError } from '../errors.ts';

/** The limits of a script. All of them are enforced from outside the script. */
export interface ScriptLimits {
  /** Total bytes of the machine that runs the script. @default 64 MiB */
  readonly memory: number;
  /** Steps: loop turns, calls and regular expression attempts. Counted in units of 10000, the same on every computer. @default 50 million */
  readonly steps: number;
  /** Milliseconds that the script runs, without waiting. @default 10000 */
  readonly time: number;
  /** Milliseconds from start to end, with waiting. @default 120000 */
  readonly total: number;
  /** Function calls. @default 100 */
  readonly calls: number;
  /** UTF-8 bytes of the arguments of one call, as JSON. @default 64 KiB */
  readonly argumentBytes: number;
  /** UTF-8 bytes of one call's answer, as JSON. @default 1 MiB */
  readonly resultBytes: number;
  /** UTF-8 bytes of the script's result, as JSON. @default 64 KiB */
  readonly outputBytes: number;
  /** UTF-8 bytes of the script's code. @default 64 KiB */
  readonly sourceBytes: number;
  /** UTF-8 bytes of the input, as JSON. @default 8 MiB */
  readonly inputBytes: number;
}

const KIB = 1024;
const MIB = KIB * KIB;

/**
 * The limits of a script unless you set others.
 *
 * @example
 * ```ts
 * createScripts({ conversation, engine, limits: { calls: 2 * DEFAULT_LIMITS.calls } });
 * ```
 */
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

/** The engine needs the minimum for itself. The maximum is a share of a 32-bit address space. */
const BOUNDS: Readonly<Partial<Record<keyof ScriptLimits, readonly [number, number]>>> = {
  memory: [4 * MIB, 1024 * MIB],
};

/** The limits with their defaults. An invalid value is refused, because it would not limit anything. */
export function checkLimits(given: Partial<ScriptLimits> = {}, defaults: ScriptLimits = DEFAULT_LIMITS): ScriptLimits {
  const limits = { ...defaults, ...given };
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(DEFAULT_LIMITS, name))
      throw new SandboxError(
        'ERR_INVALID_OPTION',
        `\`limits.${name}\` is not a limit; expected one of ${Object.keys(DEFAULT_LIMITS).join(', ')}.`,
      );
    const [minimum, maximum] = BOUNDS[name as keyof ScriptLimits] ?? [1, 2 ** 31 - 1];
    if (!Number.isInteger(value) || value < minimum || value > maximum)
      throw new SandboxError(
        'ERR_INVALID_OPTION',
        `\`limits.${name}\` must be an integer from ${minimum} to ${maximum}; received ${String(value)}.`,
      );
  }
  return Object.freeze(limits);
}
