import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { digestText } from '@sallyport/core/adapter';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EVE, POISON } from '../../../../packages/mcp-proxy/test/fixture/rig.ts';
import { inOrigin, requestOrigin, withoutOrigin } from '../../src/request-origin.ts';
import { auditLine } from '../../src/store/audit/audit.ts';
import { verifyAudit } from '../../src/store/audit/verify.ts';
import { auditKeysOf } from '../../src/store/links.ts';
import { Installation, type Replica } from '../fixture/replica.ts';
import { type MailServer, mailServer } from '../serve/upstream.ts';
import { json, type Local, serve } from '../upstream/rig.ts';

const ISSUER = 'https://login.example/';
const AUDIENCE = 'https://gateway.example';
let installation: Installation;
let mail: MailServer;
let issuer: Local;
let replica: Replica;
let workspace: string;
const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });

beforeAll(async () => {
  installation = await Installation.make();
  mail = await mailServer();
  const set = { keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' }] };
  issuer = await serve((_request, response) => json(response, set, 200));
  replica = await installation.start({
    environment: {
      SALLYPORT_OPEN: `${mail.origin},${issuer.origin}`,
      SALLYPORT_PUBLIC_URL: AUDIENCE,
      SALLYPORT_JWT_ISSUER: ISSUER,
      SALLYPORT_JWT_JWKS_URL: `${issuer.origin}/keys`,
      SALLYPORT_PROXIES: '1',
    },
  });
  workspace = await installation.workspace('origins');
  await installation.server(workspace, 'mail', { kind: 'http', url: `${mail.origin}/mcp` });
  const tools = { read: { effect: 'read' }, send: { effect: 'send' } };
  await installation.policy(workspace, { askTimeout: 1, servers: { mail: { tools } } });
});

afterAll(async () => {
  await installation?.drop();
  await Promise.all([mail?.close(), issuer?.close()]);
});

interface Row {
  readonly type: string;
  readonly what?: string;
  readonly outcome?: string;
  readonly origin?: Readonly<Record<string, string>>;
}

async function rowsOf(types: readonly string[]): Promise<readonly Row[]> {
  const rows = await installation.test.attacker<{ payload: string }[]>`
    select payload from audit where workspace_id = ${workspace} order by seq`;
  return rows.map(({ payload }) => JSON.parse(payload) as Row).filter(({ type }) => types.includes(type));
}

/** Reads a poisoned mail and tries to send, as one client. Returns the id of its session. */
async function attack(bearer: string): Promise<string> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const requestInit = {
    headers: { authorization: `Bearer ${bearer}`, 'x-forwarded-for': '203.0.113.9, 198.51.100.7' },
  };
  const transport = new StreamableHTTPClientTransport(new URL(`${replica.origin}/mcp/mail`), { requestInit });
  await client.connect(transport as never);
  await client.listTools();
  mail.mail = POISON;
  await client.callTool({ name: 'read', arguments: {} });
  await client.callTool({ name: 'send', arguments: { to: EVE } });
  await client.close();
  return transport.sessionId ?? '';
}

test('rows and log lines of a call name its key, address, request and session', async () => {
  const key = await installation.key(workspace, 'ann');
  const session = digestText(await attack(key));
  // The first answer is the one that begins the session.
  const [, ...rows] = await rowsOf(['call', 'answer']);
  const origin = { key: key.split('_')[1], address: '198.51.100.7', session, request: expect.any(String) as string };
  expect(rows.length).toBeGreaterThan(2);
  expect(rows.map((row) => row.origin)).toEqual(rows.map(() => origin));
  const denied = rows.findLast((row) => row.type === 'call');
  expect(denied?.outcome).toBe('deny');
  const lines = installation.lines.map((line) => JSON.parse(line) as [string, Record<string, unknown>]);
  const own = lines.filter(([, fields]) => fields.request === denied?.origin?.request);
  expect(own.map(([message]) => message)).toEqual(['call not allowed', 'request']);
  for (const [, fields] of own) expect(fields).toMatchObject({ ...denied?.origin, workspace });
  expect(own[0]?.[1]).toMatchObject({ server: 'mail', outcome: 'deny', rule: expect.any(String) as string });
  expect(installation.lines.join('\n')).not.toContain(key);
});

test('with a token, they name its subject and issuer', async () => {
  const token = await new SignJWT({ sub: 'ada', workspace: 'origins', scope: 'mcp' })
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setExpirationTime('1h')
    .sign(privateKey);
  await attack(token);
  expect((await rowsOf(['call', 'answer'])).at(-1)?.origin).toMatchObject({ subject: 'ada', issuer: ISSUER });
});

test('the row of a change names the request, which its answer repeats', async () => {
  const key = await installation.key(workspace, 'boss', ['admin']);
  const response = await fetch(`${replica.origin}/api/v1/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ principal: 'bob', label: 'new', scopes: ['mcp'] }),
  });
  expect(response.status).toBe(201);
  const request = response.headers.get('x-request-id');
  const made = (await rowsOf(['key'])).at(-1);
  expect(made).toMatchObject({ what: 'made', origin: { request, key: key.split('_')[1], address: '127.0.0.1' } });
});

test('a changed origin is detected', async () => {
  const keys = auditKeysOf(installation.configFor().keysFor('audit'));
  expect(await verifyAudit(installation.test.database, workspace, { keys })).toMatchObject({ isWhole: true });
  await installation.test.attacker`update audit set payload = replace(payload, '198.51.100.7', '198.51.100.8')
    where workspace_id = ${workspace}`;
  expect(await verifyAudit(installation.test.database, workspace, { keys })).toMatchObject({ problem: 'edit' });
});

test('work that belongs to no request has no origin', () => {
  const event = { type: 'server', what: 'changed', server: 's', by: 'p' } as const;
  inOrigin({ request: 'r', workspace: 'w' }, () => {
    expect(JSON.parse(auditLine('w', event))).toMatchObject({ workspace: 'w', origin: { request: 'r' } });
    expect(withoutOrigin(requestOrigin)).toBeUndefined();
    expect(withoutOrigin(() => JSON.parse(auditLine('w', event)) as Row)).not.toHaveProperty('origin');
  });
});

test.each([
  { path: '/api/v1/approvals/12345678-1234-1234-1234-123456789abc', expected: '/api/v1/approvals/{id}' },
  { path: '/api/v1/approvals', expected: '/api/v1/approvals' },
  { path: '/api/v1/servers/%0Aforged%22/connection', expected: '/api/v1/servers/{name}/connection' },
  { path: '/api/v1/forged', expected: '/api' },
])('the log line of POST $path has the route $expected', async ({ path, expected }) => {
  const before = installation.lines.length;
  const response = await fetch(`${replica.origin}${path}`, { method: path.endsWith('approvals') ? 'GET' : 'POST' });
  await response.text();
  await expect
    .poll(() => installation.lines.slice(before).filter((line) => line.startsWith('["request"')))
    .toHaveLength(1);
  const line = installation.lines.slice(before).find((each) => each.startsWith('["request"')) as string;
  expect(JSON.parse(line)[1].path).toBe(expected);
  expect(line).not.toContain('forged');
});
