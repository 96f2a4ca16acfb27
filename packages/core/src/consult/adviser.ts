import { checkOptionNames, describeValue, refuse } from '../base/errors.ts';
import { checkTimeout } from '../base/time-limit.ts';
import { SUPPLIERS, type Supplier } from '../call/table-changes.ts';
import type { Advise } from '../gate/advice.ts';
import type { Decision } from '../gate/decision.ts';
import type { Preset } from '../gate/gate.ts';
import { isAskedByTableAlone } from '../gate/scope.ts';

type SettledEffect = 'write' | 'fetch' | 'send';

/** The worst supplier of a value with which an adviser may settle a question, by effect. */
const SETTLED: Readonly<Record<SettledEffect, Supplier>> = {
  write: 'requested',
  fetch: 'requested',
  // To reach someone whose address only a stranger's request names, a person is asked.
  send: 'content',
};

/**
 * An adviser, and what it may settle.
 *
 * @example
 * ```ts
 * const adviser: AdviserOptions = { advise: adviseWith(generate), settles: ['write'] };
 * const boundary = createBoundary({ tools, adviser });
 * ```
 */
export interface AdviserOptions {
  readonly advise: Advise;
  /**
   * Effects for which a call that fits is allowed without asking a person. Never after a secret was read, and never with a value
   * from a text that may be an instruction. @default none: the advice is only shown to the person
   */
  readonly settles?: readonly SettledEffect[];
  /** Maximum number of milliseconds for one call. @default 20000 */
  readonly timeout?: number;
}

export interface Adviser {
  readonly advise: Advise;
  readonly settles: ReadonlySet<string>;
  readonly timeout: number;
}

/** Refuses an adviser that would settle questions of the preset strict. */
export function checkSettling(settles: readonly string[], preset: Preset): void {
  if (preset === 'strict' && settles.length > 0)
    refuse(
      '`adviser.settles` must be empty with the preset strict: content could choose arguments that convince the adviser.',
    );
}

export function createAdviser(options: AdviserOptions | undefined, preset: Preset): Adviser | undefined {
  if (options === undefined) return undefined;
  if (typeof options?.advise !== 'function')
    refuse(
      `\`adviser\` must be an object such as { advise: adviseWith(generate) }; received ${describeValue(options)}.`,
    );
  checkOptionNames(options, ['advise', 'settles', 'timeout'], 'adviser');
  const { advise, settles = [], timeout = 20_000 } = options;
  const effects = Object.keys(SETTLED);
  if (!Array.isArray(settles) || !settles.every((effect) => effects.includes(effect)))
    refuse(
      `\`adviser.settles\` must be an array of ${effects.join(', ')}; received ${describeValue(Array.isArray(settles) ? settles.find((effect) => !effects.includes(effect)) : settles)}.`,
    );
  checkSettling(settles, preset);
  return { advise, settles: new Set(settles), timeout: checkTimeout(timeout, 'adviser.timeout') };
}

/** Whether an adviser may allow a call in place of a person. */
export function canSettle(decision: Decision, settles: ReadonlySet<string>): boolean {
  const { call, outcome, cell = '', arguments: all } = decision;
  const [effect, , supplier] = cell.split(', ') as [SettledEffect, string, Supplier];
  return (
    outcome === 'ask' &&
    settles.has(effect) &&
    isAskedByTableAlone(decision) &&
    SUPPLIERS.indexOf(supplier) <= SUPPLIERS.indexOf(SETTLED[effect]) &&
    call.context.confidentiality !== 'secret' &&
    all.every(({ provenance: { trust } }) => trust !== 'suspect' && trust !== 'flagged')
  );
}
