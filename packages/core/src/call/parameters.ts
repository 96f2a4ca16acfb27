import { describeValue, SallyportError } from '../base/errors.ts';
import { isFields } from '../json/fields.ts';
import type { JsonSchema } from '../json/schema.ts';

/** A schema of a library that can be converted to JSON Schema, as Standard JSON Schema defines it. */
interface StandardSchema<Input = unknown> {
  readonly '~standard': {
    readonly types?: { readonly input: Input } | undefined;
    readonly jsonSchema: { readonly input: (options: { readonly target: string }) => Record<string, unknown> };
  };
}

/**
 * The schema of a tool's arguments: a JSON Schema, or a schema of a library that can be converted to one (Standard JSON Schema).
 *
 * @example
 * ```ts
 * const parameters: ToolParameters = { type: 'object', properties: { iban: { type: 'string' } } };
 * ```
 */
export type ToolParameters = JsonSchema | StandardSchema;

/** A schema whose names are not all among its own `properties`. */
type Composed =
  | { readonly allOf: unknown }
  | { readonly anyOf: unknown }
  | { readonly oneOf: unknown }
  | { readonly $ref: unknown };

/** The names of arguments that a schema declares; any string if its type does not say. */
export type ArgumentName<Parameters> =
  Parameters extends StandardSchema<infer Input>
    ? Extract<keyof Input, string>
    : Parameters extends Composed
      ? string
      : Parameters extends { readonly properties: infer Properties }
        ? Extract<keyof Properties, string>
        : string;

function isStandard(parameters: object): parameters is StandardSchema {
  return '~standard' in parameters;
}

/** The parameters as a JSON Schema. */
export function jsonSchemaOf(parameters: ToolParameters, tool: string): JsonSchema {
  if (typeof parameters !== 'object' || parameters === null || !isStandard(parameters)) return parameters;
  try {
    return parameters['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
  } catch (cause) {
    throw new SallyportError(
      'ERR_INVALID_OPTION',
      `Tool ${tool}: \`parameters\` cannot be converted to JSON Schema: ${describeValue((cause as Error)?.message)}. Pass a JSON Schema.`,
      { cause },
    );
  }
}

/**
 * The schema of a tool's arguments in whatever form a framework keeps it; undefined if it cannot be read. Of a schema that cannot be
 * converted, such as one with dates, the names of the arguments are kept.
 *
 * @example
 * ```ts
 * wireTools(conversation, [{ name, parameters: parametersOf(tool.schema) }], declare);
 * ```
 */
export function parametersOf(schema: unknown): ToolParameters | undefined {
  if (!isFields(schema)) return undefined;
  const { shape, '~standard': standard } = schema;
  if (standard === undefined && shape === undefined) return schema;
  try {
    if (standard !== undefined) return jsonSchemaOf(schema as unknown as StandardSchema, 'tool');
  } catch {
    // The names are enough to find a misspelt one.
  }
  if (!isFields(shape)) return undefined;
  return { type: 'object', properties: Object.fromEntries(Object.keys(shape).map((name) => [name, {}])) };
}
