import { digestText } from '@sallyport/core/adapter';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createSchemas, readJson } from '../../src/api/route/check.ts';
import { LineStream } from '../../src/api/route/lines.ts';
import { problemOf } from '../../src/api/route/problem.ts';
import { verifyExport } from '../../src/store/audit/verify.ts';
import { Writer } from '../../src/store/writer.ts';
import { eventually } from '../fixture/eventually.ts';
import { ADDRESS, openRig, type Rig, SECRET, type World } from './rig.ts';

let rig: Rig;
let mine: World;
let other: World;

beforeAll(async () => {
  rig = await openRig();
  mine = await rig.world('mine');
  other = await rig.world('other');
});

afterAll(() => rig.close());

const ask = (method: string, path: string, body?: unknown): ReturnType<Rig['ask']> =>
  rig.ask(method, path, { key: mine.key, ...(body === undefined ? {} : { body }) });

describe('a server', () => {
  const put = (body: unknown, name = 'one'): ReturnType<Rig['ask']> => ask('PUT', `/servers/${name}`, body);

  test.each([
    'http://8.8.8.8/mcp',
    'https://127.0.0.1/mcp',
    'https://[::1]/mcp',
    'https://169.254.169.254/latest/meta-data',
    'https://[::ffff:169.254.169.254]/',
    'https://10.0.0.1/',
    'https://192.168.1.1/',
    'https://0x7f000001/',
    'https://user:pass@8.8.8.8/',
    'https://8.8.8.8:22/',
    'https://localhost/',
    'file:///etc/passwd',
    'https://8.8.8.8\\@127.0.0.1/',
    '',
  ])('at %s is refused, and so is such a token endpoint', async (url) => {
    expect((await put({ kind: 'http', url })).status).toBe(422);
    const credentials = { type: 'client-credentials', tokenEndpoint: url, clientId: 'us', clientSecret: SECRET };
    const answer = await put({ kind: 'http', url: ADDRESS, credentials });
    expect([answer.status, JSON.stringify(answer.body).includes(SECRET)]).toEqual([422, false]);
    expect(JSON.stringify((await ask('GET', '/servers')).body)).not.toContain('"one"');
  });

  test.each(['toString', '__proto__', 'node', '/bin/sh', 'echo; rm', ''])('cannot run %j', async (command) => {
    expect((await put({ kind: 'stdio', command })).status).toBe(422);
    expect((await put({ kind: 'stdio', command: 'echo', args: ['-e', '1'] })).status).toBe(422);
    expect((await put({ kind: 'stdio', command: 'echo', env: { NODE_OPTIONS: '-r x' } })).status).toBe(422);
  });

  test('runs a command that the operator has named', async () => {
    expect((await put({ kind: 'stdio', command: 'echo' }, 'child')).status).toBe(204);
    const { servers } = (await ask('GET', '/servers')).body as { servers: unknown[] };
    expect(servers).toContainEqual({ name: 'child', hasCredentials: false, kind: 'stdio', command: 'echo' });
  });

  test.each([
    { host: SECRET },
    { 'mcp-session-id': SECRET },
    { authorization: `${SECRET}\r\nx: y` },
    { [`${SECRET} x`]: 'y' },
    { authorization: [SECRET] },
    { [SECRET]: [1] },
  ])('refuses headers like %j without quoting a secret', async (headers) => {
    const answer = await put({ kind: 'http', url: ADDRESS, credentials: { type: 'headers', headers } });
    expect([answer.status, JSON.stringify(answer.body).includes(SECRET)]).toEqual([422, false]);
  });

  test('never returns its credentials, and loses them when its address changes', async () => {
    const shown = async (): Promise<unknown> =>
      ((await ask('GET', '/servers')).body as { servers: { name: string }[] }).servers.find(
        ({ name }) => name === 'kept',
      );
    const credentials = { type: 'headers', headers: { authorization: SECRET } };
    await put({ kind: 'http', url: ADDRESS, credentials }, 'kept');
    expect(await shown()).toEqual({ name: 'kept', hasCredentials: true, kind: 'http', url: ADDRESS });
    await put({ kind: 'http', url: ADDRESS }, 'kept');
    expect(await shown()).toMatchObject({ hasCredentials: true });
    await put({ kind: 'http', url: 'https://8.8.4.4/mcp' }, 'kept');
    expect(await shown()).toMatchObject({ hasCredentials: false });
    const [row] = await rig.opened.attacker`select servers::text as text from servers where name = ${mine.server}`;
    expect(row?.text).not.toContain(SECRET);
  });
});

describe('a key', () => {
  const make = async (body: object): Promise<{ id: string; text: string }> =>
    (await ask('POST', '/keys', { principal: 'bob', label: 'laptop', scopes: ['audit'], ...body })).body;
  const enters = async (key: string): Promise<number> => (await rig.ask('GET', '/audit/verify', { key })).status;

  test('is returned once, rotated and revoked', async () => {
    const { id, text } = await make({});
    expect(await enters(text)).toBe(200);
    const rotated = (await ask('POST', `/keys/${id}/rotate`, { graceSeconds: 60 })).body as { text: string };
    expect([await enters(text), await enters(rotated.text)]).toEqual([200, 200]);
    expect((await ask('DELETE', `/keys/${id}`)).status).toBe(204);
    expect(await enters(text)).toBe(401);
    expect((await ask('DELETE', `/keys/${id}`)).status).toBe(404);
    expect((await ask('POST', `/keys/${id}/rotate`, { graceSeconds: 0 })).status).toBe(404);
    const listed = (await ask('GET', '/keys')).body as { keys: { id: string; revokedAt?: string }[] };
    expect(listed.keys.find((each) => each.id === id)?.revokedAt).toBeDefined();
  });

  test.each([
    { principal: 'sub:alice' },
    { principal: '' },
    { principal: 'a\nb' },
    { scopes: [] },
    { scopes: ['root'] },
    { scopes: ['mcp', 'mcp'] },
    { expires: '2001-01-01T00:00:00Z' },
    { expires: '2099-99-99T99:99:99Z' },
    { expires: 'tomorrow' },
    { workspace: 'x' },
  ])('is not created from %j', async (change) => {
    const body = { principal: 'bob', label: 'laptop', scopes: ['mcp'], ...change };
    expect((await ask('POST', '/keys', body)).status).toBe(422);
  });
});

test('a policy replaces only the version that was seen', async () => {
  const policy = { preset: 'strict' };
  const { version } = (await ask('GET', '/policy')).body as { version: number };
  expect((await ask('PUT', '/policy', { version: version + 5, body: policy })).status).toBe(409);
  expect((await ask('PUT', '/policy', { version, body: policy })).body).toEqual({ version: version + 1 });
  expect((await ask('PUT', '/policy', { version, body: {} })).status).toBe(409);
  expect((await ask('GET', '/policy')).body).toMatchObject({ version: version + 1, body: policy, by: 'mine-person' });
});

test('a submission through the API has the lowest label, and is promoted as it was shown', async () => {
  const body = { id: 'note-2', conversation: 'c', text: 'pay <system>' };
  const label = { integrity: 'user', confidentiality: 'public' };
  expect((await ask('POST', '/submissions', { ...body, label, floor: label })).status).toBe(422);
  const { digest } = (await ask('POST', '/submissions', body)).body as { digest: string };
  expect((await ask('POST', '/submissions', body)).status).toBe(409);
  expect((await ask('GET', '/submissions/note-2')).body).toMatchObject({
    lifecycle: 'candidate',
    floor: { integrity: 'unknown', confidentiality: 'secret' },
    standing: 'flagged',
    digest,
  });
  expect((await ask('POST', '/submissions/note-2/promote', { digest: digestText('else') })).status).toBe(409);
  const promoted = (await ask('POST', '/submissions/note-2/promote', { digest })).body;
  expect(promoted).toMatchObject({ lifecycle: 'canonical', promotion: { by: 'mine-person' } });
  expect((await ask('POST', '/submissions/note-2/promote', { digest })).status).toBe(409);
});

describe('a threshold', () => {
  const set = async (tag: string, least: string): Promise<number> =>
    (await ask('PUT', '/thresholds', { server: 'web', tag, least })).status;
  const tell = async (tag: string, text: string): ReturnType<Rig['ask']> => {
    const finding = await rig.find(mine.workspace, 'someone', { server: 'web', tag, text: `${tag} ${text}` });
    return ask('POST', '/feedback', { finding, verdict: 'false-alarm' });
  };

  test('rises only with false alarms, and never hides a known attack or a high likelihood', async () => {
    for (const tag of ['obfuscated', 'exfiltration']) for (const text of ['a', 'b']) await tell(tag, text);
    expect(await set('obfuscated', 'medium')).toBe(409);
    for (const tag of ['obfuscated', 'exfiltration']) await tell(tag, 'c');
    expect(await set('obfuscated', 'medium')).toBe(204);
    const refused = await ask('PUT', '/thresholds', { server: 'web', tag: 'exfiltration', least: 'medium' });
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([409, expect.stringContaining('known attacks')]);
    expect(await set('obfuscated', 'high')).toBe(422);
    expect((await ask('GET', '/thresholds/web')).body).toEqual({ thresholds: { obfuscated: 'medium' } });
    expect((await rig.ask('GET', '/thresholds/web', { key: other.key })).body).toEqual({ thresholds: {} });
  });
});

test('an invalid body is reported by its path, but not within credentials', () => {
  const inner = { type: 'object', additionalProperties: { type: 'string' } };
  const validate = createSchemas().compile({ type: 'object', properties: { credentials: inner, other: inner } });
  const read = (name: string) => () => readJson(JSON.stringify({ [name]: { [SECRET]: 1 } }), validate);
  expect(read('credentials')).toThrow('The body is not valid at /credentials: it must be string.');
  expect(read('other')).toThrow(`The body is not valid at /other/${SECRET}: it must be string.`);
});

test('an unexpected error is reported without its message', async () => {
  const onError = vi.fn();
  const cause = Object.assign(new Error(`select * from keys where text = '${SECRET}'`), { code: '22021' });
  const answer = problemOf(cause, onError);
  expect(onError).toHaveBeenCalledExactlyOnceWith(cause);
  expect([answer.status, await answer.json()]).toEqual([
    503,
    { error: 'The gateway cannot answer this request at the moment (Error 22021).', next: 'Try again later.' },
  ]);
});

describe('the audit', () => {
  const linesOf = async function* (text: string): AsyncGenerator<string> {
    yield* text.trim().split('\n');
  };

  test('is exported completely, of one workspace only, and verified', async () => {
    const text = (await ask('GET', '/audit/export')).body as string;
    expect(await verifyExport(linesOf(text))).toMatchObject({ isWhole: true });
    expect([text.includes(mine.workspace), text.includes(other.workspace)]).toEqual([true, false]);
    const { head } = (await ask('GET', '/audit/verify')).body as { head: { seq: number; hash: string } };
    expect((await ask('GET', `/audit/verify?anchor=${head.seq}:${head.hash}`)).body).toMatchObject({ isWhole: true });
    const wrong = await ask('GET', `/audit/verify?anchor=${head.seq}:${'0'.repeat(64)}`);
    expect(wrong.body).toEqual({ isWhole: false, problem: 'rewritten', seq: head.seq });
  });

  test('detects an edit', async () => {
    const { attacker } = rig.opened;
    await attacker`update audit set payload = replace(payload, 'other-person', 'nobody') where workspace_id = ${other.workspace} and seq = 2`;
    expect((await rig.ask('GET', '/audit/verify', { key: other.key })).body).toEqual({
      isWhole: false,
      problem: 'edit',
      seq: 2,
    });
  });

  test('has one reader per workspace at a time, and respects backpressure', async () => {
    const writer = new Writer(rig.opened.database);
    const audit = Array.from({ length: 60 }, () => JSON.stringify({ long: 'x'.repeat(20_000) }));
    await writer.write(mine.workspace, { audit });
    const open = (): Response | Promise<Response> =>
      rig.gateway.fetch(
        new Request('http://gateway/api/v1/audit/export', { headers: { authorization: `Bearer ${mine.key}` } }),
      );
    const slow = await open();
    expect([slow.status, (await ask('GET', '/audit/export')).status]).toEqual([200, 429]);
    expect((await ask('GET', '/audit/verify')).status).toBe(429);
    await slow.body?.cancel();
    await eventually(async () => expect((await ask('GET', '/audit/verify')).status).toBe(200));
    const text = await (await open()).text();
    expect(await verifyExport(linesOf(text))).toMatchObject({ isWhole: true });
  });

  test('is aborted for a client that does not read', async () => {
    const lines = new LineStream(50);
    const line = 'x'.repeat(70_000);
    await lines.write(line);
    await expect(lines.write(line)).rejects.toThrow('too slowly');
    lines.fail();
    await expect(new Response(lines.body).text()).rejects.toThrow('aborted');
  });
});
