import { SESSION_COOKIE } from '../../serve/auth/cookie.ts';
import { objectOf, type Route, type RouteAnswer, type Schema, TEXT } from './route.ts';

export const BASE = '/api/v1';
export const DOCUMENT_PATH = '/openapi.json';

const PROBLEM = { $ref: '#/components/schemas/Problem' };

/** Schema of every error response. */
const PROBLEM_SCHEMA: Schema = objectOf({
  error: { type: 'string', description: 'What is wrong.' },
  next: { type: 'string', description: 'What to do about it.' },
});

const REFUSALS: Readonly<Record<string, string>> = {
  401: 'Credentials are missing or not valid',
  403: 'The caller may not do this',
  404: 'Not found in this workspace',
  422: 'The request is not valid',
  429: 'Too many requests',
  503: 'Temporarily unavailable',
};
const BODY_REFUSALS = {
  400: 'The body is not valid JSON',
  408: 'The body arrived too slowly',
  409: 'The object was changed meanwhile',
  413: 'The body is too large',
  415: 'The Content-Type is not application/json',
};

function refusalsOf({ body }: Route): Record<string, unknown> {
  const all = { ...REFUSALS, ...(body === undefined ? {} : BODY_REFUSALS) };
  const content = { 'application/json': { schema: PROBLEM } };
  return Object.fromEntries(Object.entries(all).map(([status, description]) => [status, { description, content }]));
}

function contentOf({ type = 'application/json', schema, description }: RouteAnswer): unknown {
  return schema === undefined ? { description } : { description, content: { [type]: { schema } } };
}

function parametersOf({ parameters = {}, query = {} }: Route): unknown[] {
  const inPath = Object.entries(parameters).map(([name, schema]) => ({ name, in: 'path', required: true, schema }));
  const inQuery = Object.entries(query).map(([name, schema]) => ({ name, in: 'query', required: false, schema }));
  return [...inPath, ...inQuery];
}

function operationOf(route: Route): unknown {
  const { name, summary, scope, body, answer } = route;
  const scopes = [scope].flat();
  const content = { 'application/json': { schema: route.documentedBody ?? body } };
  return {
    operationId: name,
    summary,
    description: `Needs the scope ${scopes.map((each) => `\`${each}\``).join(' or ')}.`,
    security: scopes.flatMap((each) => [{ bearer: [each] }, { session: [each] }]),
    parameters: parametersOf(route),
    ...(body === undefined ? {} : { requestBody: { required: true, content } }),
    responses: { [answer.status]: contentOf(answer), ...refusalsOf(route) },
  };
}

const OWN = {
  operationId: 'readDocument',
  summary: 'This document',
  security: [],
  responses: {
    200: {
      description: 'OpenAPI 3.1',
      content: {
        'application/json': { schema: { type: 'object', required: ['openapi'], properties: { openapi: TEXT } } },
      },
    },
  },
};

/** The API as an OpenAPI document. */
export function documentOf(routes: readonly Route[], publicUrl: string): Schema {
  const paths: Record<string, Record<string, unknown>> = { [`${BASE}${DOCUMENT_PATH}`]: { get: OWN } };
  for (const route of routes) {
    const path = `${BASE}${route.path}`;
    paths[path] = { ...paths[path], [route.method]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Sallyport gateway', version: '1', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      schemas: { Problem: PROBLEM_SCHEMA },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, or an access token of the configured issuer.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: SESSION_COOKIE,
          description: 'A person who has logged in. Requests that change something need an Origin of the gateway.',
        },
      },
    },
  };
}
