import type { Caller, Scope } from '../../store/secrets/keys.ts';

/** A JSON Schema, draft 2020-12 as in OpenAPI 3.1. */
export type Schema = Readonly<Record<string, unknown>>;

/** A request whose parameters and body match the route's schemas. */
export interface ApiRequest<Body = unknown> {
  readonly caller: Caller;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly body: Body;
  readonly authorization: string | null;
  /** The secret of the caller's session, if it has one. */
  readonly session: string | undefined;
}

/** The success response of a route. */
export interface RouteAnswer {
  readonly status: 200 | 201 | 204;
  readonly description: string;
  /** @default 'application/json' if there is a schema, otherwise none */
  readonly type?: 'application/json' | 'application/jsonl' | 'text/event-stream';
  readonly schema?: Schema;
}

/** One entry of the table from which both the OpenAPI document and the handlers are created. */
export interface Route<Body = unknown> {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** Path below `/api/v1`, with parameters in braces. */
  readonly path: string;
  /** Name of the operation. */
  readonly name: string;
  readonly summary: string;
  /** The scope that a caller needs, or several of which one is enough. */
  readonly scope: Scope | readonly Scope[];
  /** By the names in the path. */
  readonly parameters?: Readonly<Record<string, Schema>>;
  readonly query?: Readonly<Record<string, Schema>>;
  readonly body?: Schema;
  /** The body's schema in the document. @default `body`, unless the handler checks more and says better what is wrong */
  readonly documentedBody?: Schema;
  readonly answer: RouteAnswer;
  /** Returns the response body, or a `Response` if it is a stream. */
  handle(request: ApiRequest<Body>): Promise<unknown>;
}

/** Creates an entry of the table whose handler knows the type that its schema describes. */
export function route<Body = undefined>(entry: Route<Body>): Route {
  return entry as Route;
}

export const NAME: Schema = { type: 'string', pattern: '^[a-z0-9-]{1,40}$' };
export const DIGEST: Schema = { type: 'string', pattern: '^[0-9a-f]{64}$' };
export const TIME: Schema = { type: 'string', format: 'date-time' };
export const TEXT: Schema = { type: 'string' };
/** A name chosen by people. */
export const LINE: Schema = { type: 'string', minLength: 1, maxLength: 256, pattern: '^[^\\p{C}]+$' };

/** Schema of an object with exactly these properties. Names that end with a question mark are optional. */
export function objectOf(members: Readonly<Record<string, Schema>>): Schema {
  const entries = Object.entries(members);
  return {
    type: 'object',
    additionalProperties: false,
    required: entries.flatMap(([name]) => (name.endsWith('?') ? [] : [name])),
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace('?', ''), schema])),
  };
}

export function listOf(items: Schema): Schema {
  return { type: 'array', items };
}
