import type { JsonSchema } from '@sallyport/core/adapter';
import { isFields } from '../message/fields.ts';

const TABLES: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions']);
const SCHEMAS: ReadonlySet<string> = new Set([
  'items',
  'additionalProperties',
  'anyOf',
  'oneOf',
  'allOf',
  'prefixItems',
]);
const DEEPEST = 32;

function namesIn(value: unknown, depth: number): unknown {
  if (Array.isArray(value) && depth <= DEEPEST) return value.map((each) => namesIn(each, depth + 1));
  if (!isFields(value) || depth > DEEPEST) return {};
  const kept = Object.entries(value).flatMap(([keyword, given]): [string, unknown][] => {
    if (keyword === '$ref' && typeof given === 'string') return [[keyword, given]];
    if (SCHEMAS.has(keyword)) return [[keyword, namesIn(given, depth + 1)]];
    if (!TABLES.has(keyword) || !isFields(given)) return [];
    const schemas = Object.entries(given).map(([name, schema]) => [name, namesIn(schema, depth + 1)]);
    return [[keyword, Object.fromEntries(schemas)]];
  });
  return Object.fromEntries(kept);
}

/**
 * What is left of a schema whose author nobody trusts: how arguments are called. The values that it lists are his words, and
 * must not vouch for anything.
 */
export function namesOf(schema: unknown): JsonSchema {
  return namesIn(schema, 0) as JsonSchema;
}
