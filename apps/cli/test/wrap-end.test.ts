import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SERVER, TestFolder, until, wrapFrom } from './fixtures/rig.ts';

let testFolder: TestFolder;
beforeEach(() => {
  testFolder = new TestFolder();
});
afterEach(() => testFolder.remove());

function isAlive(pid: number): boolean {
  try {
    // A zombie has ended, even if its parent has not waited for it.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

function serverPid(): number {
  return Number(/\d+/.exec(testFolder.log()[0] ?? '')?.[0]);
}

describe('the end of a connection', () => {
  test('the server ends with the client, and its exit code is returned', async () => {
    const wrapped = await testFolder.wrap();
    expect(await wrapped.end()).toBe(0);
    expect(testFolder.log().at(-1)).toBe('input ended');
    expect(isAlive(serverPid())).toBe(false);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    '%s is forwarded to the server, and its exit code is returned',
    async (signal) => {
      const wrapped = await testFolder.wrap();
      wrapped.child.kill(signal);
      expect(await wrapped.ended).toBe(43);
      expect(testFolder.log().at(-1)).toBe(signal);
    },
  );

  test('a server that ignores a signal is killed after five seconds', async () => {
    const words = [process.execPath, SERVER, '--log', testFolder.path('log'), '--stubborn', '--stay'];
    const wrapped = testFolder.start(words, { program: wrapFrom('./wrap-timer.ts') });
    await wrapped.greet();
    wrapped.child.kill('SIGTERM');
    expect(await wrapped.said(/alarm in (\d+) ms/)).toBe('5000');
    await until(() => testFolder.log().at(-1) === 'SIGTERM');
    expect([wrapped.child.exitCode, isAlive(serverPid())]).toEqual([null, true]);
    wrapped.child.kill('SIGUSR2');
    expect(await wrapped.ended).toBe(128 + 9);
    expect(isAlive(serverPid())).toBe(false);
  });

  test('the server ends if the wrapper is killed', async () => {
    const wrapped = await testFolder.wrap();
    wrapped.child.kill('SIGKILL');
    await wrapped.ended;
    await until(() => testFolder.log().at(-1) === 'input ended' && !isAlive(serverPid()));
  });

  test('the server is ended if the client closes its output', async () => {
    const wrapped = await testFolder.wrap();
    await wrapped.list();
    wrapped.child.stdout?.destroy();
    wrapped.send({ id: 99, method: 'tools/call', params: { name: 'big', arguments: { size: 200_000 } } });
    await wrapped.ended;
    expect(isAlive(serverPid())).toBe(false);
  });

  test('the wrapper ends if the server exits or is killed during a call', async () => {
    const wrapped = await testFolder.wrap();
    await wrapped.list();
    await expect(wrapped.call('die', { code: 5 })).rejects.toThrow('ended with 5');
    const other = await testFolder.wrap();
    await expect(other.call('die', { signal: 'SIGKILL' })).rejects.toThrow(`ended with ${128 + 9}`);
  });
});

test('a client that closes only standard error is still served', async () => {
  const wrapped = await testFolder.wrap();
  await wrapped.list();
  wrapped.child.stderr?.destroy();
  for (let index = 0; index < 3; index++)
    expect((await wrapped.call('noise', { to: 'not a message' })).result).toBeDefined();
  expect(await wrapped.end()).toBe(0);
});
