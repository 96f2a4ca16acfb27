import type { JsonSchema } from '@sallyport/core/adapter';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { SandboxError } from '../errors.ts';
import { checkArgument } from './argument.ts';

/** As much of the Standard Schema interface as is used: Zod, Valibot, ArkType and others have it. */
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

export type Checked<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

/** A schema that can be shown to a model and that an answer can be held against. */
export interface AnswerSchema<T> {
  /** The JSON Schema; undefined where only a program knows it. */
  readonly json: JsonSchema | undefined;
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
          // A stack that is not deep enough for this schema and this answer.
          return { ok: false, problem: 'The answer cannot be checked.' };
        }
      },
    };
  } catch (cause) {
    throw new SandboxError('ERR_ARGUMENT_MALFORMED', 'The schema is not a JSON Schema that can be checked.', { cause });
  }
}

/** A JSON Schema, or any schema with the Standard Schema interface. */
export function answerSchema<T>(schema: JsonSchema | StandardSchema<T>): AnswerSchema<T> {
  const isObject = typeof schema === 'object' && schema !== null;
  if (!isObject && typeof schema !== 'boolean')
    throw new SandboxError('ERR_ARGUMENT_MALFORMED', 'A schema is a JSON Schema or a Standard Schema.');
  const answer =
    isObject && isStandard(schema) ? standardSchema(schema as StandardSchema<T>) : jsonSchema<T>(schema as JsonSchema);
  if (answer.json !== undefined) checkArgument(JSON.stringify(answer.json), 'The schema');
  return answer;
}

/** Keywords that cost no more than the schema and the answer are long. A pattern, or `oneOf`, could take for ever. */
const PLAIN: ReadonlySet<string> = new Set([
  ...['$schema', '$comment', 'title', 'description', 'default', 'examples', 'format'],
  ...['type', 'enum', 'const', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties', 'required'],
]);
const HOLDS_SCHEMA: ReadonlySet<string> = new Set([
  'items',
  'additionalProperties',
  'not',
  'contains',
  'propertyNames',
]);
const HOLDS_LIST: ReadonlySet<string> = new Set(['anyOf', 'allOf', 'prefixItems']);
const MAX_SCHEMAS = 100;
const MAX_VALUES = 100;
const DEEPEST = 20;

function inside(keyword: string, value: unknown): readonly unknown[] {
  if (PLAIN.has(keyword)) return [];
  if (HOLDS_SCHEMA.has(keyword)) return [value];
  if (HOLDS_LIST.has(keyword) && Array.isArray(value)) return value;
  if (keyword === 'properties' && typeof value === 'object' && value !== null) return Object.values(value);
  throw new SandboxError(
    'ERR_ARGUMENT_MALFORMED',
    `A schema that a script makes is one of types, properties, items and bounds: ${JSON.stringify(keyword).slice(0, 60)} is not among them.`,
  );
}

function tooMuch(): SandboxError {
  return new SandboxError('ERR_ARGUMENT_MALFORMED', 'The schema has too many parts, values to choose from, or levels.');
}

/** The schemas directly within one, after a look at what it says itself. */
function partsOf(schema: unknown): readonly unknown[] {
  if (typeof schema === 'boolean') return [];
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    throw new SandboxError('ERR_ARGUMENT_MALFORMED', 'A schema is an object, or true or false.');
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (keyword === 'enum' && Array.isArray(value) && value.length > MAX_VALUES) throw tooMuch();
    return inside(keyword, value);
  });
}

/** A schema that a script made. It is somebody else's words, so checking by it has to be cheap whatever it says. */
export function plainSchema(given: unknown): JsonSchema {
  checkArgument(JSON.stringify(given ?? null), 'The schema');
  let [level, count]: [readonly unknown[], number] = [[given], 0];
  for (let depth = 0; level.length > 0; depth++) {
    count += level.length;
    if (count > MAX_SCHEMAS || depth > DEEPEST) throw tooMuch();
    level = level.flatMap(partsOf);
  }
  return given as JsonSchema;
}
