import { randomUUID } from 'node:crypto';
import { CONSOLE_PATH, createConsole } from '@sallyport/console';
import { Hono, type MiddlewareHandler } from 'hono';
import { type ApiOptions, apiRoutes } from './api/api.ts';
import { BASE } from './api/route/document.ts';
import type { Config } from './operate/config.ts';
import { codeOf, type Log } from './operate/log.ts';
import type { Metrics } from './operate/metrics.ts';
import type { WorkTracker } from './operate/work-tracker.ts';
import { inOrigin, requestOrigin } from './request-origin.ts';
import { type AdmittedEnvironment, admitted, METADATA, problem } from './serve/auth/admission.ts';
import { type Connected, clientAddress } from './serve/client-address.ts';
import { callbackRoutes } from './serve/connect/callback.ts';
import { CALLBACK } from './serve/connect/connections.ts';
import { type LoginOptions, loginRoutes } from './serve/login/routes.ts';
import { type McpOptions, mcpRoutes } from './serve/mcp/routes.ts';
import type { Signer } from './store/audit/checkpoint.ts';
import { SCOPES } from './store/secrets/keys.ts';

export interface AppOptions extends Omit<McpOptions, 'track'>, Omit<ApiOptions, 'track'> {
  readonly config: Pick<Config, 'publicUrl' | 'tokens' | 'login' | 'rate' | 'proxies'>;
  /** Undefined if no provider is configured. */
  readonly login: LoginOptions | undefined;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly work: WorkTracker;
  /** Rejects while the database is unavailable. */
  readonly check: () => Promise<void>;
  /** Says whether heads of the audit could not be kept outside of the database. */
  readonly signer: Pick<Signer, 'lacksAnchors' | 'lastAnchored'>;
}

const pages = createConsole();

const ROUTES = ['mcp', 'api', 'console', 'oauth', 'login', 'logout', 'health', 'ready', 'metrics', '.well-known'];

/** The route of a path as metrics and logs name it: without the names that callers choose. */
function routeOf(path: string): string {
  const [, first = ''] = path.split('/');
  return ROUTES.includes(first) ? `/${first}` : 'other';
}

/** Gives each request an id, which its log lines and audit rows have too. */
function identify(app: Hono<AdmittedEnvironment>, { config: { proxies } }: AppOptions): void {
  app.use((context, next) => {
    const forwarded = context.req.header('x-forwarded-for');
    const address = clientAddress(context.env as Connected | undefined, forwarded, proxies);
    return inOrigin({ request: randomUUID(), ...(address === undefined ? {} : { address }) }, next);
  });
}

/** Refuses requests while the replica stops; counts, logs and times all others. */
function observe(app: Hono<AdmittedEnvironment>, { work, metrics, log }: AppOptions): void {
  app.use(async (context, next) => {
    if (work.isStopping)
      return problem(503, 'This replica is shutting down.', 'Send the request again.', { connection: 'close' });
    const startedAt = performance.now();
    metrics.open(1);
    try {
      await next();
    } finally {
      metrics.open(-1);
      const milliseconds = performance.now() - startedAt;
      const route = routeOf(context.req.path);
      metrics.request(route, context.res.status, milliseconds / 1000);
      log.info('request', {
        method: context.req.method,
        path: context.get('route') ?? route,
        status: context.res.status,
        milliseconds: Math.round(milliseconds),
      });
    }
    context.res.headers.set('x-content-type-options', 'nosniff');
    context.res.headers.set('x-request-id', requestOrigin()?.request ?? '');
    return undefined;
  });
}

/** Refuses requests while the replica has too much to do. Health, metrics and the API are answered all the same. */
function withinLoad({ load, metrics }: AppOptions): MiddlewareHandler<AdmittedEnvironment> {
  return async (_, next) => {
    const { excess } = load;
    if (excess === undefined) return next();
    metrics.shed(excess);
    return problem(503, 'This replica has too much to do.', 'Send the request again.', { 'retry-after': '1' });
  };
}

/** The routes that need no credentials. */
function addPublicRoutes(
  app: Hono<AdmittedEnvironment>,
  { config, metrics, check, signer, onError }: AppOptions,
): void {
  metrics.watchReadiness(async () => {
    const database = await check().then(
      () => true,
      () => false,
    );
    return { database, anchors: !signer.lacksAnchors };
  });
  app.get('/health', () => new Response('ok\n'));
  app.get('/ready', async () => {
    try {
      await check();
    } catch (cause) {
      onError(cause);
      return problem(503, 'The database does not answer.', 'Check that PostgreSQL is running and reachable.');
    }
    // The log contains the path, which must not be public.
    return signer.lacksAnchors
      ? problem(503, 'The anchors of the audit cannot be written.', 'Read the log of this replica: it says what to do.')
      : new Response('ready\n');
  });
  app.get('/metrics', async () => {
    const { type, body } = await metrics.text();
    return new Response(body, { headers: { 'content-type': type } });
  });
  // RFC 9728: the authorization servers whose tokens are accepted, and the resource they must be issued for.
  app.get(`${METADATA}/*`, () =>
    Response.json({
      resource: config.publicUrl,
      authorization_servers: config.tokens === undefined ? [] : [config.tokens.issuer],
      bearer_methods_supported: ['header'],
      scopes_supported: SCOPES,
    }),
  );
}

/** Everything that the gateway serves over HTTP. */
export function createApp(options: AppOptions): Hono<AdmittedEnvironment> {
  const { work, onError } = options;
  const app = new Hono<AdmittedEnvironment>();
  identify(app, options);
  observe(app, options);
  app.onError((cause) => {
    onError(cause);
    return problem(500, `The gateway failed: ${codeOf(cause)}.`, 'Try again later.');
  });
  app.notFound(() =>
    problem(404, 'This path does not exist.', `Servers are at /mcp/{server}, the API is at ${BASE}/openapi.json.`),
  );
  addPublicRoutes(app, options);
  const tracking = { ...options, track: <T>(promise: Promise<T>): Promise<T> => work.track(promise) };
  app.use('/mcp/*', withinLoad(options));
  app.use('/mcp/*', admitted(options, 'mcp'));
  app.route('/mcp', mcpRoutes(tracking));
  app.route(BASE, apiRoutes(tracking));
  if (options.login !== undefined) app.route('/', loginRoutes(options.login));
  app.route(CALLBACK, callbackRoutes(options.connections, onError));
  app.all(`${CONSOLE_PATH}/*`, ({ req }) => pages(req.raw));
  return app;
}
