import { afterEach, describe, expect, test } from 'vitest';
import { ManualTime } from '../../../../packages/core/test/fixture/time.ts';
import { all, signal, until } from './rig.ts';
import { ask, CHILD, closeAll, logs, request, start, texts, values } from './stdio-rig.ts';

afterEach(closeAll);

describe('a child that sends too much, or nothing', () => {
  test('an abort ends one request and no others', async () => {
    const upstream = start();
    const controller = new AbortController();
    const answer = await upstream.post(request(1, 'never'), { signal: controller.signal });
    const waiting = texts(answer);
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    expect(await ask(upstream, 1, 'echo')).toHaveLength(1);
    // A legacy client that disconnects has not cancelled its request.
    const [{ result }] = await ask(upstream, 1, 'told');
    expect(result).toHaveLength(1);
    await expect(upstream.post(request(1, 'echo'), { signal: controller.signal })).rejects.toThrow('enough');
  });

  test('unread progress is bounded, and the answer still arrives', async () => {
    const upstream = start();
    const params = { count: 5000, method: 'notifications/progress', _meta: { progressToken: 'mine' } };
    const answer = await upstream.post(request(1, 'flood', params), { signal: signal() });
    await ask(upstream, 2, 'echo');
    const messages = await values(answer);
    expect(messages).toHaveLength(1001);
    expect(messages.at(-1)).toEqual({ jsonrpc: '2.0', id: 1, result: 'flooded' });
    expect(messages[0].params.progressToken).toBe('mine');
  });

  test('progress that was not requested is dropped', async () => {
    const params = { count: 10, method: 'notifications/progress' };
    expect(await ask(start(), 1, 'flood', params)).toHaveLength(1);
  });

  test('a listener that does not read is dropped, and the others receive everything', async () => {
    const upstream = start();
    const slow = await upstream.listen({ signal: signal() });
    const quick = await upstream.listen({ signal: signal() });
    let heard = 0;
    const reading = (async () => {
      for await (const _message of quick.messages) if (++heard === 3000) break;
    })();
    for (let round = 0; round < 6; round++)
      await ask(upstream, 1, 'flood', { count: 500, method: 'notifications/message' });
    await reading;
    expect(heard).toBe(3000);
    await expect(all(slow.messages)).rejects.toMatchObject({ code: 'busy' });
  });

  test('notifications go to all listeners', async () => {
    const upstream = start();
    const controller = new AbortController();
    const streams = await Promise.all([1, 2].map(() => upstream.listen({ signal: controller.signal })));
    const heard = streams.map(values);
    expect(await ask(upstream, 1, 'talk')).toHaveLength(1);
    controller.abort();
    const methods = (await Promise.all(heard)).map((each) => each.map(({ method }) => method));
    expect(methods).toEqual(Array(2).fill(['notifications/tools/list_changed', 'notifications/message']));
  });

  test('log lines are separated from messages, and limited', async () => {
    const time = new ManualTime();
    const upstream = start({}, [CHILD], { clock: time.clock });
    expect(await ask(upstream, 1, 'shout', { count: 2000, length: 0 })).toHaveLength(1);
    await until(() => logs.length >= 50);
    expect(logs).toHaveLength(50);
    logs.length = 0;
    // Some of the first lines may not have arrived yet.
    while (!logs.some((line) => line.startsWith('log 0'))) {
      time.advance(1000);
      await ask(upstream, 1, 'shout', { count: 1, length: 10_000 });
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(logs.some((line) => /^\(\d+ more lines omitted\)$/.test(line))).toBe(true);
    expect(Math.max(...logs.map(({ length }) => length))).toBeLessThanOrEqual(4096);
  });

  test('lines that are not messages are logged', async () => {
    const upstream = start();
    expect(await ask(upstream, 1, 'noise')).toHaveLength(1);
    expect(logs).toEqual([
      'this is not a message',
      '[1,2]',
      '"text"',
      '{"id":1,"ID":2,"result":{}}',
      '(a line that is not valid UTF-8)',
    ]);
  });

  test('an answer that is too long or not UTF-8 fails its request', async () => {
    const upstream = start();
    expect(await ask(upstream, 'a', 'bytes')).toMatchObject([{ id: 'a', error: { code: -32000 } }]);
    expect(await ask(upstream, 'b', 'long', { length: 17 * 1024 * 1024 })).toMatchObject([
      { id: 'b', error: { code: -32000 } },
    ]);
    expect(await ask(upstream, 'c', 'echo')).toHaveLength(1);
  });

  test('the number of pending requests is limited', async () => {
    const upstream = start();
    await ask(upstream, 1, 'echo');
    const posts = Array.from({ length: 1000 }, (_, id) => upstream.post(request(id, 'never'), { signal: signal() }));
    await Promise.all(posts);
    await expect(ask(upstream, 1, 'echo')).rejects.toMatchObject({ code: 'busy' });
  });
});
