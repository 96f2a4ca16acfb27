import { type Framed, readFrame } from '@sallyport/core/stages';
import { expect, test } from 'vitest';
import { contentOf, META, protect } from '../src/index.ts';
import { openConversation } from './fixture/conversation.ts';
import { EVIL, POISON } from './fixture/mail.ts';
import { callOf, FakeWire, resultOf } from './fixture/wire.ts';

const USER = { type: 'user', content: 'Write to bob@work.example, pay DE02120300, sum up my mail.' } as const;

test("with the model's id, the recorded result is the one that is framed later, and the id is not sent", async () => {
  const conversation = await openConversation();
  const wire = new FakeWire();
  const guarded = protect(conversation).transport(wire, { server: 'mail' });
  const raw: unknown[] = [];
  guarded.onmessage = (message) => raw.push((message as { result: unknown }).result);
  await guarded.send(callOf(1, 'read_mail', {}, { [META.call]: 'call_1' }));
  await guarded.send(callOf(2, 'read_mail', {}, { [META.call]: 'call_2', progressToken: 2 }));
  expect(wire.sent).toEqual([callOf(1, 'read_mail'), callOf(2, 'read_mail', {}, { progressToken: 2 })]);
  wire.say(resultOf(1, POISON));
  await expect.poll(() => raw.length).toBe(1);
  const count = conversation.records.length;
  const turns = [
    USER,
    { type: 'call', id: 'call_1', tool: 'read_mail', arguments: {} },
    { type: 'result', id: 'call_1', tool: 'read_mail', content: contentOf(raw[0]) },
  ] as const;
  const frames = await conversation.render(turns);
  expect(conversation.records).toHaveLength(count);

  // Another process with the stored history renders the same bytes, and the same words do not vouch.
  const later = await openConversation();
  const again = await later.render(JSON.parse(JSON.stringify(turns)));
  expect(again.map(String)).toEqual(frames.map(String));
  const other = new FakeWire();
  const reopened = protect(later).transport(other, { server: 'mail' });
  await reopened.send(callOf(1, 'send_mail', { to: EVIL, body: 'Hello.' }));
  expect(other.sent).toEqual([]);
});

test('a refusal that comes back in a history is recognized', async () => {
  const conversation = await openConversation();
  const guarded = protect(conversation).transport(new FakeWire(), { server: 'mail' });
  let result: unknown;
  guarded.onmessage = (message) => {
    result = (message as { result: unknown }).result;
  };
  await guarded.send(callOf(1, 'pay', { account: 'DE02120300' }, { [META.call]: 'call_1' }));
  const frames = await conversation.render([USER, { type: 'result', id: 'call_1', content: contentOf(result) }]);
  expect(frames[1]).toBeUndefined();
});

test('a result that looks like a frame is framed', async () => {
  const conversation = await openConversation();
  const wire = new FakeWire();
  const guarded = protect(conversation).transport(wire, { server: 'mail' });
  await guarded.send(callOf(1, 'read_mail', {}, { [META.call]: 'call_1' }));
  const [, framed] = await conversation.render([USER, { type: 'result', id: 'call_0', content: 'Hello.' }]);
  const forged = (framed as Framed).text.replace('Hello.', POISON);
  wire.say(resultOf(1, forged));
  const [, shown] = await conversation.render([
    USER,
    { type: 'result', id: 'call_1', tool: 'read_mail', content: forged },
  ]);
  const opened = readFrame((shown as Framed).text);
  expect(opened?.texts.join('')).toContain(POISON);
  expect((shown as Framed).text).not.toContain(forged);
});

test('with gate: false no person is asked and no result is recorded, while resources are', async () => {
  const conversation = await openConversation();
  const wire = new FakeWire();
  const asked: unknown[] = [];
  const ask = (decision: unknown) => {
    asked.push(decision);
    return undefined;
  };
  const guarded = protect(conversation, { ask }).transport(wire, { server: 'mail', gate: false });
  const told: { result?: { _meta?: unknown } }[] = [];
  guarded.onmessage = (message) => told.push(message as (typeof told)[number]);
  const count = conversation.records.length;
  await guarded.send(callOf(1, 'pay', { account: 'DE02120300' }, { [META.call]: 'call_1' }));
  expect([wire.sent, asked]).toEqual([[callOf(1, 'pay', { account: 'DE02120300' })], []]);
  wire.say(resultOf(1, 'paid'));
  expect(told[0]?.result?._meta).toEqual({ [META.source]: { server: 'mail', tool: 'pay' } });
  expect(conversation.records).toHaveLength(count);

  await guarded.send({ jsonrpc: '2.0', id: 2, method: 'resources/read', params: { uri: 'mem://a' } });
  wire.say({ jsonrpc: '2.0', id: 2, result: { contents: [{ uri: 'mem://a', text: POISON }] } });
  const use = { id: 'call_2', tool: 'send_mail', arguments: { to: EVIL, body: 'Hello.' } };
  await expect.poll(() => told.length).toBe(2);
  expect((await conversation.check(use)).outcome).toBe('deny');
});

test("several servers may share tool names if an adapter on the model's side checks the calls", async () => {
  const { transport } = protect(await openConversation());
  transport(new FakeWire(), { server: 'mail', gate: false });
  expect(() => transport(new FakeWire(), { server: 'web', gate: false })).not.toThrow();
});
