import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { RequestError } from './problem.ts';
import type { Schema } from './route.ts';

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;
const MAX_PATH_LENGTH = 100;

/** Compiles the schemas of the document. */
export function createSchemas(): Ajv2020 {
  return new Ajv2020({ allErrors: false, strictTypes: false, formats: { 'date-time': DATE_TIME } });
}

/** Where the problem is. Names below the credentials are left out: a secret may stand among them by mistake. */
function placeOf({ instancePath }: ErrorObject): string {
  const path = instancePath.replace(/^\/credentials\/.*/s, '/credentials').slice(0, MAX_PATH_LENGTH);
  return /^[\w/~.-]+$/.test(path) ? path : 'its top';
}

function wordsOf(error: ErrorObject): string {
  if (error.keyword === 'additionalProperties') return 'it has a member that nobody knows';
  if (error.keyword === 'enum') return `it is one of ${(error.params.allowedValues as unknown[]).join(', ')}`;
  return error.message ?? 'is wrong';
}

/** PostgreSQL keeps no NUL, and half of a character would become another one. */
function isKept(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

const MAX_DEEP = 32;

function isKeptAll(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return isKept(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth > MAX_DEEP) return false;
  return Object.entries(value).every(([name, each]) => isKept(name) && isKeptAll(each, depth + 1));
}

/** Reads a body as its schema says. */
export function readJson(text: string, validate: ValidateFunction): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new RequestError(400, 'The body is not JSON.');
  }
  if (!isKeptAll(value))
    throw new RequestError(422, 'The body holds a NUL, half of a character, or is nested too deep.');
  if (validate(value)) return value;
  const [error] = validate.errors ?? [];
  throw new RequestError(
    422,
    error === undefined ? 'The body is wrong.' : `The body at ${placeOf(error)}: ${wordsOf(error)}.`,
  );
}

/** Compiles what tells whether texts of a path or a query are as their schemas say. */
export function textsCheck(
  ajv: Ajv2020,
  schemas: Readonly<Record<string, Schema>> = {},
): (texts: Readonly<Record<string, string | undefined>>) => string | undefined {
  const checks = Object.entries(schemas).map(([name, schema]) => [name, ajv.compile(schema)] as const);
  const isGood = (check: ValidateFunction, text: string | undefined): boolean =>
    text === undefined || (isKept(text) && check(text));
  return (texts) => checks.find(([name, check]) => !isGood(check, texts[name]))?.[0];
}
