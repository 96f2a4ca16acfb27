import type { Caller, Scope } from '../store/secrets/keys.ts';

/** A JSON Schema of the draft that OpenAPI 3.1 has. */
export type Schema = Readonly<Record<string, unknown>>;

/** A request whose parameters and body are as the route's schemas say. */
export interface Asked<Body = unknown> {
  readonly caller: Caller;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly body: Body;
  readonly authorization: string | null;
}

/** What is answered when all went well. */
export interface RouteAnswer {
  readonly status: 200 | 201 | 204;
  readonly description: string;
  /** @default application/json where there is a schema, else nothing */
  readonly type?: 'application/json' | 'application/jsonl' | 'text/event-stream';
  readonly schema?: Schema;
}

/** One line of the table that both the document and the code are made from. */
export interface Route<Body = unknown> {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** Behind `/api/v1`, parameters in braces. */
  readonly path: string;
  /** Name of the operation. */
  readonly name: string;
  readonly summary: string;
  readonly scope: Scope;
  /** By the names in the path. */
  readonly parameters?: Readonly<Record<string, Schema>>;
  readonly query?: Readonly<Record<string, Schema>>;
  readonly body?: Schema;
  readonly answer: RouteAnswer;
  /** Gives the answer's body, or a whole response where that is a stream. */
  handle(asked: Asked<Body>): Promise<unknown>;
}

/** A line of the table whose handler knows the type that its schema describes. */
export function route<Body = undefined>(line: Route<Body>): Route {
  return line as Route;
}

export const NAME: Schema = { type: 'string', pattern: '^[a-z0-9-]{1,40}$' };
export const DIGEST: Schema = { type: 'string', pattern: '^[0-9a-f]{64}$' };
export const TIME: Schema = { type: 'string', format: 'date-time' };
export const TEXT: Schema = { type: 'string' };
/** A name that people chose. */
export const LINE: Schema = { type: 'string', minLength: 1, maxLength: 256, pattern: '^[^\\p{C}]+$' };

/** An object of these members and no others. Those that end with a question mark may be absent. */
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
