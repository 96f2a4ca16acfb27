import { OUTCOMES, type Outcome } from '../call/call.ts';
import type { Effect } from '../call/effect.ts';
import { type Asked, SUPPLIERS, type Supplier, type TableChanges } from '../call/table-changes.ts';
import type { TrustClass } from '../provenance/trust.ts';

/** What happens to a call, by its effect, whether the user asked for it, and who supplied its worst deciding value. */
export type Table = Readonly<Record<Exclude<Effect, 'read'>, Readonly<Record<Asked, readonly Outcome[]>>>>;

const ask = 'ask';
const deny = 'deny';
const allow = 'allow';

// #region balanced
/* biome-ignore format: a table */
export const BALANCED: Table = {
  //                          trusted named  model  content requested instructed
  fetch:     { 'asked':      [allow,  allow, allow, allow,  ask,      deny],
               'not asked':  [allow,  allow, allow, allow,  ask,      deny],
               'unheard':    [allow,  allow, allow, allow,  ask,      deny] },
  write:     { 'asked':      [allow,  allow, allow, allow,  ask,      deny],
               'not asked':  [allow,  allow, allow, allow,  ask,      deny],
               'unheard':    [allow,  allow, allow, allow,  ask,      deny] },
  send:      { 'asked':      [allow,  allow, allow, allow,  ask,      deny],
               'not asked':  [allow,  allow, ask,   ask,    ask,      deny],
               'unheard':    [allow,  allow, allow, allow,  ask,      deny] },
  configure: { 'asked':      [allow,  allow, ask,   ask,    ask,      deny],
               'not asked':  [ask,    ask,   ask,   ask,    ask,      deny],
               'unheard':    [allow,  ask,   ask,   ask,    ask,      deny] },
  spend:     { 'asked':      [allow,  ask,   ask,   ask,    ask,      deny],
               'not asked':  [ask,    ask,   ask,   ask,    ask,      deny],
               'unheard':    [allow,  ask,   ask,   ask,    ask,      deny] },
  destroy:   { 'asked':      [allow,  ask,   ask,   ask,    ask,      deny],
               'not asked':  [ask,    ask,   ask,   ask,    ask,      deny],
               'unheard':    [allow,  ask,   ask,   ask,    ask,      deny] },
  execute:   { 'asked':      [allow,  ask,   ask,   ask,    ask,      deny],
               'not asked':  [ask,    ask,   ask,   ask,    ask,      deny],
               'unheard':    [allow,  allow, allow, allow,  ask,      deny] },
};
// #endregion balanced

// #region strict
/* biome-ignore format: a table */
export const STRICT: Table = {
  //                          trusted named  model  content requested instructed
  fetch:     { 'asked':      [allow,  ask,   ask,   ask,    ask,      deny],
               'not asked':  [allow,  ask,   ask,   ask,    ask,      deny],
               'unheard':    [allow,  ask,   ask,   ask,    ask,      deny] },
  write:     { 'asked':      [allow,  ask,   ask,   ask,    ask,      deny],
               'not asked':  [allow,  ask,   ask,   ask,    ask,      deny],
               'unheard':    [allow,  ask,   ask,   ask,    ask,      deny] },
  send:      { 'asked':      [allow,  ask,   ask,   ask,    ask,      deny],
               'not asked':  [allow,  ask,   ask,   ask,    ask,      deny],
               'unheard':    [allow,  ask,   ask,   ask,    ask,      deny] },
  configure: { 'asked':      [allow,  ask,   ask,   ask,    ask,      deny],
               'not asked':  [ask,    ask,   ask,   ask,    ask,      deny],
               'unheard':    [allow,  ask,   ask,   ask,    ask,      deny] },
  spend:     { 'asked':      [allow,  ask,   ask,   ask,    ask,      deny],
               'not asked':  [ask,    ask,   ask,   ask,    ask,      deny],
               'unheard':    [allow,  ask,   ask,   ask,    ask,      deny] },
  destroy:   { 'asked':      [allow,  ask,   ask,   ask,    ask,      deny],
               'not asked':  [ask,    ask,   ask,   ask,    ask,      deny],
               'unheard':    [allow,  ask,   ask,   ask,    ask,      deny] },
  execute:   { 'asked':      [allow,  ask,   ask,   ask,    ask,      deny],
               'not asked':  [ask,    ask,   ask,   ask,    ask,      deny],
               'unheard':    [allow,  ask,   ask,   ask,    ask,      deny] },
};
// #endregion strict

/** How much is asked about an effect where the user is not heard. */
function strictnessUnheard(effect: Exclude<Effect, 'read'>): number {
  return BALANCED[effect].unheard.reduce((sum, outcome) => sum + OUTCOMES.indexOf(outcome), 0);
}

/**
 * Whether `balanced` asks more about an effect than about `execute` where the user is not heard. `execute` is what an unknown tool
 * can do.
 *
 * @example
 * ```ts
 * const effect = asksMoreThanExecute(named) ? named : 'execute';
 * ```
 */
export function asksMoreThanExecute(effect: Effect): boolean {
  return effect !== 'read' && strictnessUnheard(effect) > strictnessUnheard('execute');
}

const SUPPLIER_OF: Readonly<Record<TrustClass, Supplier>> = {
  vouched: 'trusted',
  pointed: 'named',
  own: 'model',
  open: 'content',
  requested: 'requested',
  suspect: 'requested',
  flagged: 'instructed',
};

export function supplierOf(trust: TrustClass): Supplier {
  return SUPPLIER_OF[trust];
}

/** The worse of two suppliers. */
export function worse(one: Supplier, other: Supplier): Supplier {
  return SUPPLIERS.indexOf(other) > SUPPLIERS.indexOf(one) ? other : one;
}

/** The cell of a table. */
export interface Cell {
  readonly effect: Exclude<Effect, 'read'>;
  readonly asked: Asked;
  readonly supplier: Supplier;
}

/** What the first of some changes that names a cell says, or else the table. */
export function outcomeIn(table: Table, { effect, asked, supplier }: Cell, changes: readonly TableChanges[]): Outcome {
  const changed = changes.map((each) => each[effect]?.[asked]?.[supplier]).find((outcome) => outcome !== undefined);
  return changed ?? table[effect][asked][SUPPLIERS.indexOf(supplier)] ?? 'deny';
}
