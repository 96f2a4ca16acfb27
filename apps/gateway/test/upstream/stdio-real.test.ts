import { afterEach, expect, test } from 'vitest';
import { typescriptOptions } from '../../../../tools/command.mjs';
import { EVERYTHING, FIXTURE_V2, ROOT, until } from './rig.ts';
import { ask, closeAll, logs, request, start } from './stdio-rig.ts';

afterEach(closeAll);

test('server-everything: serves tools and progress to two callers', async () => {
  const upstream = start({}, [EVERYTHING, 'stdio']);
  const [{ result }] = await ask(upstream, 1, 'tools/list');
  expect(result.tools.map(({ name }: { name: string }) => name)).toContain('echo');
  const long = {
    name: 'trigger-long-running-operation',
    arguments: { duration: 0.1, steps: 3 },
    _meta: { progressToken: 'p' },
  };
  const both = await Promise.all([ask(upstream, 4, 'tools/call', long), ask(upstream, 4, 'tools/call', long)]);
  for (const messages of both) {
    expect(
      messages.filter(({ method }) => method === 'notifications/progress').map(({ params }) => params.progressToken),
    ).toEqual(['p', 'p', 'p']);
    expect(messages.at(-1)).toMatchObject({ id: 4, result: { content: expect.anything() } });
  }
});

test('SDK 2: serves both protocols at once, and an abort cancels a subscription', async () => {
  const upstream = start({}, [...typescriptOptions, FIXTURE_V2], { cwd: ROOT });
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const [legacy] = await ask(upstream, 1, 'tools/call', { name: 'echo', arguments: { text: 'old' } });
  expect(legacy.result.content[0].text).toBe('old');
  const [discovered] = await ask(upstream, 'd', 'server/discover', { _meta });
  expect(discovered).toMatchObject({ id: 'd', result: { supportedVersions: expect.anything() } });
  const [modern] = await ask(upstream, 1, 'tools/call', { name: 'echo', arguments: { text: 'new' }, _meta });
  expect(modern).toMatchObject({ id: 1, result: { resultType: 'complete', content: [{ text: 'new' }] } });

  const listening = new AbortController();
  const params = { notifications: { toolsListChanged: true }, _meta };
  const stream = await upstream.post(request('sub', 'subscriptions/listen', params), { signal: listening.signal });
  const heard: string[] = [];
  const reading = (async () => {
    for await (const { text } of stream.messages) heard.push(text);
  })().catch(() => undefined);
  await until(() => heard.length > 0);
  await ask(upstream, 2, 'tools/call', { name: 'add_tool', arguments: {}, _meta });
  await until(() => heard.some((text) => text.includes('list_changed')));
  for (const text of heard) expect(text).toContain('"io.modelcontextprotocol/subscriptionId":"sub"');
  listening.abort();
  await reading;

  const controller = new AbortController();
  const slow = { name: 'slow', arguments: {}, _meta: { ..._meta, progressToken: 'p' } };
  const answer = await upstream.post(request(3, 'tools/call', slow), { signal: controller.signal });
  for await (const { text } of answer.messages) {
    expect(JSON.parse(text).params.progressToken).toBe('p');
    break;
  }
  await until(() => logs.some((line) => line.includes('FIXTURE cancelled')));
});
