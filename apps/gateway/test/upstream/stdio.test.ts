import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { ManualTime } from '../../../../packages/core/test/fixture/time.ts';
import { StdioUpstream } from '../../src/upstream/stdio.ts';
import { all, signal, until } from './rig.ts';
import { ask, CHILD, closeAll, logs, request, start, startOf, texts, values } from './stdio-rig.ts';

afterEach(closeAll);

describe('callers that share a child', () => {
  test('get their own answers and progress, even with the same ids and tokens', async () => {
    const upstream = start();
    const hold = (mine: string, id: unknown, progressToken: unknown) =>
      upstream.post(request(id, 'hold', { mine, _meta: { progressToken } }), { signal: signal() });
    const waiting = [
      await hold('a', 1, 1),
      await hold('b', 1, 1),
      await hold('c', '1', '1'),
      await hold('d', 1, 'other'),
    ];
    await ask(upstream, 1, 'release');
    const answers = await Promise.all(waiting.map(values));
    const progress = (progressToken: unknown, message: string) => ({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken, progress: 1, message },
    });
    const answer = (id: unknown, mine: string) => ({ jsonrpc: '2.0', id, result: { mine } });
    expect(answers).toEqual([
      [progress(1, 'a'), answer(1, 'a')],
      [progress(1, 'b'), answer(1, 'b')],
      [progress('1', 'c'), answer('1', 'c')],
      [progress('other', 'd'), answer(1, 'd')],
    ]);
  });

  test('a child cannot answer requests that it did not receive', async () => {
    const upstream = start();
    const other = await upstream.post(request(1, 'hold', { mine: 'other' }), { signal: signal() });
    expect(await ask(upstream, 1, 'guess', { _meta: { progressToken: 1 } })).toEqual([
      { jsonrpc: '2.0', id: 1, result: 'mine' },
    ]);
    await ask(upstream, 2, 'release');
    expect(await values(other)).toEqual([{ jsonrpc: '2.0', id: 1, result: { mine: 'other' } }]);
  });

  test('are served by one process', async () => {
    const upstream = start();
    const [[one], [two]] = await Promise.all([ask(upstream, 1, 'echo'), ask(upstream, 1, 'echo')]);
    expect(one.result.pid).toBe(two.result.pid);
    expect(one.result.id).not.toBe(two.result.id);
  });

  test('a message is forwarded byte for byte except for its id', async () => {
    const answer = await start().post('{"jsonrpc":"2.0" , "id":1e0,\n"method":"numbers"}', { signal: signal() });
    expect(await texts(answer)).toEqual(['{ "result":{"big":12345678901234567890,"id":7} ,"id" : 1e0 }']);
  });

  test.each([
    { title: 'two ids', payload: '{"jsonrpc":"2.0","id":1,"id":2,"method":"echo"}' },
    { title: 'an id in capitals', payload: '{"jsonrpc":"2.0","id":1,"ID":2,"method":"echo"}' },
    { title: 'an id in escapes', payload: '{"jsonrpc":"2.0","id":1,"\\u0069d":2,"method":"echo"}' },
    {
      title: 'two tokens',
      payload: '{"jsonrpc":"2.0","id":1,"method":"echo","params":{"_meta":{"progressToken":1,"progressToken":2}}}',
    },
    {
      title: 'two of what holds the token',
      payload: '{"jsonrpc":"2.0","id":1,"method":"echo","params":{"_meta":{},"_meta":{"progressToken":2}}}',
    },
    { title: 'a batch', payload: '[{"jsonrpc":"2.0","id":1,"method":"echo"}]' },
    { title: 'not JSON', payload: '{"jsonrpc":' },
    { title: 'a text', payload: '"echo"' },
  ])('an ambiguous message is not sent: $title', async ({ payload }) => {
    const answer = await start().post(payload, { signal: signal() });
    expect(answer.status).toBe(400);
    expect(await values(answer)).toMatchObject([{ id: null, error: { code: -32600 } }]);
  });

  test('only the caller of a request can cancel it', async () => {
    const upstream = start();
    const cancel = (caller?: string) =>
      upstream.post('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5,"reason":"enough"}}', {
        signal: signal(),
        ...(caller === undefined ? {} : { caller }),
      });
    const post = (caller: string) => upstream.post(request(5, 'hold'), { signal: signal(), caller });
    await Promise.all([post('ada'), post('eve')]);
    const toldOf = async () =>
      (await ask(upstream, 1, 'told'))[0].result.map(
        ({ params, method }: { params: unknown; method: string }) => params ?? method,
      );
    await cancel('bob');
    await cancel();
    expect(await toldOf()).toEqual(['notifications/initialized']);
    expect((await cancel('eve')).status).toBe(202);
    expect(await toldOf()).toEqual(['notifications/initialized', { requestId: 3, reason: 'enough' }]);
  });
});

describe('starting a child', () => {
  test('the gateway initializes it once and returns the result to each caller', async () => {
    const upstream = start();
    const initialize = (id: unknown) =>
      ask(upstream, id, 'initialize', {
        protocolVersion: '2024-11-05',
        capabilities: { sampling: {}, roots: {} },
        clientInfo: {},
      });
    const [[one], [two]] = await Promise.all([initialize('x'), initialize(7)]);
    expect([one.id, two.id]).toEqual(['x', 7]);
    expect(one.result).toEqual(two.result);
    expect(one.result.asked).toMatchObject({ protocolVersion: '2025-11-25', capabilities: {} });
    const done = await upstream.post('{"jsonrpc":"2.0","method":"notifications/initialized"}', { signal: signal() });
    expect([done.status, await texts(done)]).toEqual([202, []]);
    const [{ result }] = await ask(upstream, 1, 'told');
    expect(result).toEqual([{ jsonrpc: '2.0', method: 'notifications/initialized' }]);
  });

  test('a request of the child is refused, and its ping is answered', async () => {
    const upstream = start();
    expect(await ask(upstream, 1, 'ask')).toMatchObject([{ result: { id: 'question', error: { code: -32601 } } }]);
    expect(await ask(upstream, 1, 'ask-ping')).toMatchObject([{ result: { id: 7, result: {} } }]);
  });

  test('the environment contains only what the configuration names', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-'));
    process.env.SALLYPORT_TEST_SECRET = 'secret';
    const [{ result }] = await ask(start({ ONLY: 'this' }, [CHILD], { cwd: folder }), 1, 'environment');
    delete process.env.SALLYPORT_TEST_SECRET;
    expect(result).toEqual({ environment: { ONLY: 'this' }, cwd: folder });
    rmSync(folder, { recursive: true });
  });

  test.each([
    { title: 'dies at once', env: { MODE: 'dies' }, args: [CHILD] },
    { title: 'refuses to begin', env: { MODE: 'wrong' }, args: [CHILD] },
    { title: 'does not exist', env: {}, args: ['/nonexistent.mjs'] },
  ])('fails if the child $title', async ({ env, args }) => {
    await expect(ask(start(env as unknown as Record<string, string>, args), 1, 'echo')).rejects.toMatchObject({
      code: 'process',
    });
  });

  test('fails if the command cannot be run', async () => {
    const upstream = new StdioUpstream({
      start: startOf({ command: '/nonexistent', args: [], env: {} }),
      onLog: (line) => logs.push(line),
    });
    await expect(ask(upstream, 1, 'echo')).rejects.toMatchObject({ code: 'process' });
    const broken = new StdioUpstream({ start: startOf({ command: 'a\0b', args: [], env: {} }) });
    await expect(ask(broken, 1, 'echo')).rejects.toMatchObject({ code: 'process' });
    expect(logs.join()).toContain('cannot be started');
  });

  test('an abort ends the wait for a child that does not start', async () => {
    const upstream = start({ MODE: 'mute' });
    await expect(upstream.post(request(1, 'echo'), { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });
});

describe('a child that ends', () => {
  test('fails pending requests, ends streams, and is replaced for the next call', async () => {
    const upstream = start();
    const [{ result: before }] = await ask(upstream, 1, 'echo');
    const stream = all((await upstream.listen({ signal: signal() })).messages);
    const waiting = await Promise.all([1, 'x'].map((id) => upstream.post(request(id, 'never'), { signal: signal() })));
    const died = ask(upstream, 9, 'die');
    const answers = await Promise.all([...waiting.map(values), died]);
    expect(answers.map((each) => each.map(({ id, error }) => [id, error.code]))).toEqual([
      [[1, -32000]],
      [['x', -32000]],
      [[9, -32000]],
    ]);
    expect(await stream).toEqual([]);
    const [{ result: after }] = await ask(upstream, 1, 'echo');
    expect(after.pid).not.toBe(before.pid);
  });

  test('delivers its last message', async () => {
    expect(await ask(start(), 1, 'answer-and-die')).toEqual([{ jsonrpc: '2.0', id: 1, result: 'last words' }]);
  });

  test('is restarted after a pause that doubles each time', async () => {
    const time = new ManualTime();
    const upstream = start({ MODE: 'dies' }, [CHILD], { timer: time.timer, clock: time.clock });
    const failed = (): Promise<unknown> => ask(upstream, 1, 'echo').catch(({ code }) => code);
    expect(await failed()).toBe('process');
    for (let least = 100; least < 120_000; least *= 2) {
      const next = failed();
      await until(() => time.waiting.length > 0);
      const [pause = 0] = time.waiting;
      expect(pause).toBeGreaterThanOrEqual(Math.min(least, 30_000));
      expect(pause).toBeLessThanOrEqual(30_000);
      time.advance(pause - 1);
      expect(time.waiting).toEqual([1]);
      time.advance(1);
      expect(await next).toBe('process');
    }
  });

  test('after more than a minute counts as the first failure', async () => {
    const time = new ManualTime();
    const upstream = start({}, [CHILD], { timer: time.timer, clock: time.clock });
    /** Ends a child that has run for `milliseconds`, and returns how long its successor waits. */
    async function pauseAfter(milliseconds: number): Promise<number> {
      await ask(upstream, 1, 'echo');
      time.advance(milliseconds);
      await ask(upstream, 1, 'die');
      const next = ask(upstream, 1, 'echo');
      await until(() => time.waiting.length > 0);
      const [pause = 0] = time.waiting;
      time.advance(pause);
      await next;
      return pause;
    }
    const pauses = [await pauseAfter(0), await pauseAfter(60_000), await pauseAfter(60_001), await pauseAfter(0)];
    expect(pauses).toEqual([100, 200, 100, 200]);
  });

  test('takes its own child processes with it', async () => {
    const upstream = start();
    const [{ result }] = await ask(upstream, 1, 'child');
    const isAlive = (): boolean => {
      try {
        return process.kill(result.pid, 0);
      } catch {
        return false;
      }
    };
    expect(isAlive()).toBe(true);
    await ask(upstream, 1, 'die');
    await until(() => !isAlive());
  });

  test('is stopped when the gateway closes', async () => {
    const upstream = start();
    const waiting = ask(upstream, 1, 'never');
    const [{ result }] = await ask(upstream, 1, 'echo');
    await upstream.close();
    expect(await waiting).toMatchObject([{ id: 1, error: { code: -32000 } }]);
    expect(() => process.kill(result.pid, 0)).toThrow();
    await expect(ask(upstream, 1, 'echo')).rejects.toMatchObject({ code: 'closed' });
  });
});
