import { ASKED, EFFECTS, PRESETS, SUPPLIERS } from '../../api/presets.ts';
import type { PolicyBody } from '../../api/types.ts';

type Outcome = 'allow' | 'ask' | 'deny';

interface TableCell {
  readonly supplier: (typeof SUPPLIERS)[number];
  readonly outcome: Outcome;
  /** Whether the workspace differs from the preset here. */
  readonly isChanged: boolean;
}

export interface TableRow {
  readonly effect: (typeof EFFECTS)[number];
  readonly asked: (typeof ASKED)[number];
  readonly cells: readonly TableCell[];
}

const OUTCOMES: readonly unknown[] = ['allow', 'ask', 'deny'] satisfies Outcome[];

/** A draft may hold anything that is JSON, until the gateway has checked it. */
type Draft = { readonly [name in string]?: Draft } | undefined | null;

function changeIn(table: Draft, names: readonly string[]): Outcome | undefined {
  const found: unknown = names.reduce<Draft>((part, name) => part?.[name], table);
  return OUTCOMES.includes(found) ? (found as Outcome) : undefined;
}

/** What a policy decides for all tools that it does not name. Undefined if its preset has no table. */
export function effectiveTable({ preset = 'balanced', table }: PolicyBody): readonly TableRow[] | undefined {
  if (!Object.hasOwn(PRESETS, preset)) return undefined;
  const given = PRESETS[preset as keyof typeof PRESETS];
  return EFFECTS.flatMap((effect) =>
    ASKED.map((asked) => ({
      effect,
      asked,
      cells: SUPPLIERS.map((supplier, index) => {
        const usual = given[effect][asked][index] as Outcome;
        const outcome = changeIn(table as Draft, [effect, asked, supplier]) ?? usual;
        return { supplier, outcome, isChanged: outcome !== usual };
      }),
    })),
  );
}
