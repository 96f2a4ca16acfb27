import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Place, SERVER, until, wrapFrom } from './fixtures/rig.ts';

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

function isAlive(pid: number): boolean {
  try {
    // A zombie that nobody waits for is dead all the same.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

function serverPid(): number {
  return Number(/\d+/.exec(place.log()[0] ?? '')?.[0]);
}

describe('ends', () => {
  test('the client ends: so does the server, and its code comes through', async () => {
    const wrapped = await place.wrap();
    expect(await wrapped.end()).toBe(0);
    expect(place.log().at(-1)).toBe('input ended');
    expect(isAlive(serverPid())).toBe(false);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    '%s reaches the server, whose code comes through',
    async (signal) => {
      const wrapped = await place.wrap();
      wrapped.child.kill(signal);
      expect(await wrapped.ended).toBe(43);
      expect(place.log().at(-1)).toBe(signal);
    },
  );

  test('a server that hears no signal is killed after a while', async () => {
    const words = [process.execPath, SERVER, '--log', place.path('log'), '--stubborn', '--stay'];
    const wrapped = place.start(words, { program: wrapFrom('./wrap-timer.ts') });
    await wrapped.greet();
    wrapped.child.kill('SIGTERM');
    expect(await wrapped.said(/alarm in (\d+) ms/)).toBe('5000');
    await until(() => place.log().at(-1) === 'SIGTERM');
    expect([wrapped.child.exitCode, isAlive(serverPid())]).toEqual([null, true]);
    wrapped.child.kill('SIGUSR2');
    expect(await wrapped.ended).toBe(128 + 9);
    expect(isAlive(serverPid())).toBe(false);
  });

  test('the wrapper is killed: the server gets to know', async () => {
    const wrapped = await place.wrap();
    wrapped.child.kill('SIGKILL');
    await wrapped.ended;
    await until(() => place.log().at(-1) === 'input ended' && !isAlive(serverPid()));
  });

  test('the client does not listen any more: the server is ended', async () => {
    const wrapped = await place.wrap();
    await wrapped.list();
    wrapped.child.stdout?.destroy();
    wrapped.send({ id: 99, method: 'tools/call', params: { name: 'big', arguments: { size: 200_000 } } });
    await wrapped.ended;
    expect(isAlive(serverPid())).toBe(false);
  });

  test('the server ends in the midst of a call, also by a signal: so does the wrapper', async () => {
    const wrapped = await place.wrap();
    await wrapped.list();
    await expect(wrapped.call('die', { code: 5 })).rejects.toThrow('ended with 5');
    const other = await place.wrap();
    await expect(other.call('die', { signal: 'SIGKILL' })).rejects.toThrow(`ended with ${128 + 9}`);
  });
});

test('a client that closes the log only is served all the same', async () => {
  const wrapped = await place.wrap();
  await wrapped.list();
  wrapped.child.stderr?.destroy();
  for (let index = 0; index < 3; index++)
    expect((await wrapped.call('noise', { to: 'not a message' })).result).toBeDefined();
  expect(await wrapped.end()).toBe(0);
});
