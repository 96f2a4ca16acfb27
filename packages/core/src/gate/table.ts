import type { Outcome } from '../call/call.ts';
import type { Effect } from '../call/effect.ts';
import { SUPPLIERS, type Supplier, type TableChanges } from '../call/table-changes.ts';

/** What happens to a call, by its effect and by who supplied the worst of the values that decide what it does. */
export type Table = Readonly<Record<Exclude<Effect, 'read'>, readonly Outcome[]>>;

const ask = 'ask';
const deny = 'deny';
const allow = 'allow';

// #region balanced
//                                    trusted model  content instructed
/* biome-ignore format: a table */
const ORDINARY: readonly Outcome[] = [allow,  allow, allow,  deny];
/* biome-ignore format: a table */
const GRAVE:    readonly Outcome[] = [allow,  allow, ask,    deny];

/** Without a judge: what content chose is asked about where it cannot be taken back, or goes on. */
export const BALANCED: Table = {
  fetch: ORDINARY,
  write: ORDINARY,
  send: ORDINARY,
  configure: GRAVE,
  spend: GRAVE,
  destroy: GRAVE,
  execute: GRAVE,
};
// #endregion balanced

// #region strict
const HELD: readonly Outcome[] = [allow, ask, ask, deny];

/** Whatever no trusted source wrote is asked about. */
export const STRICT: Table = {
  fetch: HELD,
  write: HELD,
  send: HELD,
  configure: HELD,
  spend: HELD,
  destroy: HELD,
  execute: HELD,
};
// #endregion strict

const GRAVE_EFFECTS: ReadonlySet<Effect> = new Set(['configure', 'spend', 'destroy', 'execute']);

/** Effects that cannot be taken back, or that go on. The judge is asked more often about them, whatever the table says. */
export function isGrave(effect: Effect): boolean {
  return GRAVE_EFFECTS.has(effect);
}

/** The worse of two suppliers. */
export function worse(one: Supplier, other: Supplier): Supplier {
  return SUPPLIERS.indexOf(one) >= SUPPLIERS.indexOf(other) ? one : other;
}

/** The cell of a table. */
export interface Cell {
  readonly effect: Exclude<Effect, 'read'>;
  readonly supplier: Supplier;
}

/** What the first of some changes that names a cell says; undefined if none does. */
export function changedIn(
  { effect, supplier }: Cell,
  changes: readonly (TableChanges | undefined)[],
): Outcome | undefined {
  return changes.map((each) => each?.[effect]?.[supplier]).find((outcome) => outcome !== undefined);
}

/** What a table says. */
export function outcomeIn(table: Table, { effect, supplier }: Cell): Outcome {
  return table[effect][SUPPLIERS.indexOf(supplier)] ?? 'deny';
}
