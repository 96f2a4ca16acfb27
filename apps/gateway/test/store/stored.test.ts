import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EVE, signs } from '../../../../packages/mcp-proxy/test/fixture/rig.ts';
import { createGateway, type Gateway, readConfig } from '../../src/index.ts';
import { freshDatabase, REDIS_URL, type TestDatabase } from '../fixture/database.ts';
import { type MailServer, mailServer } from '../serve/upstream.ts';

// The rows that the gateway of commit f6fa2e1 wrote: a workspace, keys, a server with credentials, a policy with the tool
// options `free` and `fields`, pins, a conversation that has read an instruction, and a memory. Its audit chain had another form.
const ROWS = readFileSync(new URL('../fixture/databases/f6fa2e1.sql', import.meta.url), 'utf8');
// Later migrations change rows too.
const CHANGE = /update keys [^;]+;/.exec(
  readFileSync(new URL('../../migrations/0009_roles_and_logins.sql', import.meta.url), 'utf8'),
)?.[0] as string;
const AGENT_KEY = 'sp_iCe8Q2gf_d-OBxAV8pu0wbW1-f7QHkLc9vGvpYXhfPpJ250nEMA8';
const ADMIN_KEY = 'sp_GRROVorE_juGYx4RpzlfaDg6F5JBHLF_nGUiePRKNf_4Wl4UbCL8';

// A table with rows, as later versions before 0.2 stored it.
const TABLE = { send: { unheard: { requested: 'deny', content: 'ask' } } };

let stored: TestDatabase;
let mail: MailServer;
let gateway: Gateway;
let origin: string;
let config: ReturnType<typeof readConfig>;

beforeAll(async () => {
  stored = await freshDatabase();
  mail = await mailServer();
  await stored.attacker.unsafe(ROWS);
  await stored.attacker.unsafe(CHANGE);
  await stored.attacker`update policies set body = jsonb_set(body, '{table}', ${stored.attacker.json(TABLE)})`;
  await stored.attacker`update servers set url = ${`${mail.origin}/mcp`}`;
  config = readConfig({
    DATABASE_URL: stored.url,
    REDIS_URL,
    SALLYPORT_KEY: '11'.repeat(32),
    SALLYPORT_SECRETS_KEY: '22'.repeat(32),
    SALLYPORT_OPEN: mail.origin,
    SALLYPORT_ANCHORS: 'off',
  });
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  gateway = createGateway({ config: { ...config, port: 0 }, log, classifier: signs });
  origin = `http://127.0.0.1:${await gateway.listen()}`;
});

afterAll(async () => {
  await gateway?.drain();
  await mail?.close();
  await stored?.drop();
});

async function read(path: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${ADMIN_KEY}` };
  const response = await gateway.fetch(new Request(`http://gateway/api/v1${path}`, { headers }));
  expect(response.status).toBe(200);
  return response.json();
}

test('a policy that was stored with the old names of tool options is read with the new ones', async () => {
  const { body } = (await read('/policy')) as { body: { servers: { mail: { tools: unknown } } } };
  expect(body.servers.mail.tools).toEqual({
    read: { effect: 'read', serviceFields: { '/id': 'id' } },
    send: { effect: 'send', modelText: ['body'] },
  });
});

test('a table that was stored with rows is read without them', async () => {
  expect(await read('/policy')).toMatchObject({ body: { table: { send: { content: 'deny' } } } });
});

test('a memory of an earlier version is read back as it was', async () => {
  expect(await read('/submissions/note')).toMatchObject({ id: 'note', lifecycle: 'candidate', standing: 'flagged' });
});

test('a conversation of an earlier version remembers what it has read', async () => {
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities: {} });
  const requestInit = { headers: { authorization: `Bearer ${AGENT_KEY}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp/mail`), { requestInit }) as never);
  await client.listTools();
  const answer = await client.callTool({ name: 'send', arguments: { to: EVE } });
  expect(answer).toMatchObject({ _meta: { 'sallyport/decision': { outcome: 'deny', rule: 'instructed' } } });
  expect(mail.sent).toEqual([]);
  expect(mail.headers.at(-1)?.authorization).toBe('Bearer upstream');
  await client.close();
});
