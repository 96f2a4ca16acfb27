import { describe, expect, test } from 'vitest';
import { ManualTime } from '../../../../packages/core/test/fixture/time.ts';
import { KeyLookups, MAX_UNKNOWN } from '../../src/serve/auth/key-lookups.ts';
import { clientAddress, networkOf } from '../../src/serve/client-address.ts';
import type { Caller } from '../../src/store/secrets/keys.ts';
import { Installation } from '../fixture/replica.ts';

const CALLER: Caller = { workspace: 'w', principal: 'ada', scopes: new Set(['mcp']) };
const ATTACKER = '203.0.113.7';

function rig() {
  const time = new ManualTime();
  const valid = new Set(['sp_ada']);
  const queries: string[] = [];
  const find = async (text: string): Promise<Caller | undefined> => {
    queries.push(text);
    return valid.has(text) ? CALLER : undefined;
  };
  return { time, valid, queries, lookups: new KeyLookups({ find }, { clock: time.clock }) };
}

describe('looking up keys', () => {
  test('a flood of unknown keys costs a limited number of queries', async () => {
    const { lookups, queries, time } = rig();
    const flood = (): Promise<{ type: string }[]> =>
      Promise.all(Array.from({ length: 5000 }, (_, index) => lookups.find(`sp_${time.clock()}_${index}`, ATTACKER)));
    const types = (await flood()).map(({ type }) => type);
    expect(queries.length).toBe(MAX_UNKNOWN);
    expect(types.filter((type) => type === 'limited').length).toBe(5000 - MAX_UNKNOWN);
    time.advance(10_000);
    await flood();
    expect(queries.length).toBe(2 * MAX_UNKNOWN);
  });

  test('an unknown key that is repeated costs one query in a minute', async () => {
    const { lookups, queries, time } = rig();
    for (let index = 0; index < 1000; index++)
      expect(await lookups.find('sp_wrong', ATTACKER)).toEqual({ type: 'unknown' });
    expect(queries).toEqual(['sp_wrong']);
    time.advance(60_000);
    await lookups.find('sp_wrong', ATTACKER);
    expect(queries.length).toBe(2);
  });

  test('a flood limits neither other clients nor keys that were valid before', async () => {
    const { lookups, valid } = rig();
    valid.add('sp_new');
    expect(await lookups.find('sp_ada', ATTACKER)).toMatchObject({ type: 'caller' });
    for (let index = 0; index <= MAX_UNKNOWN; index++) await lookups.find(`sp_${index}`, ATTACKER);
    expect(await lookups.find('sp_ada', ATTACKER)).toMatchObject({ type: 'caller' });
    expect(await lookups.find('sp_new', ATTACKER)).toEqual({ type: 'limited', wait: 10_000 });
    expect(await lookups.find('sp_new', '198.51.100.1')).toMatchObject({ type: 'caller' });
  });

  test('valid keys are not counted, and a revoked one is unknown at once', async () => {
    const { lookups, valid } = rig();
    for (let index = 0; index < 2 * MAX_UNKNOWN; index++) {
      valid.add(`sp_${index}`);
      expect(await lookups.find(`sp_${index}`, ATTACKER)).toMatchObject({ type: 'caller' });
    }
    valid.delete('sp_0');
    expect(await lookups.find('sp_0', ATTACKER)).toEqual({ type: 'unknown' });
  });

  test('a failed query does not make a key unknown', async () => {
    let isDown = true;
    const find = async (): Promise<Caller> => {
      if (isDown) throw new Error('no database');
      return CALLER;
    };
    const lookups = new KeyLookups({ find });
    await expect(lookups.find('sp_ada', ATTACKER)).rejects.toThrow('no database');
    isDown = false;
    expect(await lookups.find('sp_ada', ATTACKER)).toMatchObject({ type: 'caller' });
  });
});

test.each([
  ['the connection without proxies, whatever the client claims', '10.0.0.1', '8.8.8.8', 0, '10.0.0.1'],
  ['the last entry with one proxy', '10.0.0.1', '8.8.8.8, 203.0.113.7', 1, '203.0.113.7'],
  ['the entry of the outermost of two proxies', '10.0.0.1', '8.8.8.8, 203.0.113.7, 10.0.0.2', 2, '203.0.113.7'],
  ['the connection if there are too few entries', '10.0.0.1', '203.0.113.7', 2, '10.0.0.1'],
  ['the connection if the entry is not an address', '10.0.0.1', 'unknown', 1, '10.0.0.1'],
  ['an IPv4 address written as IPv6', '::ffff:203.0.113.7', undefined, 0, '203.0.113.7'],
  ['the network of an IPv6 address', '2001:DB8:0:12:aaaa::1', undefined, 0, '2001:db8:0:12'],
  ['the network of a short IPv6 address', '2001:db8::1', undefined, 0, '2001:db8:0:0'],
  ['the network of a local IPv6 address', 'fe80::1%eth0', undefined, 0, 'fe80:0:0:0'],
  ['the same for all requests without a network', undefined, '8.8.8.8', 0, ''],
])('the client is %s', (_, remoteAddress, forwarded, proxies, client) => {
  const connection = remoteAddress === undefined ? undefined : { incoming: { socket: { remoteAddress } } };
  expect(networkOf(clientAddress(connection, forwarded, proxies))).toBe(client);
});

test('a replica refuses a flood of one address, and serves the key that it knows', async () => {
  const installation = await Installation.make();
  try {
    const { origin } = await installation.start({ environment: { SALLYPORT_PROXIES: '1' } });
    const key = await installation.key(await installation.workspace('team'), 'ann', ['admin']);
    const ask = (text: string, client: string): Promise<Response> =>
      fetch(`${origin}/api/v1/keys`, { headers: { authorization: `Bearer ${text}`, 'x-forwarded-for': client } });
    expect((await ask(key, ATTACKER)).status).toBe(200);
    const wrong = (index: number): string => `sp_${String(index).padStart(8, '0')}_${'a'.repeat(43)}`;
    const answers = await Promise.all(Array.from({ length: MAX_UNKNOWN + 20 }, (_, at) => ask(wrong(at), ATTACKER)));
    const limited = answers.filter(({ status }) => status === 429);
    expect([limited.length, answers.filter(({ status }) => status === 401).length]).toEqual([20, MAX_UNKNOWN]);
    expect(Number(limited[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ask(key, ATTACKER)).status).toBe(200);
    expect((await ask(wrong(9999), '198.51.100.1')).status).toBe(401);
  } finally {
    await installation.drop();
  }
});
