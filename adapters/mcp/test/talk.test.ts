import { Client as Client2, InMemoryTransport as Memory2 } from '@modelcontextprotocol/client';
import { InMemoryTransport as Memory1 } from '@modelcontextprotocol/sdk/inMemory.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { acceptedContent, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { META, protect } from '../src/index.ts';
import { openConversation } from './fixture/conversation.ts';
import { POISON } from './fixture/mail.ts';
import { client1 } from './fixture/rig.ts';
import { mailServer1 } from './fixture/v1.ts';
import { callOf, FakeWire, resultOf } from './fixture/wire.ts';

const LABEL = { [META.source]: { server: 'mail' } };

test('earlier protocol: sampling and elicitation requests contain their source, and a log line stays unchanged', async () => {
  const [near, far] = Memory1.createLinkedPair();
  await mailServer1().connect(far);
  const client = client1();
  const heard: unknown[] = [];
  client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => {
    heard.push(params);
    return { role: 'assistant', model: 'none', content: { type: 'text', text: 'no' } };
  });
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    heard.push(params);
    return { action: 'decline' };
  });
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    heard.push(params);
  });
  await client.connect(protect(await openConversation()).transport(near, { server: 'mail' }));
  for (const name of ['sample', 'elicit', 'log']) await client.callTool({ name, arguments: {} });
  const words = [{ role: 'user', content: { type: 'text', text: POISON } }];
  expect(heard).toEqual([
    { messages: words, maxTokens: 5, _meta: LABEL },
    expect.objectContaining({ message: POISON, _meta: LABEL }),
    { level: 'info', data: POISON },
  ]);
  await client.close();
});

/** A tool that asks for a name before it pays. */
function asking(): McpServer {
  const server = new McpServer({ name: 'mail', version: '1.0.0' });
  server.registerTool('pay', { inputSchema: z.object({ account: z.string() }) }, async ({ account }, { mcpReq }) => {
    const given = acceptedContent<{ name: string }>(mcpReq.inputResponses, 'name');
    if (given !== undefined) return { content: [{ type: 'text', text: `${account} paid by ${given.name}` }] };
    const requestedSchema = { type: 'object' as const, properties: { name: { type: 'string' as const } } };
    return inputRequired({
      inputRequests: {
        name: { method: 'elicitation/create', params: { mode: 'form', message: POISON, requestedSchema } },
      },
    });
  });
  return server;
}

test('modern protocol: a question of the server is labelled, and the call with the answer is not checked again', async () => {
  const [near, far] = Memory2.createLinkedPair();
  serveStdio(asking, { transport: far });
  const about = { name: 'host', version: '1.0.0' };
  const capabilities = { elicitation: {} };
  const client = new Client2(about, { versionNegotiation: { mode: 'auto' }, capabilities });
  const heard: unknown[] = [];
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    heard.push(params);
    return { action: 'accept', content: { name: 'Ann' } };
  });
  let asked = 0;
  const ask = () => {
    asked++;
    return { by: 'Ann' };
  };
  const conversation = await openConversation();
  await client.connect(protect(conversation, { ask }).transport(near, { server: 'mail' }));
  expect(client.getProtocolEra()).toBe('modern');
  const pay = () =>
    client.callTool({ name: 'pay', arguments: { account: 'DE02120300' }, _meta: { [META.call]: 'call_1' } });
  const [first] = (await pay()).content;
  expect([first, asked]).toEqual([{ type: 'text', text: 'DE02120300 paid by Ann' }, 1]);
  expect(heard).toEqual([expect.objectContaining({ message: POISON, _meta: LABEL })]);
  expect(conversation.records.at(-1)?.id).toBe('call_1');
  // The same call made again is a new call.
  await pay();
  expect(asked).toBe(2);
  await client.close();
});

test('an answer to a question that no server asked is checked like any call', async () => {
  const conversation = await openConversation();
  const wire = new FakeWire();
  const guarded = protect(conversation).transport(wire, { server: 'mail' });
  const params = { name: 'pay', arguments: { account: 'GB94' }, inputResponses: {}, requestState: 'x' };
  await guarded.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  expect(wire.sent).toEqual([]);
});

test('a question of a server lets one answer pass, under the id of the first call, and no call without an answer', async () => {
  let asked = 0;
  const ask = () => {
    asked++;
    return { by: 'Ann' };
  };
  const conversation = await openConversation();
  const wire = new FakeWire();
  const guarded = protect(conversation, { ask }).transport(wire, { server: 'mail' });
  const given = { account: 'DE02120300' };
  const modern = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const answer = (id: number) => {
    const params = { name: 'pay', arguments: given, inputResponses: {}, _meta: modern };
    return guarded.send({ jsonrpc: '2.0', id, method: 'tools/call', params });
  };
  await guarded.send(callOf(1, 'pay', given, { ...modern, [META.call]: 'call_1' }));
  wire.say({ jsonrpc: '2.0', id: 1, result: { resultType: 'input_required', inputRequests: {} } });
  await guarded.send(callOf(2, 'pay', given, modern));
  expect(asked).toBe(2);
  await answer(3);
  expect(asked).toBe(2);
  wire.say(resultOf(3, 'paid'));
  expect(conversation.records.at(-1)?.id).toBe('call_1');
  await answer(4);
  expect([asked, wire.sent.length]).toEqual([3, 4]);
});
