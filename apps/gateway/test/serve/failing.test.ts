import { Hono } from 'hono';
import { afterAll, expect, test } from 'vitest';
import type { AdmittedEnvironment } from '../../src/serve/auth/admission.ts';
import { Load } from '../../src/serve/load.ts';
import { type McpOptions, mcpRoutes } from '../../src/serve/mcp/routes.ts';

const load = new Load({ checking: () => 0, maxBytesOfPrincipal: 100_000 });
afterAll(() => load.close());

const caller = {
  workspace: 'team',
  principal: 'ann',
  scopes: new Set(['mcp', 'approve:own']),
} as unknown as AdmittedEnvironment['Variables']['caller'];

/** The routes of a gateway of which one part fails. */
function appWith(failing: Partial<Record<keyof McpOptions, unknown>>): Hono<AdmittedEnvironment> {
  const options = {
    bus: { subscribe: () => () => undefined, publish: () => undefined },
    load,
    stopping: new AbortController().signal,
    findServer: async () => ({}),
    guardFor: async () => ({ connect: () => ({}) }),
    onLimit: () => undefined,
    onError: () => undefined,
    track: (work: unknown) => work,
    ...failing,
  } as unknown as McpOptions;
  const app = new Hono<AdmittedEnvironment>();
  app.use(async (context, next) => {
    context.set('caller', caller);
    await next();
  });
  return app.route('/mcp', mcpRoutes(options));
}

const fail = (): never => {
  throw new Error('It failed.');
};
const CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'read', arguments: { text: 'x'.repeat(900) } },
};
const FORM = { jsonrpc: '2.0', id: 'sallyport-00000000-0000-4000-8000-000000000000', result: { action: 'accept' } };

test.each([
  { title: 'a guard that cannot be connected to', payload: { guardFor: async () => ({ connect: fail }) } },
  { title: 'a guard that is not found', payload: { guardFor: fail } },
  { title: 'work that cannot be tracked', payload: { track: fail } },
  { title: 'an answer that cannot be stored', payload: { approvals: { answerOwn: fail } }, message: FORM },
  { title: 'a report of a limit that fails', payload: { onLimit: fail }, message: `[${'1,'.repeat(19_999)}1]` },
])('$title keeps no request open, and nothing of the share of its principal', async ({ payload, message = CALL }) => {
  const app = appWith(payload);
  const body = typeof message === 'string' ? message : JSON.stringify(message);
  const statuses = new Set<number>();
  for (let turn = 0; turn < 250; turn++)
    statuses.add(
      (await app.request('/mcp/mail', { method: 'POST', body, headers: { 'content-type': 'application/json' } }))
        .status,
    );
  expect([...statuses]).toEqual([503]);
  const upload = load.upload(JSON.stringify(['team', 'ann']));
  expect(upload.add(100_000)).toBeUndefined();
  upload.end();
});
