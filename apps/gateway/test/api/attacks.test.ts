import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES, type Scope } from '../../src/store/secrets/keys.ts';
import { EXAMPLES, type Example, methodOf } from './examples.ts';
import { openRig, type Rig, SECRET, type World } from './rig.ts';

let rig: Rig;
let victim: World;
let eve: World;

beforeAll(async () => {
  rig = await openRig();
  victim = await rig.world('victim');
  eve = await rig.world('eve');
});

afterAll(() => rig.close());

const addressOf = ({ path, query = '' }: Example, world: World): string =>
  `${path(world)}${query === '' ? '' : `?${query}`}`;
const bodyOf = ({ body }: Example, world: World): { body?: unknown } =>
  body === undefined ? {} : { body: body(world) };

function scopesOf(operation: string): readonly Scope[] {
  if (/audit/.test(operation)) return ['audit'];
  if (operation === 'post /api/v1/submissions') return ['submit'];
  if (operation === 'get /api/v1/corrections') return ['approve:own', 'approve:any', 'policy'];
  if (/approvals|findings|feedback|connection$|conversations/.test(operation)) return ['approve:own', 'approve:any'];
  if (/submissions/.test(operation)) return ['approve:any'];
  if (/pins/.test(operation)) return ['pins'];
  return [/policy|thresholds|corrections/.test(operation) ? 'policy' : 'admin'];
}

/** The rows that must not change, without signatures, which are added in the background. */
async function unchanged(work: () => Promise<void>): Promise<void> {
  const before = await rig.rowsOf(victim.workspace);
  expect(Object.keys(before).length).toBeGreaterThan(12);
  await work();
  expect(await rig.rowsOf(victim.workspace)).toEqual(before);
}

describe.each(EXAMPLES)('$operation', (example) => {
  const method = methodOf(example);

  test('reads and writes nothing of another workspace', () =>
    unchanged(async () => {
      const key = await rig.keyOf(eve.workspace);
      // An object of the same name in her own workspace is hers.
      await rig.opened.attacker`delete from servers where workspace_id = ${eve.workspace} and name = ${victim.server}`;
      const { status, body } = await rig.ask(method, addressOf(example, victim), { key, ...bodyOf(example, victim) });
      if (example.stranger === 404) expect(status).toBe(404);
      else expect([200, 201, 204, 409]).toContain(status);
      const [head] = await rig.opened.attacker`
        select encode(hash, 'hex') as hash from audit where workspace_id = ${victim.workspace} order by seq desc limit 1`;
      // Her own audit contains her request.
      const isAudit = example.operation.includes('audit');
      const seen = JSON.stringify(body).replaceAll(isAudit ? victim.server : /$^/g, '');
      const marks = ['victim', victim.workspace, victim.approval, victim.keyId, '"imperative":', head?.hash];
      expect(marks.filter((mark) => seen.includes(mark))).toEqual([]);
    }));

  test('needs its scope, and accepts no other', async () => {
    const scopes = scopesOf(example.operation);
    const others = SCOPES.filter((each) => !scopes.includes(each));
    const key = await rig.keyOf(victim.workspace, others);
    await unchanged(async () => {
      const { status, body } = await rig.ask(method, addressOf(example, victim), { key, ...bodyOf(example, victim) });
      expect([status, body]).toMatchObject([403, { error: `This request needs the scope ${scopes.join(' or ')}.` }]);
    });
  });

  test('refuses a key that is revoked, expired, changed or missing', async () => {
    const id = (key: string): string => key.slice(3, 11);
    const [revoked, expired, good] = [
      await rig.keyOf(victim.workspace),
      await rig.keyOf(victim.workspace),
      await rig.keyOf(victim.workspace),
    ];
    await rig.opened.attacker`update keys set revoked_at = now() where public_id = ${id(revoked)}`;
    await rig.opened
      .attacker`update keys set expires_at = now() - interval '1 second' where public_id = ${id(expired)}`;
    const changed = `${good.slice(0, 12)}${good.slice(12).replace(/./, (letter) => (letter === 'A' ? 'B' : 'A'))}`;
    const mixed = `sp_${id(good)}_${eve.key.slice(12)}`;
    await unchanged(async () => {
      for (const key of [revoked, expired, changed, mixed, undefined, `${good}x`, 'sp_', 'a.b.c']) {
        const asking = { ...(key === undefined ? {} : { key }), ...bodyOf(example, victim) };
        expect([key, (await rig.ask(method, addressOf(example, victim), asking)).status]).toEqual([key, 401]);
      }
    });
  });
});

const WITH_BODY = EXAMPLES.filter(({ body }) => body !== undefined);
const SQL = "'; drop table sallyport.keys cascade; --";
const HOSTILE = [
  { title: 'SQL', text: SQL, path: encodeURIComponent(SQL) },
  { title: 'SQL with quotes', text: '") or 1=1 --', path: encodeURIComponent('") or 1=1 --') },
  { title: 'NUL', text: 'a\0b', path: 'a%00b' },
  { title: 'half a character', text: 'a\ud800b', path: 'a%ED%A0%80b' },
  { title: '10 kB', text: 'x'.repeat(10_000), path: 'x'.repeat(10_000) },
  { title: 'a percent sign', text: '%', path: '%' },
  { title: 'dots', text: '../../keys', path: '..%2F..%2Fkeys' },
];

/** Copies of a value, each with one string or property name replaced. */
function spoiled(value: unknown, text: string): unknown[] {
  if (typeof value === 'string') return [text];
  if (typeof value !== 'object' || value === null) return [text];
  return Object.entries(value).flatMap(([name, each]) => {
    const put = (other: unknown): unknown =>
      Array.isArray(value) ? value.with(Number(name), other) : { ...value, [name]: other };
    const renamed = Array.isArray(value) ? [] : [{ ...value, [text]: each }];
    return [...spoiled(each, text).map(put), ...renamed];
  });
}

describe.each(HOSTILE)('$title', ({ title, text, path: encoded }) => {
  const isNeverKept = title === 'NUL' || title === 'half a character';

  test.each(EXAMPLES)('in the path and query of $operation is refused', async (example) => {
    const key = await rig.keyOf(eve.workspace);
    const places = example.path(eve).split('/');
    const paths = example.operation
      .split('/')
      .slice(2)
      .flatMap((name, index) => (name.startsWith('{') ? [places.with(index, encoded).join('/')] : []));
    const queries = ['lifecycle', 'anchor', 'other'].map((name) => `${example.path(eve)}?${name}=${encoded}`);
    await unchanged(async () => {
      for (const address of [...paths, ...queries]) {
        const { status } = await rig.ask(methodOf(example), address, { key, ...bodyOf(example, eve) });
        expect([address, status]).toEqual([address, paths.includes(address) ? 404 : 422]);
      }
    });
  });

  test.each(WITH_BODY)('in the body of $operation is refused or stored as text', async (example) => {
    const key = await rig.keyOf(eve.workspace);
    await unchanged(async () => {
      for (const body of spoiled(example.body?.(eve), text)) {
        const { status } = await rig.ask(methodOf(example), example.path(eve), { key, body });
        expect([status < 500 && (status >= 400 || !isNeverKept), status, body]).toEqual([true, status, body]);
      }
    });
    const [row] = await rig.opened.attacker`select count(*)::int as count from keys`;
    expect(row?.count).toBeGreaterThan(2);
  });
});

test.each(WITH_BODY)('$operation refuses an oversized body', async (example) => {
  const long = JSON.stringify({ text: 'x'.repeat(1024 * 1024) });
  for (const headers of [{}, { 'content-length': '5' }]) {
    const answer = await rig.ask(methodOf(example), example.path(victim), { key: victim.key, body: long, headers });
    expect([answer.status, answer.headers.get('connection')]).toEqual([413, 'close']);
  }
  const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
  expect((await rig.ask(methodOf(example), example.path(victim), { key: victim.key, body: deep })).status).toBe(422);
});

describe('an approval', () => {
  const answer = (id: string, key: string, body: unknown = { answer: 'approved' }): Promise<{ status: number }> =>
    rig.ask('POST', `/approvals/${id}`, { key, body });

  test('applies once, with the name of its author', async () => {
    const id = await rig.hold(victim.workspace, 'race');
    const keys = await Promise.all(
      Array.from({ length: 6 }, (_, index) => rig.keyOf(victim.workspace, ['approve:any'], `p${index}`)),
    );
    const statuses = await Promise.all(keys.map(async (key) => (await answer(id, key)).status));
    expect(statuses.toSorted()).toEqual([204, 404, 404, 404, 404, 404]);
    const [row] = await rig.opened.attacker`select answered_by from approvals where id = ${id}`;
    expect(row?.answered_by).toBe(`p${statuses.indexOf(204)}`);
    expect((await answer(id, keys[0] as string, { answer: 'denied' })).status).toBe(404);
  });

  test('cannot be forged', async () => {
    const id = await rig.hold(victim.workspace, 'forged');
    await unchanged(async () => {
      const forged = { answer: 'approved', by: 'boss', principal: 'boss', workspace: victim.workspace };
      expect((await answer(id, victim.key, forged)).status).toBe(422);
      expect((await answer(id, victim.key, { answer: true })).status).toBe(422);
      expect((await answer(randomUUID(), victim.key)).status).toBe(404);
      expect((await answer(id.toUpperCase(), victim.key)).status).toBe(404);
      expect((await answer(id, eve.key)).status).toBe(404);
      const headers = {
        'sallyport-workspace': victim.workspace,
        'x-forwarded-user': 'boss',
        'x-http-method-override': 'PUT',
      };
      expect(
        (await rig.ask('POST', `/approvals/${id}`, { key: eve.key, body: { answer: 'approved' }, headers })).status,
      ).toBe(404);
    });
    await rig.opened.attacker`update approvals set until = now() - interval '1 second' where id = ${id}`;
    await unchanged(async () => expect((await answer(id, victim.key)).status).toBe(404));
  });
});

test('no secret was answered or logged', async () => {
  expect(rig.answered.length).toBeGreaterThan(500);
  expect(rig.logged.length).toBeGreaterThan(500);
  const made = await rig.ask('POST', '/keys', {
    key: eve.key,
    body: { principal: 'bob', label: 'x', scopes: ['mcp'] },
  });
  const { text } = made.body as { text: string };
  await rig.ask('GET', '/keys', { key: eve.key });
  const secretOf = (key: string): string => key.slice(12);
  const all = [...rig.answered.slice(0, -2), rig.answered.at(-1), ...rig.logged].join('\n');
  for (const secret of [SECRET, secretOf(text), secretOf(victim.key), secretOf(eve.key), rig.config.secretsKey])
    expect(all.includes(secret)).toBe(false);
  const found = (pattern: RegExp, lines: readonly string[]): string | undefined => pattern.exec(lines.join('\n'))?.[0];
  const inside = /drop table|1=1|node_modules|\.ts:\d|select \*|insert into|PostgresError|victim|\bat \w+ \(/;
  expect(found(inside, rig.refused)).toBeUndefined();
  expect(found(inside, rig.logged)).toBeUndefined();
  expect(found(/sp_[A-Za-z0-9]{8}_|eve-/, rig.logged)).toBeUndefined();
});
