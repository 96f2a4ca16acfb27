import type { JsonSchema } from '@sallyport/core/adapter';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { SandboxError } from '../errors.ts';
import { checkArgument } from './argument.ts';

/** The used part of the Standard Schema interface, which Zod, Valibot, ArkType and others implement. */
export interface StandardSchema<T = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    validate(value: unknown): StandardResult<T> | Promise<StandardResult<T>>;
    readonly jsonSchema?: { input(options: { target: 'draft-2020-12' }): Readonly<Record<string, unknown>> };
  };
}

type StandardResult<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string }[] };

/** The result of checking an answer against a schema. */
export type Checked<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

/** A schema that a model can read and that an answer can be checked against. */
export interface AnswerSchema<T> {
  /** The JSON Schema, or undefined if the schema has no JSON form. */
  readonly json: JsonSchema | undefined;
  /** Checks an answer. */
  check(value: unknown): Promise<Checked<T>>;
}

const MAX_PROBLEM_LENGTH = 1000;

function isStandard(schema: object): schema is StandardSchema {
  return '~standard' in schema;
}

function standardSchema<T>(schema: StandardSchema<T>): AnswerSchema<T> {
  const { '~standard': standard } = schema;
  return {
    json: standard.jsonSchema?.input({ target: 'draft-2020-12' }),
    async check(value) {
      const result = await standard.validate(value);
      if (result.issues === undefined) return { ok: true, value: result.value };
      const problem = result.issues.map(({ message }) => message).join('; ');
      return { ok: false, problem: problem.slice(0, MAX_PROBLEM_LENGTH) };
    },
  };
}

function jsonSchema<T>(schema: JsonSchema): AnswerSchema<T> {
  const ajv = new Ajv2020({ strict: false, strictSchema: true, validateFormats: false, logger: false });
  try {
    const validate = ajv.compile(schema as object);
    return {
      json: schema,
      async check(value) {
        try {
          if (validate(value)) return { ok: true, value: value as T };
          return { ok: false, problem: ajv.errorsText(validate.errors).slice(0, MAX_PROBLEM_LENGTH) };
        } catch {
          // The validator overflowed the stack. Fail closed: the answer does not count as valid.
          return { ok: false, problem: 'The answer cannot be checked.' };
        }
      },
    };
  } catch (cause) {
    throw new SandboxError('ERR_ARGUMENT_MALFORMED', 'The schema is not a JSON Schema that can be checked.', { cause });
  }
}

/**
 * Reads a JSON Schema, or any schema with the Standard Schema interface.
 *
 * @example
 * ```ts
 * const schema = answerSchema<{ total: number }>({ type: 'object', properties: { total: { type: 'number' } } });
 * const result = await schema.check(JSON.parse(answer));
 * ```
 */
export function answerSchema<T>(schema: JsonSchema | StandardSchema<T>): AnswerSchema<T> {
  const isObject = typeof schema === 'object' && schema !== null;
  if (!isObject && typeof schema !== 'boolean')
    throw new SandboxError(
      'ERR_ARGUMENT_MALFORMED',
      `The schema must be a JSON Schema or a Standard Schema; received ${typeof schema}.`,
    );
  const answer =
    isObject && isStandard(schema) ? standardSchema(schema as StandardSchema<T>) : jsonSchema<T>(schema as JsonSchema);
  if (answer.json !== undefined) checkArgument(JSON.stringify(answer.json), 'The schema');
  return answer;
}

/** Keywords whose check is linear in the schema and the answer. A pattern or `oneOf` could take exponential time. */
const LINEAR_KEYWORDS: ReadonlySet<string> = new Set([
  ...['$schema', '$comment', 'title', 'description', 'default', 'examples', 'format'],
  ...['type', 'enum', 'const', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties', 'required'],
]);
const SCHEMA_KEYWORDS: ReadonlySet<string> = new Set([
  'items',
  'additionalProperties',
  'not',
  'contains',
  'propertyNames',
]);
const SCHEMA_LIST_KEYWORDS: ReadonlySet<string> = new Set(['anyOf', 'allOf', 'prefixItems']);
const MAX_SCHEMAS = 100;
const MAX_VALUES = 100;
const MAX_DEPTH = 20;

function schemasIn(keyword: string, value: unknown): readonly unknown[] {
  if (LINEAR_KEYWORDS.has(keyword)) return [];
  if (SCHEMA_KEYWORDS.has(keyword)) return [value];
  if (SCHEMA_LIST_KEYWORDS.has(keyword) && Array.isArray(value)) return value;
  if (keyword === 'properties' && typeof value === 'object' && value !== null) return Object.values(value);
  throw new SandboxError(
    'ERR_ARGUMENT_MALFORMED',
    `A script's schema may use types, properties, items and bounds only; received ${JSON.stringify(keyword).slice(0, 60)}.`,
  );
}

function schemaTooLarge(): SandboxError {
  return new SandboxError('ERR_ARGUMENT_MALFORMED', 'The schema has too many parts, enum values or levels.');
}

/** The schemas directly inside a schema, after a check of its own keywords. */
function partsOf(schema: unknown): readonly unknown[] {
  if (typeof schema === 'boolean') return [];
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    throw new SandboxError('ERR_ARGUMENT_MALFORMED', 'A schema must be an object, true or false.');
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (keyword === 'enum' && Array.isArray(value) && value.length > MAX_VALUES) throw schemaTooLarge();
    return schemasIn(keyword, value);
  });
}

/** Checks a script's schema. It is untrusted, so validating against it must be cheap. */
export function plainSchema(given: unknown): JsonSchema {
  checkArgument(JSON.stringify(given ?? null), 'The schema');
  let [level, count]: [readonly unknown[], number] = [[given], 0];
  for (let depth = 0; level.length > 0; depth++) {
    count += level.length;
    if (count > MAX_SCHEMAS || depth > MAX_DEPTH) throw schemaTooLarge();
    level = level.flatMap(partsOf);
  }
  return given as JsonSchema;
}
