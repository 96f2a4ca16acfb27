import type { Ajv2020 } from 'ajv/dist/2020.js';
import { type Context, type Handler, Hono } from 'hono';
import { type AdmissionOptions, type AdmittedEnvironment, admitted } from '../serve/auth/admission.ts';
import { sessionIn } from '../serve/auth/cookie.ts';
import { readBody } from '../serve/body.ts';
import type { Submissions } from '../store/submissions.ts';
import { type ApprovalRouteOptions, approvalRoutes } from './approvals.ts';
import { type ChainRouteOptions, chainRoutes } from './audit/chain.ts';
import { searchRoutes } from './audit/search.ts';
import { type StatisticsRouteOptions, statisticsRoutes } from './audit/statistics.ts';
import { type ConnectionRouteOptions, connectionRoutes } from './connections.ts';
import { type ConversationRouteOptions, conversationRoutes } from './conversations.ts';
import { DryRuns } from './dry-run.ts';
import { type EventRouteOptions, eventRoutes } from './events.ts';
import { conversationFeedbackRoutes } from './feedback/conversation-feedback.ts';
import { type CorrectionRouteOptions, correctionRoutes } from './feedback/corrections.ts';
import { type FindingRouteOptions, findingRoutes } from './feedback/findings.ts';
import { thresholdRoutes } from './feedback/thresholds.ts';
import { type KeyRouteOptions, keyRoutes } from './keys.ts';
import { peopleRoutes } from './people.ts';
import { pinRoutes } from './pins.ts';
import { policyRoutes } from './policy.ts';
import { createSchemas, readJson, textsCheck } from './route/check.ts';
import { BASE, DOCUMENT_PATH, documentOf } from './route/document.ts';
import { problemOf, RequestError } from './route/problem.ts';
import type { ApiRequest, Route } from './route/route.ts';
import { type ServerRouteOptions, serverRoutes } from './servers.ts';
import { submissionRoutes } from './submissions.ts';
import { type WebhookRouteOptions, webhookRoutes } from './webhooks.ts';

export interface ApiOptions
  extends AdmissionOptions,
    ApprovalRouteOptions,
    ChainRouteOptions,
    ConversationRouteOptions,
    ConnectionRouteOptions,
    CorrectionRouteOptions,
    EventRouteOptions,
    FindingRouteOptions,
    KeyRouteOptions,
    ServerRouteOptions,
    StatisticsRouteOptions,
    WebhookRouteOptions {
  readonly submissions: Submissions;
}

const MAX_BODY_LENGTH = 1024 * 1024;
const HEADERS = { 'cache-control': 'no-store' };

type Admitted = Context<AdmittedEnvironment>;

function routesOf(options: ApiOptions): readonly Route[] {
  const dryRuns = new DryRuns(options);
  return [
    ...approvalRoutes(options),
    ...eventRoutes(options),
    ...submissionRoutes(options.submissions),
    ...serverRoutes(options),
    ...connectionRoutes(options),
    ...pinRoutes(options.book),
    ...policyRoutes(options, dryRuns),
    ...conversationRoutes(options),
    ...keyRoutes(options),
    ...findingRoutes(options),
    ...conversationFeedbackRoutes(options),
    ...thresholdRoutes(options, dryRuns),
    ...correctionRoutes(options),
    ...peopleRoutes(options),
    ...chainRoutes(options),
    ...searchRoutes(options),
    ...statisticsRoutes(options),
    ...webhookRoutes(options),
  ];
}

/** Compiles the reader of a route, which refuses requests that do not match its schemas. */
function readerOf({ parameters, query, body }: Route, ajv: Ajv2020): (context: Admitted) => Promise<ApiRequest> {
  const wrongParameter = textsCheck(ajv, parameters);
  const wrongQuery = textsCheck(ajv, query);
  const validate = body === undefined ? undefined : ajv.compile(body);
  return async (context) => {
    const { req } = context;
    // Hono would answer HEAD like GET, with a stream that is never read.
    if (req.method === 'HEAD') throw new RequestError(405, 'HEAD is not supported: use GET.');
    const asked = { parameters: req.param() as Record<string, string>, query: req.query() };
    const wrongPart = wrongParameter(asked.parameters);
    if (wrongPart !== undefined) throw new RequestError(404, `The path parameter ${wrongPart} is not valid.`);
    const unknownName = Object.keys(asked.query).find((name) => !Object.hasOwn(query ?? {}, name));
    if (unknownName !== undefined) throw new RequestError(422, 'The query has an unknown parameter.');
    const wrongName = wrongQuery(asked.query);
    if (wrongName !== undefined) throw new RequestError(422, `The query parameter ${wrongName} is not valid.`);
    const authorization = req.header('authorization') ?? null;
    const head = { caller: context.get('caller'), authorization, session: sessionIn(req), ...asked };
    if (validate === undefined) return { ...head, body: undefined };
    const read = await readBody(req.raw, { bytes: MAX_BODY_LENGTH });
    if (read.type === 'refused') throw new RequestError(read.status, read.message, true);
    return { ...head, body: readJson(read.text, validate) };
  };
}

function responseOf({ answer }: Route, given: unknown): Response {
  if (given instanceof Response) return given;
  if (answer.schema === undefined) return new Response(null, { status: answer.status, headers: HEADERS });
  return Response.json(given, { status: answer.status, headers: HEADERS });
}

function handlerOf(route: Route, ajv: Ajv2020, onError: (cause: unknown) => void): Handler<AdmittedEnvironment> {
  const read = readerOf(route, ajv);
  return async (context) => {
    try {
      return responseOf(route, await route.handle(await read(context)));
    } catch (cause) {
      return problemOf(cause, onError);
    }
  };
}

/** The administration API of a workspace. The handlers and the OpenAPI document are created from the same table of routes. */
export function apiRoutes(options: ApiOptions): Hono<AdmittedEnvironment> {
  const routes = routesOf(options);
  const ajv = createSchemas();
  const api = new Hono<AdmittedEnvironment>();
  const document = documentOf(routes, options.config.publicUrl);
  api.get(DOCUMENT_PATH, () => Response.json(document));
  const admission = { ...options, takesSessions: true };
  for (const route of routes) {
    const path = route.path.replace(/\{(\w+)\}/g, ':$1');
    api.on(
      route.method.toUpperCase(),
      path,
      (context, next) => {
        context.set('route', `${BASE}${route.path}`);
        return next();
      },
      admitted(admission, ...[route.scope].flat()),
      handlerOf(route, ajv, options.onError),
    );
  }
  return api;
}
