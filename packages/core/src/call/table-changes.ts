import { checkOptionNames, describeValue, refuse } from '../base/errors.ts';
import { isOutcome, OUTCOMES, type Outcome } from './call.ts';
import { EFFECTS, type Effect } from './effect.ts';

/**
 * Who supplied a value, best first: a trusted source (the user, the application, the tool's schema, a service that named its own thing);
 * the model, where the value occurs nowhere; content that others wrote; only an instruction to the model in such content.
 *
 * @example
 * ```ts
 * const isWorse = SUPPLIERS.indexOf(one) > SUPPLIERS.indexOf(other);
 * ```
 */
export const SUPPLIERS = ['trusted', 'model', 'content', 'instructed'] as const;

/**
 * Who supplied a value; see `SUPPLIERS`.
 *
 * @example
 * ```ts
 * const held = facts.values.filter(({ supplier }) => supplier !== ('trusted' satisfies Supplier));
 * ```
 */
export type Supplier = (typeof SUPPLIERS)[number];

/**
 * Cells of the table that you change. `ask` and `deny` hold whatever a judge says; `allow` replaces what the table says.
 *
 * @example
 * ```ts
 * const table: TableChanges = { spend: { content: 'ask' } };
 * const boundary = createBoundary({ gate: { table } });
 * ```
 */
export type TableChanges = {
  readonly [effect in Exclude<Effect, 'read'>]?: { readonly [supplier in Supplier]?: Outcome };
};

/** The members of an object, all of which have known names: a misspelt one would be ignored silently. */
function membersOf(value: unknown, names: readonly string[], where: string): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    refuse(`${where} must be an object; received ${describeValue(value)}.`);
  checkOptionNames(value, names, where);
  return Object.entries(value);
}

const CHANGING = EFFECTS.filter((effect) => effect !== 'read');

/** Refuses a change that names no cell of the table. */
export function checkChanges(changes: TableChanges, where: string): TableChanges {
  for (const [effect, cells] of membersOf(changes, CHANGING, where))
    for (const [supplier, outcome] of membersOf(cells, SUPPLIERS, `${where}.${effect}`))
      if (!isOutcome(outcome))
        refuse(
          `${where}.${effect}.${supplier} must be one of ${OUTCOMES.join(', ')}; received ${describeValue(outcome)}.`,
        );
  return changes;
}
