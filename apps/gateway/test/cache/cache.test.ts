import { randomBytes } from 'node:crypto';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Timer, Verdict } from '@sallyport/core/stages';
import { afterEach, describe, expect, test } from 'vitest';
import { ManualTime } from '../../../../packages/core/test/fixture/time.ts';
import { Bus, type Notice } from '../../src/cache/bus.ts';
import { CachedValue } from '../../src/cache/cached-value.ts';
import { Rates } from '../../src/cache/rates.ts';
import { openRedis, type RedisLink } from '../../src/cache/redis.ts';
import { Verdicts } from '../../src/cache/verdicts.ts';
import { REDIS_URL, randomName } from '../fixture/database.ts';
import { eventually } from '../fixture/eventually.ts';

const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Timeout of a command. On a busy machine Redis answers late, and only one test is about that. */
const PATIENT = 60_000;

async function link(prefix: string, url = REDIS_URL, commandTimeout = PATIENT): Promise<RedisLink> {
  const opened = openRedis(url, { prefix, commandTimeout });
  closing.push(() => opened.close());
  await eventually(() => expect([opened.commands.status, opened.events.status]).toEqual(['ready', 'ready']));
  return opened;
}

function bus(redis?: RedisLink, timer?: Timer): Bus {
  const made = new Bus(redis, timer === undefined ? {} : { timer });
  closing.push(() => made.close());
  return made;
}

const NOWHERE = 'redis://127.0.0.1:1';

/** A connection to Redis that can be cut, restored, or silenced. */
async function cuttable(): Promise<{ url: string; cut: () => void; mend: () => Promise<void>; hush: () => void }> {
  const target = new URL(REDIS_URL);
  const sockets = new Set<Socket>();
  const make = (): Server =>
    createServer((near) => {
      const far = connect(Number(target.port || 6379), target.hostname);
      for (const socket of [near, far]) sockets.add(socket.on('error', () => undefined));
      near.pipe(far).pipe(near);
    });
  let server = make();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const cut = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  closing.push(cut);
  const mend = (): Promise<void> => {
    server = make();
    return new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  };
  const hush = (): void => {
    for (const socket of sockets) socket.unpipe();
  };
  return { url: `redis://127.0.0.1:${port}`, cut, mend, hush };
}

describe('the bus', () => {
  test('delivers notices of a topic to other replicas', async () => {
    const prefix = randomName('test');
    const [one, other] = [bus(await link(prefix)), bus(await link(prefix))];
    const stranger = bus(await link(randomName('test')));
    const heard: (Notice | undefined)[] = [];
    await eventually(() => expect([one, other, stranger].every(({ isSubscribed }) => isSubscribed)).toBe(true));
    other.subscribe('keys', (notice) => heard.push(notice));
    stranger.subscribe('keys', (notice) => notice !== undefined && expect.fail('another prefix'));
    await one.publish('pins', 'w', '1');
    await one.publish('keys', 'w', '2');
    await eventually(() => expect(heard).toContainEqual({ what: 'keys', workspace: 'w', id: '2' }));
    expect(heard.filter((notice) => notice !== undefined)).toHaveLength(1);
  });

  test('ignores messages that are not notices', async () => {
    const prefix = randomName('test');
    const redis = await link(prefix);
    const one = bus(redis);
    await eventually(() => expect(one.isSubscribed).toBe(true));
    const heard: unknown[] = [];
    one.subscribe('keys', (notice) => notice !== undefined && heard.push(notice));
    for (const text of ['', '{', 'null', '[]', '{"what":"keys"}', '{"what":"other","workspace":"w","id":"1"}'])
      await redis.commands.publish(`${prefix}bus`, text);
    await one.publish('keys', 'w', '1');
    await eventually(() => expect(heard).toHaveLength(2));
    expect(heard[0]).toEqual({ what: 'keys', workspace: 'w', id: '1' });
  });

  test('without Redis invalidates twice a second, notifies its own replica at once, and never fails', async () => {
    const away = openRedis(NOWHERE);
    closing.push(() => away.close());
    for (const link of [undefined, away]) {
      const time = new ManualTime();
      const one = bus(link, time.timer);
      const heard: unknown[] = [];
      const stop = one.subscribe('approval', (notice) => heard.push(notice));
      await one.publish('approval', 'w', 'i');
      time.advance(499);
      expect(heard).toEqual([{ what: 'approval', workspace: 'w', id: 'i' }]);
      time.advance(1);
      expect(heard.slice(1)).toEqual([undefined]);
      time.advance(1000);
      expect(heard.slice(1)).toEqual([undefined, undefined, undefined]);
      stop();
      one.close();
      expect(time.waiting).toEqual([]);
    }
  });

  test('with Redis invalidates every two seconds, because a notice may be lost', async () => {
    const time = new ManualTime();
    const one = bus(await link(randomName('test')), time.timer);
    await eventually(() => expect(one.isSubscribed).toBe(true));
    let looks = 0;
    one.subscribe('policy', () => looks++);
    time.advance(1999);
    expect(looks).toBe(0);
    time.advance(2001);
    expect(looks).toBe(2);
  });

  test('invalidates when it is subscribed again', async () => {
    const way = await cuttable();
    const one = bus(await link(randomName('test'), way.url));
    await eventually(() => expect(one.isSubscribed).toBe(true));
    way.cut();
    await eventually(() => expect(one.isSubscribed).toBe(false));
    await way.mend();
    let looks = 0;
    one.subscribe('policy', (notice) => (looks += notice === undefined ? 1 : 0));
    await eventually(() => expect(one.isSubscribed).toBe(true));
    expect(looks).toBeGreaterThan(0);
  });
});

describe('a cached value', () => {
  test('is loaded once, and again after a notice, after its age, and after a failure', async () => {
    const one = bus();
    let loads = 0;
    const time = new ManualTime();
    const fresh = new CachedValue(one, 'policy', async (key) => `${key}${++loads}`, { age: 150, clock: time.clock });
    expect(await Promise.all([fresh.get('a'), fresh.get('a')])).toEqual(['a1', 'a1']);
    await one.publish('policy', 'w', '');
    expect(await fresh.get('a')).toBe('a2');
    time.advance(149);
    expect(await fresh.get('a')).toBe('a2');
    time.advance(1);
    expect(await fresh.get('a')).toBe('a3');
    let isDown = true;
    const failing = new CachedValue(one, 'policy', async () => (isDown ? Promise.reject(new Error('down')) : 'up'));
    await expect(failing.get('')).rejects.toThrow('down');
    isDown = false;
    expect(await failing.get('')).toBe('up');
    fresh.close();
  });

  test('is not one that was being loaded when a notice arrived', async () => {
    const one = bus();
    const loads: ((answer: string) => void)[] = [];
    const fresh = new CachedValue(one, 'keys', () => new Promise<string>((resolve) => loads.push(resolve)));
    const before = fresh.get('k');
    await one.publish('keys', 'w', 'k');
    const after = fresh.get('k');
    for (const [index, answer] of ['old', 'new'].entries()) loads[index]?.(answer);
    expect([await after, await before]).toEqual(['new', 'old']);
    expect(await fresh.get('k')).toBe('new');
  });

  test('is dropped when there are too many', async () => {
    let loads = 0;
    const fresh = new CachedValue(bus(), 'keys', async () => ++loads, { max: 2 });
    for (const key of ['a', 'b', 'c', 'a']) await fresh.get(key);
    expect(loads).toBe(4);
  });
});

describe('verdicts', () => {
  const key = randomBytes(32);
  const verdict: Verdict = { type: 'checked', spans: [{ start: 0, end: 3, likelihood: 'high', tag: 'role-override' }] };

  test('are shared by replicas that have the key, within a workspace', async () => {
    const redis = await link(randomName('test'));
    const cache = new Verdicts({ key, link: redis }).of('w');
    expect(await cache.get('k')).toBeUndefined();
    await cache.set('k', verdict);
    expect(await cache.get('k')).toBe(verdict);
    const others = new Verdicts({ key, link: redis });
    await eventually(async () => expect(await others.of('w').get('k')).toEqual(verdict));
    expect(await others.of('other').get('k')).toBeUndefined();
    expect(await new Verdicts({ key: randomBytes(32), link: redis }).of('w').get('k')).toBeUndefined();
  });

  test('in Redis without a valid MAC are ignored', async () => {
    const prefix = randomName('test');
    const redis = await link(prefix);
    const cache = new Verdicts({ key, link: redis }).of('w');
    await cache.set('k', verdict);
    await cache.set('clean', { type: 'checked', spans: [] });
    const names = await eventually(async () => {
      const found = await redis.commands.keys(`${prefix}verdict:*`);
      expect(found).toHaveLength(2);
      return found;
    });
    const [one, other] = await Promise.all(names.map((name) => redis.commands.get(name)));
    const forgeries = ['', 'x'.repeat(100), JSON.stringify({ type: 'checked', spans: [] }), (one ?? '').slice(0, 64)];
    for (const value of [...forgeries, `${(one ?? '').slice(0, 64)}{"type":"checked","spans":[]}`]) {
      for (const name of names) await redis.commands.set(name, value);
      expect(await new Verdicts({ key, link: redis }).of('w').get('k'), value).toBeUndefined();
    }
    // The verdict on one text, stored under the name of another.
    await redis.commands.mset(names[0] as string, other ?? '', names[1] as string, one ?? '');
    const fresh = new Verdicts({ key, link: redis }).of('w');
    expect([await fresh.get('k'), await fresh.get('clean')]).toEqual([undefined, undefined]);
  });

  test('are misses if Redis is down or silent, and stay in the process', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    closing.push(() => silent.close());
    const { port } = silent.address() as { port: number };
    const aways = [NOWHERE, `redis://127.0.0.1:${port}`].map((url) => openRedis(url, { commandTimeout: PATIENT }));
    const way = await cuttable();
    // Connected, but silent: only the timeout ends a command.
    const hushed = await link(randomName('test'), way.url, 20);
    way.hush();
    for (const away of [...aways, hushed]) {
      closing.push(() => away.close());
      const cache = new Verdicts({ key, link: away }).of('w');
      expect(await cache.get('k')).toBeUndefined();
      await cache.set('k', verdict);
      expect(await cache.get('k')).toBe(verdict);
    }
    const usual = openRedis(NOWHERE);
    closing.push(() => usual.close());
    expect(usual.commands.options.commandTimeout).toBe(50);
    const cache = new Verdicts({ key, max: 1 }).of('w');
    await cache.set('a', verdict);
    await cache.set('b', verdict);
    expect([await cache.get('a'), await cache.get('b')]).toEqual([undefined, verdict]);
  });
});

describe('rates', () => {
  /** So slow that no token is refilled while a test runs. */
  const rate = { burst: 5, perSecond: 0.001 };

  async function allowed(rates: readonly Rates[], count: number, key: string): Promise<number> {
    const taken = await Promise.all(
      Array.from({ length: count }, (_, index) => (rates[index % rates.length] as Rates).take('w', key, rate)),
    );
    for (const { isAllowed, wait } of taken) expect(isAllowed).toBe(wait === 0);
    return taken.filter(({ isAllowed }) => isAllowed).length;
  }

  test('are counted across all replicas, for each key and workspace, and refill with time', async () => {
    const prefix = randomName('test');
    const redis = await link(prefix);
    const rates = [new Rates(redis), new Rates(await link(prefix))];
    expect(await allowed(rates, 20, 'k')).toBe(5);
    expect(await allowed(rates, 3, 'other')).toBe(3);
    expect(await rates[0]?.take('other', 'k', rate)).toEqual({ isAllowed: true, wait: 0 });
    const { wait } = (await rates[0]?.take('w', 'k', rate)) ?? { wait: 0 };
    expect(wait).toBeGreaterThan(0);
    // As if the last use had been that much earlier.
    await redis.commands.hincrbyfloat(`${prefix}rate:["w","k"]`, 'time', -wait);
    expect(await allowed(rates, 3, 'k')).toBe(1);
  });

  test('are counted by each replica while Redis is down', async () => {
    const away = openRedis(NOWHERE);
    closing.push(() => away.close());
    for (const way of [undefined, away]) {
      const time = new ManualTime();
      const rates = new Rates(way, { clock: time.clock });
      expect(await allowed([rates], 20, 'k')).toBe(5);
      expect(await rates.take('w', 'k', rate)).toEqual({ isAllowed: false, wait: 1_000_000 });
      time.advance(999_000);
      expect(await rates.take('w', 'k', rate)).toMatchObject({ isAllowed: false });
      time.advance(1001);
      expect(await allowed([rates], 3, 'k')).toBe(1);
    }
  });
});
