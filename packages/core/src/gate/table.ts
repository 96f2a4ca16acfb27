import type { Outcome } from '../call/call.ts';
import type { Effect } from '../call/effect.ts';
import type { TrustClass } from '../provenance/trust.ts';
import type { Asked } from '../task/task.ts';

/** The columns of the table, best first: who supplied the worst value that decides what a call does. */
export const COLUMNS = ['trusted', 'named', 'model', 'content', 'requested', 'instructed'] as const;

export type Column = (typeof COLUMNS)[number];

type Row = readonly Outcome[];

/** What happens to a call, by its effect, whether the user asked for it, and who supplied its worst deciding value. */
type Table = Readonly<Record<Exclude<Effect, 'read'>, Readonly<Record<Asked, Row>>>>;

const ask = 'ask';
const deny = 'deny';
const allow = 'allow';

// #region table
/* biome-ignore format: a table */
const TABLE: Table = {
  //                          trusted named  model  content requested instructed
  fetch:     { 'asked':      [allow,  allow, allow, allow,  allow,    deny],
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
// #endregion table

const COLUMN_OF: Readonly<Record<TrustClass, Column>> = {
  vouched: 'trusted',
  pointed: 'named',
  own: 'model',
  open: 'content',
  requested: 'requested',
  suspect: 'requested',
  flagged: 'instructed',
};

export function columnOf(trust: TrustClass): Column {
  return COLUMN_OF[trust];
}

export function outcomeIn(effect: Exclude<Effect, 'read'>, asked: Asked, column: Column): Outcome {
  return TABLE[effect][asked][COLUMNS.indexOf(column)] ?? 'deny';
}
