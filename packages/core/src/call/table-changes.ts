import { checkOptionNames, describeValue, SallyportError } from '../base/errors.ts';
import { isOutcome, OUTCOMES, type Outcome } from './call.ts';
import { EFFECTS, type Effect } from './effect.ts';

/** Whether the user asked for an act; `unheard` if the boundary does not hear the user. */
export const ASKED = ['asked', 'not asked', 'unheard'] as const;

export type Asked = (typeof ASKED)[number];

/**
 * Who supplied the worst value that decides what a call does, best first: a trusted source (the user, a value that a service minted,
 * a person who approved it); content that the user pointed at; the model itself; content that others wrote; a request in such
 * content; an instruction to the model in it.
 */
export const SUPPLIERS = ['trusted', 'named', 'model', 'content', 'requested', 'instructed'] as const;

export type Supplier = (typeof SUPPLIERS)[number];

/**
 * Cells of the table that differ from the preset's.
 *
 * @example
 * ```ts
 * const table: TableChanges = { spend: { asked: { named: 'allow' } } };
 * const boundary = createBoundary({ gate: { table } });
 * ```
 */
export type TableChanges = {
  readonly [effect in Exclude<Effect, 'read'>]?: {
    readonly [asked in Asked]?: { readonly [supplier in Supplier]?: Outcome };
  };
};

/** The members of an object, all of which have known names: a misspelt one would be ignored silently. */
function membersOf(value: unknown, names: readonly string[], where: string): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new SallyportError('ERR_INVALID_OPTION', `${where} must be an object; received ${describeValue(value)}.`);
  checkOptionNames(value, names, where);
  return Object.entries(value);
}

const CHANGING = EFFECTS.filter((effect) => effect !== 'read');

/** Refuses a change that names no cell of the table. */
export function checkChanges(changes: TableChanges, where: string): TableChanges {
  for (const [effect, rows] of membersOf(changes, CHANGING, where))
    for (const [asked, cells] of membersOf(rows, ASKED, `${where}.${effect}`))
      for (const [supplier, outcome] of membersOf(cells, SUPPLIERS, `${where}.${effect}.${asked}`))
        if (!isOutcome(outcome))
          throw new SallyportError(
            'ERR_INVALID_OPTION',
            `${where}.${effect}.${asked}.${supplier} must be one of ${OUTCOMES.join(', ')}; received ${describeValue(outcome)}.`,
          );
  return changes;
}
