import { EFFECTS, PRESETS, SUPPLIERS } from '../../api/presets.ts';
import type { PolicyBody } from '../../api/types.ts';
import type { Effect, Supplier } from '../../parts/words/policy-cell.ts';

export type Outcome = 'allow' | 'ask' | 'deny';

interface TableCell {
  readonly supplier: Supplier;
  readonly outcome: Outcome;
  /** Set if the workspace decides this cell itself. */
  readonly isChanged: boolean;
}

export interface TableRow {
  readonly effect: Effect;
  readonly cells: readonly TableCell[];
}

export const OUTCOMES = ['allow', 'ask', 'deny'] as const satisfies readonly Outcome[];

/** A draft may hold anything that is JSON, until the gateway has checked it. */
type Draft = { readonly [name in string]?: Draft } | undefined | null;

function changeIn(table: Draft, names: readonly string[]): Outcome | undefined {
  const found: unknown = names.reduce<Draft>((part, name) => part?.[name], table);
  return OUTCOMES.find((outcome) => outcome === found);
}

/** A policy's decisions for all tools that it does not name. Undefined if its preset has no table. */
export function effectiveTable({ preset = 'balanced', table }: PolicyBody): readonly TableRow[] | undefined {
  if (!Object.hasOwn(PRESETS, preset)) return undefined;
  const given = PRESETS[preset as keyof typeof PRESETS];
  return EFFECTS.map((effect) => ({
    effect,
    cells: SUPPLIERS.map((supplier, index) => {
      const change = changeIn(table as Draft, [effect, supplier]);
      return { supplier, outcome: change ?? (given[effect][index] as Outcome), isChanged: change !== undefined };
    }),
  }));
}

/** A cell of the table. */
export interface CellName {
  readonly effect: Effect;
  readonly supplier: Supplier;
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

/** An object with a member replaced, or without it if it is undefined or empty. */
function withMember(given: unknown, name: string, value: unknown): Record<string, unknown> {
  const { [name]: _, ...rest } = (typeof given === 'object' && given !== null ? given : {}) as Record<string, unknown>;
  const isGone = value === undefined || (typeof value === 'object' && value !== null && isEmpty(value));
  return isGone ? rest : { ...rest, [name]: value };
}

/** The policy with another outcome in one cell. What the preset says anyway is not written. */
export function withCell(body: PolicyBody, { effect, supplier }: CellName, outcome: Outcome): PolicyBody {
  const preset = PRESETS[(body.preset ?? 'balanced') as keyof typeof PRESETS];
  const usual = preset?.[effect][SUPPLIERS.indexOf(supplier)];
  const table = body.table as Draft;
  const cells = withMember(table?.[effect], supplier, outcome === usual ? undefined : outcome);
  return withMember(body, 'table', withMember(table, effect, cells)) as PolicyBody;
}
