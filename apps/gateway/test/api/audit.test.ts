import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Bus } from '../../src/cache/bus.ts';
import { type AuditEvent, auditLine } from '../../src/store/audit/audit.ts';
import { Logins } from '../../src/store/secrets/logins.ts';
import { Writer } from '../../src/store/writer.ts';
import { openRig, type Rig, type World } from './rig.ts';

let rig: Rig;
let mine: World;
let other: World;

beforeAll(async () => {
  rig = await openRig();
  mine = await rig.world('mine');
  other = await rig.world('other');
});

afterAll(() => rig.close());

const ask = (path: string, key = mine.key): ReturnType<Rig['ask']> => rig.ask('GET', path, { key });

interface Found {
  readonly rows: readonly {
    readonly seq: number;
    readonly at: string;
    readonly type: string;
    readonly event: Readonly<Record<string, unknown>>;
    readonly conversation?: string;
  }[];
  readonly next?: number;
}

async function found(query: string, key?: string): Promise<Found> {
  const { status, body } = await ask(`/audit/events${query}`, key);
  expect(status).toBe(200);
  return body;
}

const CALL: AuditEvent = {
  type: 'call',
  server: 'mail',
  principal: 'ann',
  conversation: 'thread 1',
  tool: 'send <b>',
  arguments: '',
  outcome: 'deny',
  judged: 'deny',
  rule: 'instructed',
  decidedBy: 'provenance',
  reason: 'why',
  evidence: [],
};

describe('a search of the audit', () => {
  beforeAll(async () => {
    const audit = [CALL, { ...CALL, conversation: 'ann' }].map((event) => auditLine(mine.workspace, event));
    await new Writer(rig.opened.database).write(mine.workspace, { audit });
  });

  test('gives the whole event, and the id of the conversation', async () => {
    const { rows } = await found(`?tool=${encodeURIComponent('send <b>')}&outcome=deny`);
    expect(rows.map(({ type, event }) => [type, event.rule, event.reason])).toEqual([
      ['call', 'instructed', 'why'],
      ['call', 'instructed', 'why'],
    ]);
    const names = rows.map(({ conversation = '' }) => JSON.parse(Buffer.from(conversation, 'base64url').toString()));
    expect(names).toEqual([['ann'], ['ann', 'thread 1']]);
  });

  test('has pages that do not overlap and leave nothing out', async () => {
    const all = (await found('?limit=200')).rows.map(({ seq }) => seq);
    expect(all.length).toBeGreaterThan(5);
    const paged: number[] = [];
    for (let query = '?limit=2'; query !== ''; ) {
      const { rows, next } = await found(query);
      paged.push(...rows.map(({ seq }) => seq));
      query = next === undefined ? '' : `?limit=2&before=${next}`;
    }
    expect(paged).toEqual(all);
  });

  test.each([
    'limit=0',
    'limit=201',
    'limit=x',
    'type=nothing',
    'outcome=maybe',
    'before=-1',
    'from=yesterday',
    'from=2026-13-45T00:00:00Z',
    'server=a%20b',
    'person=',
    'person=%00',
    'unknown=1',
  ])('refuses %s', async (query) => {
    expect((await ask(`/audit/events?${query}`)).status).toBe(422);
  });

  test('sees nothing of another workspace, whatever is asked for', async () => {
    const seen = await found('?limit=200', other.key);
    expect(JSON.stringify(seen)).not.toContain(mine.workspace);
    expect((await found('?person=ann', other.key)).rows).toEqual([]);
  });
});

describe('the figures', () => {
  test('count calls and corrections, and say how far the audit is signed', async () => {
    const { body } = await ask('/audit/statistics?hours=24');
    expect(body).toMatchObject({
      total: { calls: 2, denied: 2, asked: 2, waiting: 1 },
      questionsPerHundredCalls: 100,
      corrections: { falseAlarms: 0, attacks: 1, falseAlarmRate: 0 },
      causes: [
        { rule: 'instructed', denied: 2 },
        { rule: 'r', asked: 2 },
      ],
    });
    const { audit } = body as { audit: { rows: number; head: number } };
    expect(audit.rows).toBe(audit.head);
  });

  test('say nothing of a rate where nothing was counted', async () => {
    const { body } = await ask('/audit/statistics?hours=1', other.key);
    expect(body).not.toHaveProperty('questionsPerHundredCalls');
  });

  test.each(['0', '745', '-1', '1.5', ''])('are not given for %j hours', async (hours) => {
    expect((await ask(`/audit/statistics?hours=${hours}`)).status).toBe(422);
  });
});

describe('the people', () => {
  test('are those who have logged in or have keys, until their sessions are ended', async () => {
    const bus = new Bus();
    const logins = new Logins(rig.opened.database, bus, rig.config.keysFor('logins'));
    await logins.start(mine.workspace, 'sub:ada', new Set(['approve:own']));
    await logins.start(mine.workspace, 'sub:ada', new Set(['approve:own', 'audit']));
    const key = { principal: 'agent', label: 'l', scopes: ['mcp'], groups: ['sales'], person: 'sub:ada' } as const;
    await rig.keys.create(mine.workspace, key, 'rig');
    const personOf = async (): Promise<unknown> => {
      const { people } = (await ask('/people')).body as { people: { principal: string }[] };
      return people.find(({ principal }) => principal === 'sub:ada');
    };
    expect(await personOf()).toEqual({
      principal: 'sub:ada',
      login: { at: expect.any(String), scopes: ['approve:own', 'audit'] },
      sessions: 2,
      keys: 1,
      keyScopes: ['mcp'],
      groups: ['sales'],
    });
    await rig.ask('POST', '/logins/end', { key: mine.key, body: { principal: 'sub:ada' } });
    expect(await personOf()).toMatchObject({ sessions: 0, login: { scopes: ['approve:own', 'audit'] } });
    const { rows } = await found('?type=login&person=sub:ada&limit=1');
    expect(rows[0]?.event).toMatchObject({ what: 'ended', by: 'mine-person', principal: 'sub:ada' });
    const { people } = (await ask('/people', other.key)).body as { people: { principal: string }[] };
    expect(people.map(({ principal }) => principal)).toEqual(['other-person']);
    bus.close();
    logins.close();
  });

  test('are not shown by keys that are revoked', async () => {
    const { id } = await rig.keys.create(mine.workspace, { principal: 'gone', label: 'l', scopes: ['mcp'] }, 'rig');
    await rig.keys.revoke(mine.workspace, id, 'rig');
    expect(JSON.stringify((await ask('/people')).body)).not.toContain('gone');
  });

  test.each(['audit', 'approve:any', 'policy'] as const)('are not shown to %s', async (scope) => {
    const key = await rig.keyOf(mine.workspace, [scope]);
    expect((await ask('/people', key)).status).toBe(403);
    expect((await rig.ask('POST', '/logins/end', { key, body: { principal: 'sub:ada' } })).status).toBe(403);
    expect((await ask('/audit/events', key)).status).toBe(scope === 'audit' ? 200 : 403);
    expect((await ask('/audit/statistics', key)).status).toBe(scope === 'audit' ? 200 : 403);
  });
});
