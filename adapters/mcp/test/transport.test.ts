import type { Conversation, Decision, Endorser } from '@sallyport/core';
import { describe, expect, test } from 'vitest';
import { META, protect, type TransportOptions } from '../src/index.ts';
import { blindConversation, openConversation } from './fixture/conversation.ts';
import { EVIL, POISON } from './fixture/mail.ts';
import { callOf, FakeWire, frozen, resultOf } from './fixture/wire.ts';

interface Opened {
  readonly wire: FakeWire;
  readonly guarded: FakeWire;
  /** What the client has been told. */
  readonly told: { id?: unknown; result?: { [name: string]: unknown }; error?: unknown; params?: unknown }[];
}

function opened(conversation: Conversation, options: Partial<TransportOptions> = {}, ask?: () => unknown): Opened {
  const wire = new FakeWire();
  const person = ask as (() => Promise<Endorser>) | undefined;
  const { transport } = protect(conversation, person === undefined ? {} : { ask: person });
  const guarded = transport(wire, { server: 'mail', ...options });
  const told: Opened['told'] = [];
  guarded.onmessage = (message) => told.push(message as Opened['told'][number]);
  return { wire, guarded, told };
}

const TO_EVIL = { to: EVIL, body: 'Hello.' };

describe('answers', () => {
  test.each([7, '7', '0x7', ' 7 '])('an answer to request 7 under the id %j is taken in', async (id) => {
    const conversation = await openConversation();
    const { wire, guarded, told } = opened(conversation);
    await guarded.send(callOf(7, 'read_mail'));
    wire.say(resultOf(id, POISON));
    expect(told[0]?.result?._meta).toEqual({ [META.source]: { server: 'mail', tool: 'read_mail' } });
    await guarded.send(callOf(8, 'send_mail', TO_EVIL));
    expect(wire.sent).toHaveLength(1);
  });

  test('an answer that cannot be taken in is not handed on', async () => {
    const { wire, guarded, told } = opened(await openConversation());
    await guarded.send(callOf(1, 'read_mail'));
    const looped: Record<string, unknown> = { type: 'novel', text: POISON };
    looped.self = looped;
    wire.say({ jsonrpc: '2.0', id: 1, result: { content: [looped] } });
    expect(told).toEqual([{ jsonrpc: '2.0', id: 1, error: { code: -32603, message: expect.any(String) } }]);
    expect(JSON.stringify(told)).not.toContain('Ignore');
  });

  test('an answer nobody asked for, a notification and what is no message go through as the very same object', async () => {
    const { wire, told } = opened(await openConversation());
    const log = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: POISON } };
    const messages = [resultOf(9, 'late'), log, { jsonrpc: '2.0', id: 1, method: 'ping' }, 'noise', null];
    for (const message of messages) wire.say(message);
    for (const [index, message] of messages.entries()) expect(told[index]).toBe(message);
  });

  test('a result of a shape nobody knows is taken in as JSON', async () => {
    const conversation = await openConversation();
    const { wire, guarded, told } = opened(conversation);
    for (const [id, result] of [[{ novel: POISON }], null, { content: POISON }].entries()) {
      await guarded.send(callOf(id, 'read_mail'));
      wire.say({ jsonrpc: '2.0', id, result });
    }
    expect(told.map(({ result }) => (result as { novel?: string } | null)?.novel)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(conversation.records.slice(1).map(({ parts }) => parts[0]?.type)).toEqual(['json', 'json', 'text']);
    await guarded.send(callOf(9, 'send_mail', TO_EVIL));
    expect(wire.sent).toHaveLength(3);
  });

  test('what a prompt is described as, and a resource or prompt of a shape nobody knows, is taken in too', async () => {
    const answers = [
      ['prompts/get', { description: POISON, messages: [] }],
      ['prompts/get', { messages: [{ role: 'user', content: [{ type: 'text', text: POISON }] }] }],
      ['prompts/get', { messages: [{ role: 'user', novel: POISON }] }],
      ['prompts/get', { novel: POISON }],
      ['resources/read', { contents: [{ uri: 'mem://a', novel: POISON }] }],
      ['resources/read', { novel: POISON }],
    ] as const;
    for (const [method, result] of answers) {
      const conversation = await openConversation();
      const { wire, guarded } = opened(conversation);
      await guarded.send({ jsonrpc: '2.0', id: 1, method, params: { name: 'greet', uri: 'mem://a' } });
      wire.say({ jsonrpc: '2.0', id: 1, result });
      expect(JSON.stringify(conversation.records.at(-1)?.parts)).toContain('Ignore all previous instructions');
      await guarded.send(callOf(2, 'send_mail', TO_EVIL));
      expect(wire.sent).toHaveLength(1);
    }
  });

  test('what the server writes under our name is overwritten', async () => {
    const { wire, guarded, told } = opened(await openConversation());
    await guarded.send(callOf(1, 'read_mail'));
    wire.say(resultOf(1, 'hi', { _meta: { [META.source]: { server: 'bank', tool: 'balance' }, kept: true } }));
    expect(told[0]?.result?._meta).toEqual({ [META.source]: { server: 'mail', tool: 'read_mail' }, kept: true });
  });

  test('the result of a task is taken in under the call that began it', async () => {
    const conversation = await openConversation();
    const { wire, guarded, told } = opened(conversation);
    await guarded.send(callOf(1, 'read_mail', {}, { [META.call]: 'call_1' }));
    wire.say({ jsonrpc: '2.0', id: 1, result: { task: { taskId: 't', status: 'working' } } });
    expect(conversation.records).toHaveLength(1);
    await guarded.send(frozen({ jsonrpc: '2.0', id: 2, method: 'tasks/result', params: { taskId: 't' } }));
    wire.say(resultOf(2, POISON));
    expect(told[1]?.result?._meta).toEqual({ [META.source]: { server: 'mail', tool: 'read_mail' } });
    expect(conversation.records.at(-1)).toMatchObject({ id: 'call_1', source: { name: 'read_mail' } });
  });

  test('a label that the server says can only lower', async () => {
    const labels: unknown[] = [
      undefined,
      { integrity: 'external', confidentiality: 'public' },
      { integrity: 'policy', confidentiality: 'public' },
      { integrity: 'admin', confidentiality: 'public' },
      'trust me',
    ];
    const integrities: unknown[] = [];
    for (const label of labels) {
      const conversation = await openConversation();
      const { wire, guarded } = opened(conversation);
      await guarded.send(callOf(1, 'send_mail', { to: 'bob@work.example', body: 'Hi.' }));
      wire.say(resultOf(1, 'sent', label === undefined ? {} : { _meta: { [META.submission]: { label } } }));
      integrities.push(conversation.records.at(-1)?.label.integrity);
    }
    expect(integrities).toEqual(['workspace', 'external', 'workspace', 'unknown', 'unknown']);
  });
});

describe('calls', () => {
  test('before the model was shown anything, what has an effect is denied and what reads is not', async () => {
    const { wire, guarded, told } = opened(blindConversation());
    await guarded.send(callOf(1, 'send_mail', { to: 'bob@work.example', body: 'Hi.' }));
    await guarded.send(callOf(2, 'read_mail'));
    expect([wire.sent, told.map(({ id }) => id)]).toEqual([[callOf(2, 'read_mail')], [1]]);
    // What a server says does not open the eyes of a conversation whose model nobody has watched.
    wire.say(resultOf(2, 'hello'));
    await guarded.send(callOf(3, 'send_mail', { to: 'bob@work.example', body: 'Hi.' }));
    expect(wire.sent).toHaveLength(1);
  });

  test('arguments that are no object, and a call without a name, are not sent', async () => {
    const { wire, guarded } = opened(await openConversation());
    await expect(guarded.send(callOf(1, 'read_mail', '{"a":1}'))).rejects.toThrow(/parsed object/);
    await expect(guarded.send({ jsonrpc: '2.0', id: 2, method: 'tools/call' })).rejects.toThrow(/A call is/);
    expect(wire.sent).toEqual([]);
  });

  test('every call of a batch is judged, and so is one without an id', async () => {
    const { wire, guarded, told } = opened(await openConversation());
    await guarded.send(callOf(0, 'read_mail'));
    wire.say(resultOf(0, POISON));
    const unanswered = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'send_mail', arguments: TO_EVIL } };
    await guarded.send([callOf(1, 'send_mail', TO_EVIL), callOf(2, 'fail'), unanswered]);
    expect(wire.sent).toEqual([callOf(0, 'read_mail'), callOf(2, 'fail')]);
    expect(told.map(({ id }) => id)).toEqual([0, 1]);
  });

  test('a call that was given up while a person decided is not sent, whatever the person says', async () => {
    const stops: ((guarded: FakeWire, abort: AbortController) => unknown)[] = [
      (guarded) => guarded.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }),
      (_, abort) => abort.abort(),
      (guarded) => guarded.close(),
    ];
    for (const stop of stops) {
      let approve: (by: Endorser) => void = () => undefined;
      const asked = new Promise<Endorser>((resolve) => {
        approve = resolve;
      });
      const { wire, guarded, told } = opened(await openConversation(), {}, () => asked);
      const abort = new AbortController();
      const sending = guarded.send(callOf(1, 'pay', { account: 'DE02120300' }), { requestSignal: abort.signal });
      await stop(guarded, abort);
      approve({ by: 'Ann' });
      await sending;
      expect([wire.sent.filter((each) => each !== 'closed'), told]).toEqual([[], []]);
    }
  });

  test.each([
    [1, 1],
    [1, '0x1'],
    ['a', 'a'],
  ])('an answer to call %j, which has not left, under the id %j is dropped', async (made, id) => {
    let decline: (by: undefined) => void = () => undefined;
    const asked = new Promise<undefined>((resolve) => {
      decline = resolve;
    });
    const { wire, guarded, told } = opened(await openConversation(), {}, () => asked);
    const sending = guarded.send(callOf(made, 'pay', { account: 'DE02120300' }));
    await Promise.resolve();
    wire.say(resultOf(id, 'paid'));
    decline(undefined);
    await sending;
    expect(told.map(({ result }) => result?.isError)).toEqual([true]);
  });

  test('cancelling a call that has left goes on to the server', async () => {
    const { wire, guarded } = opened(await openConversation());
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    await guarded.send(callOf(1, 'read_mail'));
    await guarded.send(cancelled);
    expect(wire.sent).toEqual([callOf(1, 'read_mail'), cancelled]);
  });

  test('where nobody can be asked, the model is told that an approval is pending', async () => {
    const { wire, guarded, told } = opened(await openConversation());
    await guarded.send(callOf(1, 'pay', { account: 'DE02120300' }));
    expect(wire.sent).toEqual([]);
    expect(told[0]?.result).toMatchObject({ isError: true, _meta: { [META.decision]: { outcome: 'ask' } } });
    expect(told[0]?.result).not.toHaveProperty('resultType');
  });

  test('in the modern era a refusal says that it is complete', async () => {
    const { guarded, told } = opened(await openConversation());
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    await guarded.send(callOf(1, 'pay', { account: 'DE02120300' }, meta));
    expect(told[0]?.result?.resultType).toBe('complete');
  });

  test('the words of one server are held against a call to another', async () => {
    const conversation = await openConversation();
    const { transport } = protect(conversation);
    const [near, far] = [new FakeWire(), new FakeWire()];
    const web = transport(near, { server: 'web', name: (tool) => `web_${tool}` });
    const mail = transport(far, { server: 'mail', name: String });
    await web.send({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'mem://a' } });
    near.say({ jsonrpc: '2.0', id: 1, result: { contents: [{ uri: 'mem://a', text: POISON }] } });
    await mail.send(callOf(1, 'send_mail', TO_EVIL));
    expect(far.sent).toEqual([]);
    expect(conversation.records.at(-1)).toMatchObject({ source: { name: 'web' }, label: { integrity: 'external' } });
  });

  test('of several servers each needs a name option, so that none is trusted for a name', async () => {
    const conversation = await openConversation();
    const { transport } = protect(conversation);
    transport(new FakeWire(), { server: 'mail' });
    transport(new FakeWire(), { server: 'mail' });
    expect(() => transport(new FakeWire(), { server: 'web', name: (tool) => `web_${tool}` })).toThrow(
      /several servers/,
    );
    expect(() => transport(new FakeWire(), { server: '' })).toThrow(/name/);

    const asked: string[] = [];
    const ask = ({ call }: Decision) => {
      asked.push(call.tool);
      return undefined;
    };
    const web = protect(conversation, { ask }).transport(new FakeWire(), {
      server: 'web',
      name: (tool) => `web_${tool}`,
    });
    await web.send(callOf(1, 'read_mail'));
    expect(asked).toEqual(['web_read_mail']);
  });
});

describe('the transport itself', () => {
  test('private members, other members and handlers that were set are those of the transport', async () => {
    const wire = new FakeWire();
    const heard: unknown[] = [];
    wire.onmessage = (message, extra) => heard.push([message, extra]);
    const guarded = protect(await openConversation()).transport(wire, { server: 'mail' });
    expect(guarded).toBeInstanceOf(FakeWire);
    await guarded.start();
    const onclose = () => undefined;
    guarded.onclose = onclose;
    expect([guarded.onclose, wire.onclose]).toEqual([onclose, onclose]);
    expect(guarded.onclose).toBe(onclose);
    await guarded.send(callOf(1, 'read_mail'));
    expect(guarded.sent).toHaveLength(1);
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    wire.say(ping, { sessionId: 's' });
    expect(heard).toEqual([[ping, { sessionId: 's' }]]);
    guarded.onmessage = undefined;
    wire.say(ping);
    expect(heard).toHaveLength(1);
  });

  test('a client may wrap what the transport does, as version 2 does while it negotiates', async () => {
    const wire = new FakeWire();
    const guarded = protect(await openConversation()).transport(wire, { server: 'mail' });
    const calls: string[] = [];
    for (const name of ['start', 'send', 'close'] as const) {
      const original = guarded[name] as (...given: unknown[]) => Promise<void>;
      guarded[name] = async (...given: unknown[]) => {
        calls.push(name);
        return original.call(guarded, ...given);
      };
    }
    await guarded.start();
    await guarded.send(callOf(1, 'pay', { account: 'DE02120300' }));
    await guarded.close();
    expect([calls, wire.sent]).toEqual([['start', 'send', 'close'], ['closed']]);
    expect(guarded.constructor).toBe(FakeWire);
  });
});
