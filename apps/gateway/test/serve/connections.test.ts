import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Installation, type Replica } from '../fixture/replica.ts';
import { type Accounts, CLIENT, startAccounts } from './accounts.ts';

const PUBLIC_URL = 'https://gateway.example';

let accounts: Accounts;
let installation: Installation;
let replica: Replica;
let other: Replica;
let workspace: string;
let admin: string;
let settings: Record<string, unknown>;
let names = 0;

beforeAll(async () => {
  accounts = await startAccounts(`${PUBLIC_URL}/oauth/callback`);
  installation = await Installation.make();
  const environment = {
    SALLYPORT_OPEN: `${accounts.issuer.origin},${accounts.server.origin}`,
    SALLYPORT_PUBLIC_URL: PUBLIC_URL,
  };
  [replica, other] = await Promise.all([installation.start({ environment }), installation.start({ environment })]);
  workspace = await installation.workspace('team');
  admin = await installation.key(workspace, 'admin', ['admin']);
  settings = {
    type: 'person',
    issuer: accounts.issuer.origin,
    authorizationEndpoint: `${accounts.issuer.origin}/auth`,
    tokenEndpoint: `${accounts.issuer.origin}/token`,
    ...CLIENT,
    scope: 'openid',
  };
});
afterAll(async () => {
  await installation?.drop();
  await accounts?.close();
});

/** A server of its own for each test. */
let server: string;
beforeEach(async () => {
  server = `crm-${++names}`;
  expect((await put(settings)).status).toBe(204);
});

function api(method: string, path: string, key: string, body?: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return fetch(`${replica.origin}/api/v1${path}`, { method, headers, ...sent });
}

const put = (credentials: unknown, url = `${accounts.server.origin}/mcp`): Promise<Response> =>
  api('PUT', `/servers/${server}`, admin, { kind: 'http', url, credentials });

/** What the tool of the server answers to a principal. */
async function whoami(principal: string, at: Replica = replica): Promise<string> {
  const answer = await fetch(`${at.origin}/mcp/${server}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await installation.key(workspace, principal)}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"whoami","arguments":{}}}',
  });
  return answer.text();
}

/** Begins a connection, and returns the address to open. */
async function begin(principal: string): Promise<string> {
  const key = await installation.key(workspace, principal, ['approve:own']);
  const answer = await api('POST', `/servers/${server}/connection`, key);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { url: string }).url;
}

/** Opens a page of the gateway, or sends its form. */
async function open(back: URL, method = 'GET', at: Replica = replica): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${at.origin}${back.pathname}${back.search}`, { method });
  return { status: answer.status, text: await answer.text() };
}

async function connect(principal: string, account: string): Promise<void> {
  const back = await accounts.login(await begin(principal), account);
  expect(`${back.origin}${back.pathname}`).toBe(`${PUBLIC_URL}/oauth/callback`);
  expect(await open(back)).toMatchObject({ status: 200, text: expect.stringContaining(`<b>${principal}</b>`) });
  // Another replica can finish it.
  expect(await open(back, 'POST', other)).toMatchObject({ status: 200, text: expect.stringContaining('Connected') });
}

test('calls of each person carry the token of this person, on every replica', async () => {
  await connect('ada', 'ada-at-crm');
  await connect('bob', 'bob-at-crm');
  for (const at of [replica, other]) {
    expect(await whoami('ada', at)).toContain('account=ada-at-crm.');
    expect(await whoami('bob', at)).toContain('account=bob-at-crm.');
  }
});

test('without a connection the call says where to connect, and is not made', async () => {
  await connect('ada', 'ada-at-crm');
  const answer = await whoami('cid');
  expect(answer).toContain('You have not connected your account');
  expect(answer).toContain(`POST ${PUBLIC_URL}/api/v1/servers/${server}/connection`);
});

test('calls without a connection do not occupy the database', async () => {
  await connect('ada', 'ada-at-crm');
  const held = await installation.test.attacker.reserve();
  try {
    // The lock of this person is taken elsewhere: who has nothing to refresh does not wait for it.
    await held`begin`;
    await held`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify([workspace, server, 'cid', 'person-tokens'])}, 0))`;
    expect(await whoami('cid')).toContain('You have not connected your account');
  } finally {
    await held`rollback`;
    held.release();
  }
});

test('a refused token is refreshed, once for concurrent calls', async () => {
  await connect('ada', 'ada-at-crm');
  accounts.expire();
  accounts.grants.length = 0;
  const answers = await Promise.all([whoami('ada'), whoami('ada', other), whoami('ada')]);
  for (const answer of answers) expect(answer).toContain('account=ada-at-crm.');
  expect(accounts.grants).toEqual(['refresh_token']);
});

test('a login counts once, and only after the person has confirmed it', async () => {
  const back = await accounts.login(await begin('ada'), 'ada-at-crm');
  await open(back);
  expect(await whoami('ada')).toContain('You have not connected');
  expect((await open(back, 'POST')).status).toBe(200);
  const again = await open(back, 'POST', other);
  expect([again.status, again.text]).toEqual([400, expect.stringContaining('used already')]);
});

test('a login is for the principal who began it, and the page says whom', async () => {
  const back = await accounts.login(await begin('eve'), 'ada-at-crm');
  expect((await open(back)).text).toContain('If you are not eve');
  await open(back, 'POST');
  expect(await whoami('ada')).toContain('You have not connected');
});

test('a state that was changed, taken from another login, or is missing is refused', async () => {
  const [one, two] = [await accounts.login(await begin('ada'), 'ada'), await accounts.login(await begin('bob'), 'bob')];
  const state = one.searchParams.get('state') ?? '';
  for (const wrong of ['', 'x', `${state.slice(0, -2)}AA`]) {
    const changed = new URL(one);
    changed.searchParams.set('state', wrong);
    expect((await open(changed)).status).toBe(400);
    expect((await open(changed, 'POST')).text).toContain('not begun here');
  }
  // The code of another login does not fit: PKCE.
  const swapped = new URL(two);
  swapped.searchParams.set('state', state);
  expect((await open(swapped, 'POST')).status).toBe(400);
  expect(await whoami('ada')).toContain('You have not connected');
});

test('an answer of another authorization server, and a refused login, are not taken', async () => {
  const foreign = await accounts.login(await begin('ada'), 'ada');
  foreign.searchParams.set('iss', 'https://other.example');
  expect((await open(foreign, 'POST')).status).toBe(400);
  const refused = await accounts.login(await begin('ada'), 'ada');
  refused.searchParams.delete('code');
  refused.searchParams.set('error', 'access_denied');
  expect(await open(refused, 'POST')).toMatchObject({
    status: 400,
    text: expect.stringContaining('login was refused'),
  });
  expect(await whoami('ada')).toContain('You have not connected');
});

test('a login that began before the settings of the server changed is refused', async () => {
  const back = await accounts.login(await begin('ada'), 'ada');
  await put({ ...settings, scope: 'openid email' });
  expect((await open(back, 'POST')).text).toContain('have changed meanwhile');
});

test('a person can end the connection, and a change of the server ends all', async () => {
  await connect('ada', 'ada');
  await connect('bob', 'bob');
  const key = await installation.key(workspace, 'ada', ['approve:own']);
  expect((await api('DELETE', `/servers/${server}/connection`, key)).status).toBe(204);
  expect((await api('DELETE', `/servers/${server}/connection`, key)).status).toBe(404);
  expect(await whoami('ada')).toContain('You have not connected');
  expect(await whoami('bob')).toContain('account=bob.');
  await put(settings);
  expect(await whoami('bob')).toContain('You have not connected');
});

test('an administrator lists the connections of the workspace, and ends those of a person', async () => {
  await connect('ada', 'ada');
  await connect('bob', 'bob');
  const listed = async (key: string): Promise<unknown> => {
    const { connections } = (await (await api('GET', '/connections', key)).json()) as {
      connections: { server: string; principal: string }[];
    };
    return connections.filter((each) => each.server === server).map(({ principal }) => principal);
  };
  const stranger = await installation.key(await installation.workspace(`other-${names}`), 'eve', ['admin']);
  const person = await installation.key(workspace, 'ada', ['mcp', 'approve:own', 'approve:any', 'pins', 'policy']);
  const end = async (key: string, body: object): Promise<unknown> => {
    const answer = await api('POST', '/connections/end', key, body);
    return answer.status === 200 ? answer.json() : answer.status;
  };
  expect([await listed(admin), await listed(stranger)]).toEqual([['ada', 'bob'], []]);
  expect((await api('GET', '/connections', person)).status).toBe(403);
  expect(await end(person, { principal: 'bob' })).toBe(403);
  expect(await end(stranger, { principal: 'bob', server })).toEqual({ ended: 0 });
  expect(await end(admin, { principal: 'bob', server: 'elsewhere' })).toEqual({ ended: 0 });
  expect(await end(admin, { principal: 'bob', server })).toEqual({ ended: 1 });
  expect(await whoami('bob')).toContain('You have not connected');
  expect(await whoami('ada')).toContain('account=ada.');
  const [row] = await installation.test.attacker`
    select payload from audit where workspace_id = ${workspace} and payload like '%"disconnected"%' order by seq desc limit 1`;
  const event = { type: 'server', what: 'disconnected', server, principal: 'bob', by: 'admin' };
  expect(JSON.parse(row?.payload)).toMatchObject(event);
  expect(await end(admin, { principal: 'ada' })).not.toEqual({ ended: 0 });
  expect(await listed(admin)).toEqual([]);
});

const CONNECTED = 'account=ada.';
const NOT_CONNECTED = 'You have not connected';
test.each([
  { title: 'the same settings', change: {}, path: '/mcp', expected: CONNECTED },
  { title: 'another secret of the client', change: { clientSecret: 'new' }, path: '/mcp', expected: CONNECTED },
  { title: 'another address', change: {}, path: '/other', expected: NOT_CONNECTED },
  { title: 'another issuer', change: { issuer: 'https://other.example' }, path: '/mcp', expected: NOT_CONNECTED },
  { title: 'another client', change: { clientId: 'other' }, path: '/mcp', expected: NOT_CONNECTED },
  { title: 'another resource', change: { resource: 'https://a.example' }, path: '/mcp', expected: NOT_CONNECTED },
  ...['authorizationEndpoint', 'tokenEndpoint'].map((name) => ({
    title: `another ${name}`,
    change: { [name]: 'https://8.8.4.4/other' },
    path: '/mcp',
    expected: NOT_CONNECTED,
  })),
])('tokens that come back after a change are used under $title: $expected', async ({ change, path, expected }) => {
  await connect('ada', 'ada');
  const { attacker } = installation.test;
  const kept = await attacker`select * from person_tokens where server = ${server}`;
  expect((await put({ ...settings, ...change }, `${accounts.server.origin}${path}`)).status).toBe(204);
  // As a connection that ends at the same time as the change, or a restored backup.
  await attacker`insert into person_tokens ${attacker(kept)}`;
  expect(await whoami('ada')).toContain(expected);
});

test('stored tokens are sealed for one person', async () => {
  await connect('ada', 'ada');
  await connect('bob', 'bob');
  const rows = await installation.test.attacker`select * from person_tokens where server = ${server}`;
  expect(rows).toHaveLength(2);
  for (const { body } of rows) expect(body).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]+$/);
  await installation.test.attacker`update person_tokens as one set body = (select body from person_tokens as two
    where two.server = one.server and two.principal = 'ada') where server = ${server} and principal = 'bob'`;
  expect(await whoami('bob')).not.toContain('account=');
});

test('addresses that are not public are refused, and servers without persons have nothing to connect', async () => {
  for (const name of ['authorizationEndpoint', 'tokenEndpoint']) {
    expect((await put({ ...settings, [name]: 'https://169.254.169.254/token' })).status).toBe(422);
    expect((await put({ ...settings, [name]: 'javascript:alert(1)' })).status).toBe(422);
  }
  await put(null);
  const key = await installation.key(workspace, 'ada', ['approve:own']);
  expect((await api('POST', `/servers/${server}/connection`, key)).status).toBe(422);
  expect((await api('POST', '/servers/nowhere/connection', key)).status).toBe(404);
});

test('the page cannot be framed, and quotes nothing that it was sent', async () => {
  const answer = await fetch(`${replica.origin}/oauth/callback?state=%3Cscript%3E&error=%3Cscript%3E`);
  expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(await answer.text()).not.toContain('<script>');
});
