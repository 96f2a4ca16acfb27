import { isFields } from './fields.ts';
import type { JsonSchema } from './schema.ts';

const TABLES: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions']);
const SCHEMAS: ReadonlySet<string> = new Set([
  'items',
  'additionalProperties',
  'anyOf',
  'oneOf',
  'allOf',
  'prefixItems',
]);
const MAX_DEPTH = 32;

function namesIn(value: unknown, depth: number): unknown {
  if (Array.isArray(value) && depth <= MAX_DEPTH) return value.map((each) => namesIn(each, depth + 1));
  if (!isFields(value) || depth > MAX_DEPTH) return {};
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
 * An untrusted schema reduced to the names of its arguments. Its author chose the values that it lists, so they must not vouch for
 * an argument.
 *
 * @example
 * ```ts
 * defineTool({ name, effect, parameters: argumentNamesOf(listed.inputSchema) });
 * ```
 */
export function argumentNamesOf(schema: unknown): JsonSchema {
  return namesIn(schema, 0) as JsonSchema;
}
