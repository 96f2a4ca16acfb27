import { parseJson } from '@sallyport/core/json';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { RequestError } from './problem.ts';
import type { Schema } from './route.ts';

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;
const MAX_PATH_LENGTH = 100;

/** Creates the compiler of the document's schemas. */
export function createSchemas(): Ajv2020 {
  return new Ajv2020({ allErrors: false, strictTypes: false, formats: { 'date-time': DATE_TIME } });
}

/** JSON Pointer to the problem. It does not go below the credentials, where a name could be a secret by mistake. */
function pointerOf({ instancePath }: ErrorObject): string {
  const path = instancePath.replace(/^\/credentials\/.*/s, '/credentials').slice(0, MAX_PATH_LENGTH);
  return /^[\w/~.-]+$/.test(path) ? path : '/';
}

function messageOf(error: ErrorObject): string {
  if (error.keyword === 'additionalProperties') return 'must not have unknown properties';
  if (error.keyword === 'enum') return `must be one of ${(error.params.allowedValues as unknown[]).join(', ')}`;
  return error.message ?? 'is not valid';
}

/** PostgreSQL cannot store NUL, and would replace a lone surrogate. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

const MAX_DEPTH = 32;

function isAllStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth > MAX_DEPTH) return false;
  return Object.entries(value).every(([name, each]) => isStorable(name) && isAllStorable(each, depth + 1));
}

/** Parses a body and validates it. */
export function readJson(text: string, validate: ValidateFunction): unknown {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw new RequestError(400, 'The body is not valid JSON.');
  }
  if (!isAllStorable(value))
    throw new RequestError(
      422,
      `The body contains a NUL or a lone surrogate, or is nested more than ${MAX_DEPTH} levels deep.`,
    );
  if (validate(value)) return value;
  const [error] = validate.errors ?? [];
  throw new RequestError(
    422,
    error === undefined
      ? 'The body is not valid.'
      : `The body is not valid at ${pointerOf(error)}: it ${messageOf(error)}.`,
  );
}

/** Compiles a check of path or query parameters, which returns the name of the first one that is not valid. */
export function textsCheck(
  ajv: Ajv2020,
  schemas: Readonly<Record<string, Schema>> = {},
): (texts: Readonly<Record<string, string | undefined>>) => string | undefined {
  const checks = Object.entries(schemas).map(([name, schema]) => [name, ajv.compile(schema)] as const);
  const isValid = (check: ValidateFunction, text: string | undefined): boolean =>
    text === undefined || (isStorable(text) && check(text));
  return (texts) => checks.find(([name, check]) => !isValid(check, texts[name]))?.[0];
}
