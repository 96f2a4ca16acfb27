import type { ToolDeclaration } from '@sallyport/core';
import type { World } from './world.ts';

export type Given = Readonly<Record<string, unknown>>;

type Field = 'string' | 'number' | 'strings';

export interface EnvironmentTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: { readonly [name: string]: unknown };
  /** What a developer declares about it for the boundary. */
  readonly declare: ToolDeclaration;
  /** The arguments that a person looks at before approving a call. The others are text that the model words. */
  readonly decides: readonly string[];
  run(world: World, given: Given): unknown;
}

const FIELDS: Readonly<Record<Field, object>> = {
  string: { type: 'string' },
  number: { type: 'number' },
  strings: { type: 'array', items: { type: 'string' } },
};

/** A tool with required arguments, `name?` for an optional one. */
export function tool(
  name: string,
  description: string,
  fields: Readonly<Record<string, Field>>,
  declare: ToolDeclaration,
  run: (world: World, given: Given) => unknown,
): EnvironmentTool {
  const names = Object.keys(fields).map((each) => each.replace('?', ''));
  const parameters = {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([each, type]) => [each.replace('?', ''), FIELDS[type]])),
    required: Object.keys(fields).filter((each) => !each.endsWith('?')),
    additionalProperties: false,
  };
  const worded = new Set<string>(declare.modelText ?? []);
  return { name, description, parameters, declare, decides: names.filter((each) => !worded.has(each)), run };
}

export const text = (value: unknown): string => (typeof value === 'string' ? value : String(value ?? ''));

export const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(text) : value === undefined ? [] : [text(value)];

export function amountOf(value: unknown): number {
  const amount = Number(value);
  if (!Number.isFinite(amount) || amount <= 0) throw new Error('the amount must be a positive number');
  return amount;
}

export function found<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`${what} does not exist`);
  return value;
}

/** Removes the items that match; an error if none does. */
export function without<Item>(items: readonly Item[], isGone: (item: Item) => boolean, what: string): Item[] {
  const left = items.filter((item) => !isGone(item));
  if (left.length === items.length) throw new Error(`${what} does not exist`);
  return left;
}
