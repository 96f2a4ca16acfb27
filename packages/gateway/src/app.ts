import { Hono } from 'hono';
import { type ApiOptions, apiRoutes } from './api/api.ts';
import { BASE } from './api/document.ts';
import type { Config } from './operate/config.ts';
import { codeOf, type Log } from './operate/log.ts';
import type { Metrics } from './operate/metrics.ts';
import type { Underway } from './operate/underway.ts';
import { type AdmittedEnvironment, admitted, METADATA, problem } from './serve/auth/admission.ts';
import { type McpOptions, mcpRoutes } from './serve/mcp.ts';
import { SCOPES } from './store/secrets/keys.ts';

export interface AppOptions extends Omit<McpOptions, 'track'>, Omit<ApiOptions, 'track'> {
  readonly config: Pick<Config, 'publicUrl' | 'tokens' | 'rate'>;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly underway: Underway;
  /** Rejects where nothing can be judged. */
  readonly check: () => Promise<void>;
}

/** What route a path belongs to, for those who count: names that callers choose are left out. */
function routeOf(path: string): string {
  const [, first = ''] = path.split('/');
  return ['mcp', 'api', 'health', 'ready', 'metrics', '.well-known'].includes(first) ? `/${first}` : 'other';
}

/** Everything that is served over HTTP. */
export function createApp(options: AppOptions): Hono<AdmittedEnvironment> {
  const { config, log, metrics, underway, check, onError } = options;
  const app = new Hono<AdmittedEnvironment>();
  app.use(async (context, next) => {
    if (underway.isStopping) return problem(503, 'This replica is stopping.', 'Try again.', { connection: 'close' });
    const begun = performance.now();
    metrics.open(1);
    try {
      await next();
    } finally {
      metrics.open(-1);
      const milliseconds = performance.now() - begun;
      const route = routeOf(context.req.path);
      metrics.request(route, context.res.status, milliseconds / 1000);
      log.info('request', {
        method: context.req.method,
        path: route,
        status: context.res.status,
        milliseconds: Math.round(milliseconds),
      });
    }
    context.res.headers.set('x-content-type-options', 'nosniff');
    return undefined;
  });
  app.onError((cause) => {
    onError(cause);
    return problem(500, `The gateway failed: ${codeOf(cause)}.`, 'Try again later.');
  });
  app.notFound(() =>
    problem(404, 'There is nothing here.', `Servers are at /mcp/{server}, the API is at ${BASE}/openapi.json.`),
  );
  app.get('/health', () => new Response('ok\n'));
  app.get('/ready', async () => {
    try {
      await check();
      return new Response('ready\n');
    } catch {
      return problem(503, 'The database does not answer.', 'See whether it runs.');
    }
  });
  app.get('/metrics', async () => {
    const { type, body } = await metrics.text();
    return new Response(body, { headers: { 'content-type': type } });
  });
  // RFC 9728: whose tokens count, and for which resource.
  app.get(`${METADATA}/*`, () =>
    Response.json({
      resource: config.publicUrl,
      authorization_servers: config.tokens === undefined ? [] : [config.tokens.issuer],
      bearer_methods_supported: ['header'],
      scopes_supported: SCOPES,
    }),
  );
  const tracking = { ...options, track: <T>(work: Promise<T>): Promise<T> => underway.track(work) };
  app.use('/mcp/*', admitted(options, 'mcp'));
  app.route('/mcp', mcpRoutes(tracking));
  app.route(BASE, apiRoutes(tracking));
  return app;
}
