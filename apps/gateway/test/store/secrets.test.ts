import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ManualTime } from '../../../../packages/core/test/fixture/time.ts';
import { Bus } from '../../src/cache/bus.ts';
import { openRedis } from '../../src/cache/redis.ts';
import { type KeyInput, Keys } from '../../src/store/secrets/keys.ts';
import { Vault } from '../../src/store/secrets/vault.ts';
import { Servers } from '../../src/store/servers.ts';
import { createWorkspace, findWorkspace } from '../../src/store/workspaces.ts';
import { REDIS_URL, randomName } from '../fixture/database.ts';
import { eventually } from '../fixture/eventually.ts';
import { openStore } from '../fixture/store.ts';

const pepper = randomBytes(32);
const ring = (): string => randomBytes(32).toString('hex');
const { opened, bus, workspace, other } = await openStore();

async function auditOf(id: string): Promise<unknown[]> {
  const rows = await opened.attacker`select payload from audit where workspace_id = ${id} order by seq`;
  return rows.map(({ payload }) => JSON.parse(payload));
}

test('a workspace is found by its unique name', async () => {
  expect(await findWorkspace(opened.database, 'mine')).toBe(workspace);
  expect(await findWorkspace(opened.database, 'nobody')).toBeUndefined();
  await expect(createWorkspace(opened.database, 'mine')).rejects.toMatchObject({ problem: 'conflict' });
  await expect(createWorkspace(opened.database, 'No Name')).rejects.toMatchObject({ problem: 'invalid' });
});

describe('the vault', () => {
  test('opens what it sealed, only under the same binding, even with an older key', () => {
    const [old, young] = [ring(), ring()];
    const sealed = new Vault(old).seal('secret \u{1f600}', ['w', 's']);
    const rotated = new Vault(`${young}, ${old}`);
    expect(rotated.open(sealed, ['w', 's'])).toBe('secret \u{1f600}');
    expect([rotated.isOutdated(sealed), new Vault(old).isOutdated(sealed)]).toEqual([true, false]);
    expect(sealed).not.toContain('secret');
    expect(new Vault(old).seal('secret', ['w', 's'])).not.toBe(new Vault(old).seal('secret', ['w', 's']));
    for (const place of [['w', 't'], ['v', 's'], ['ws'], ['w', 's', '']])
      expect(() => rotated.open(sealed, place)).toThrow('copied from another row');
    expect(() => new Vault(young).open(sealed, ['w', 's'])).toThrow('not in SALLYPORT_SECRETS_KEY');
  });

  test('refuses every flipped bit, every truncation and another version', () => {
    const vault = new Vault(ring());
    const [version, id, body] = vault.seal('secret', ['w', 's']).split('.') as [string, string, string];
    expect(version).toBe('v1');
    for (const other of ['v0', 'v2', '']) expect(() => vault.open(`${other}.${id}.${body}`, ['w', 's'])).toThrow();
    const bytes = Buffer.from(body, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(() => vault.open(`${version}.${id}.${changed.toString('base64url')}`, ['w', 's'])).toThrow();
    }
    for (let length = 0; length < bytes.length; length++)
      expect(() =>
        vault.open(`${version}.${id}.${bytes.subarray(0, length).toString('base64url')}`, ['w', 's']),
      ).toThrow();
  });

  test.each(['', 'abc', 'g'.repeat(64), `${'a'.repeat(64)},`])('refuses the ring %j', (text) => {
    expect(() => new Vault(text)).toThrow('64 hexadecimal digits');
  });
});

describe('a key', () => {
  const input: KeyInput = { principal: 'agent', label: 'for tests', scopes: ['mcp', 'submit'] };

  test('identifies its workspace, principal and scopes, and its secret is not stored', async () => {
    const keys = new Keys(opened.database, bus, pepper);
    const { id, text } = await keys.create(workspace, input, 'admin');
    expect(text).toMatch(/^sp_[A-Za-z0-9]{8}_[A-Za-z0-9_-]{43}$/);
    expect(await keys.find(text)).toEqual({
      workspace,
      principal: 'agent',
      scopes: new Set(['mcp', 'submit']),
      groups: [],
      keyId: id,
    });
    const [row] = await opened.attacker`select * from keys where public_id = ${id}`;
    const secret = text.slice(12);
    expect(JSON.stringify(row)).not.toContain(secret);
    expect(JSON.stringify([await auditOf(workspace), await keys.list(workspace)])).not.toContain(secret);
    expect(await new Keys(opened.database, bus, randomBytes(32)).find(text)).toBeUndefined();
  });

  test.each(['', 'sp_', 'Bearer x', `sp_abcdefgh_${'a'.repeat(43)}`, `sp_' or 1=1_${'a'.repeat(43)}`])(
    'like %j leads nowhere',
    async (text) => {
      expect(await new Keys(opened.database, bus, pepper).find(text)).toBeUndefined();
    },
  );

  test('with another secret, or the secret of another key, is unknown', async () => {
    const keys = new Keys(opened.database, bus, pepper);
    const [one, two] = [await keys.create(workspace, input, 'admin'), await keys.create(other, input, 'admin')];
    expect(await keys.find(one.text.slice(0, 12) + two.text.slice(12))).toBeUndefined();
    const last = one.text.endsWith('A') ? 'Q' : 'A';
    expect(await keys.find(one.text.slice(0, -1) + last)).toBeUndefined();
  });

  test.each(['\u0430da', 'ad\u0430', 'Ada', 'a-da', 'a\u00ada', '\uff41da'])(
    'is not created for %j if the workspace has the principal ada',
    async (principal) => {
      const keys = new Keys(opened.database, bus, pepper);
      await keys.create(workspace, { ...input, principal: 'ada' }, 'admin');
      await expect(keys.create(workspace, { ...input, principal }, 'admin')).rejects.toThrow(
        principal.includes('\u00ad') ? 'control characters' : 'looks like another principal',
      );
      await expect(keys.create(workspace, { ...input, principal: 'ada' }, 'admin')).resolves.toBeDefined();
    },
  );

  test('of two look-alike principals at the same time is created for one', async () => {
    const keys = new Keys(opened.database, bus, pepper);
    const made = await Promise.allSettled(
      ['grace', 'gr\u0430ce'].map((principal) => keys.create(workspace, { ...input, principal }, 'admin')),
    );
    expect(made.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  test('that is revoked is refused at once in every replica', async () => {
    const prefix = randomName('test');
    const links = [openRedis(REDIS_URL, { prefix }), openRedis(REDIS_URL, { prefix })];
    // The clock does not move: only the notice can make them read again.
    const { timer, clock } = new ManualTime();
    const buses = links.map((link) => new Bus(link, { timer }));
    const replicas = buses.map((each) => new Keys(opened.database, each, pepper, { cache: { clock } }));
    await eventually(() => expect(buses.every(({ isSubscribed }) => isSubscribed)).toBe(true));
    const { id, text } = await (replicas[0] as Keys).create(workspace, input, 'admin');
    for (const keys of replicas) expect(await keys.find(text)).toBeDefined();
    await expect(replicas[0]?.revoke(other, id, 'stranger')).rejects.toMatchObject({ problem: 'missing' });
    await replicas[0]?.revoke(workspace, id, 'admin');
    expect(await replicas[0]?.find(text)).toBeUndefined();
    await eventually(async () => expect(await replicas[1]?.find(text)).toBeUndefined());
    await expect(replicas[0]?.revoke(workspace, id, 'admin')).rejects.toMatchObject({ problem: 'missing' });
    expect((await auditOf(workspace)).at(-1)).toMatchObject({
      type: 'key',
      what: 'revoked',
      id,
      by: 'admin',
      workspace,
    });
    for (const each of [...buses, ...replicas, ...links]) each.close();
  });

  test('that is revoked is refused after a second even without a notice', async () => {
    const time = new ManualTime();
    const silent = Object.assign(new Bus(), { subscribe: () => () => undefined });
    const deaf = new Keys(opened.database, silent, pepper, { cache: { clock: time.clock } });
    const keys = new Keys(opened.database, bus, pepper);
    const { id, text } = await keys.create(workspace, input, 'admin');
    expect(await deaf.find(text)).toBeDefined();
    await keys.revoke(workspace, id, 'admin');
    time.advance(999);
    expect(await deaf.find(text)).toBeDefined();
    time.advance(1);
    expect(await deaf.find(text)).toBeUndefined();
  });

  test('that is rotated has a successor, and expires after its grace time', async () => {
    let now = Date.now();
    const keys = new Keys(opened.database, bus, pepper, { clock: () => now });
    const old = await keys.create(workspace, input, 'admin');
    const young = await keys.rotate(workspace, old.id, 3600, 'admin');
    expect(await keys.find(young.text)).toMatchObject({ principal: 'agent', workspace });
    expect(await keys.find(old.text)).toBeDefined();
    // The database counts the grace time from a moment between `now` and `Date.now()` below.
    now += 3_600_000 - 60_000;
    expect(await keys.find(old.text)).toBeDefined();
    now = Date.now() + 3_600_000;
    expect(await keys.find(old.text)).toBeUndefined();
    expect(await keys.find(young.text)).toBeDefined();
    await opened.attacker`update keys set expires_at = now() where public_id = ${old.id}`;
    await expect(keys.rotate(workspace, old.id, 1, 'admin')).rejects.toMatchObject({ problem: 'missing' });
    await expect(keys.rotate(other, young.id, 1, 'admin')).rejects.toMatchObject({ problem: 'missing' });
    await expect(keys.rotate(workspace, young.id, Number.NaN, 'admin')).rejects.toMatchObject({ problem: 'invalid' });
  });

  test('is refused without a name, a scope or a future expiry', async () => {
    const begun = Date.now();
    let now = begun;
    const keys = new Keys(opened.database, bus, pepper, { clock: () => now });
    const bad: readonly Partial<KeyInput>[] = [
      { principal: '' },
      { label: 'a\nb' },
      { scopes: [] },
      { scopes: ['root' as 'mcp'] },
      { expires: new Date(begun) },
    ];
    for (const each of bad)
      await expect(keys.create(workspace, { ...input, ...each }, 'admin')).rejects.toMatchObject({
        problem: 'invalid',
      });
    const { text } = await keys.create(workspace, { ...input, expires: new Date(begun + 3_600_000) }, 'admin');
    now = begun + 3_599_999;
    expect(await keys.find(text)).toBeDefined();
    now = begun + 3_600_000;
    expect(await keys.find(text)).toBeUndefined();
  });
});

describe('a server', () => {
  const place = { kind: 'stdio', command: 'node', args: ['a b', '"{}'], env: { HOME: '/h' } } as const;
  const web = { kind: 'http', url: 'https://example.com/mcp' } as const;

  test('is stored with sealed credentials, and its changes are audited', async () => {
    const servers = new Servers(opened.database, bus, new Vault(ring()));
    await servers.set(workspace, 'files', place, 'admin');
    expect(await servers.find(workspace, 'files')).toEqual({ name: 'files', hasCredentials: false, ...place });
    expect(await servers.credentials(workspace, 'files')).toBeUndefined();
    await servers.set(workspace, 'mail', web, 'admin', { headers: { authorization: 'Bearer hidden' } });
    expect(await servers.find(workspace, 'mail')).toEqual({ name: 'mail', hasCredentials: true, ...web });
    expect(await servers.credentials(workspace, 'mail')).toEqual({ headers: { authorization: 'Bearer hidden' } });
    const [row] = await opened.attacker`select * from servers where name = 'mail'`;
    expect(JSON.stringify([row, await auditOf(workspace), await servers.list(workspace)])).not.toContain('hidden');
    expect((await servers.list(workspace)).map(({ name }) => name)).toEqual(['files', 'mail']);
    expect(await servers.find(other, 'mail')).toBeUndefined();
    await servers.keepCredentials(workspace, 'mail', 'new');
    expect(await servers.credentials(workspace, 'mail')).toBe('new');
    await servers.remove(workspace, 'files', 'admin');
    expect(await servers.find(workspace, 'files')).toBeUndefined();
    await expect(servers.remove(workspace, 'files', 'admin')).rejects.toMatchObject({ problem: 'missing' });
    expect((await auditOf(workspace)).at(-1)).toMatchObject({ type: 'server', what: 'removed', server: 'files' });
  });

  test('keeps its credentials only while its location is unchanged', async () => {
    const servers = new Servers(opened.database, bus, new Vault(ring()));
    await servers.set(workspace, 'bank', web, 'admin', 'token');
    await servers.set(workspace, 'bank', web, 'admin');
    expect(await servers.credentials(workspace, 'bank')).toBe('token');
    await servers.set(workspace, 'bank', { ...web, url: 'https://evil.example' }, 'admin');
    expect(await servers.credentials(workspace, 'bank')).toBeUndefined();
    await servers.set(workspace, 'bank', web, 'admin', 'token');
    await servers.set(workspace, 'bank', web, 'admin', null);
    expect(await servers.credentials(workspace, 'bank')).toBeUndefined();
  });

  test('does not get the credentials of another one', async () => {
    const servers = new Servers(opened.database, new Bus(), new Vault(ring()));
    await servers.set(workspace, 'one', web, 'admin', 'token');
    await servers.set(workspace, 'two', web, 'admin', 'token');
    await opened.attacker`update servers set credentials = (select credentials from servers where name = 'one') where name = 'two'`;
    await expect(servers.credentials(workspace, 'two')).rejects.toThrow('copied from another row');
  });

  test('is refused with an invalid name or location', async () => {
    const servers = new Servers(opened.database, bus, new Vault(ring()));
    for (const name of ['', 'A', 'a/b', '..', 'x'.repeat(41), "'; --"])
      await expect(servers.set(workspace, name, web, 'admin')).rejects.toMatchObject({ problem: 'invalid' });
    const places = [
      { ...web, url: 'ftp://x' },
      { ...web, url: 'https://' },
      { ...place, command: '' },
      { ...place, args: ['\0'] },
      { ...place, env: { 'A=B': '' } },
    ];
    for (const each of places)
      await expect(servers.set(workspace, 'bad', each, 'admin')).rejects.toMatchObject({ problem: 'invalid' });
  });
});
