import type { Approval, Decision } from '@sallyport/core';
import { describe, expect, test } from 'vitest';
import { META, protect } from '../src/index.ts';
import { blindConversation, openConversation } from './fixture/conversation.ts';
import { POISON } from './fixture/mail.ts';
import { opened, TO_EVIL } from './fixture/opened.ts';
import { callOf, FakeWire, resultOf } from './fixture/wire.ts';

describe('calls', () => {
  test('before the model was shown anything, a call with an effect is denied and a read is not', async () => {
    const { wire, guarded, told } = opened(blindConversation());
    await guarded.send(callOf(1, 'send_mail', { to: 'bob@work.example', body: 'Hi.' }));
    await guarded.send(callOf(2, 'read_mail'));
    expect([wire.sent, told.map(({ id }) => id)]).toEqual([[callOf(2, 'read_mail')], [1]]);
    // Content of a server does not count as a request that was shown to the model.
    wire.say(resultOf(2, 'hello'));
    await guarded.send(callOf(3, 'send_mail', { to: 'bob@work.example', body: 'Hi.' }));
    expect(wire.sent).toHaveLength(1);
  });

  test('a call whose arguments are not an object, or without a name, is not sent', async () => {
    const { wire, guarded } = opened(await openConversation());
    await expect(guarded.send(callOf(1, 'read_mail', '{"a":1}'))).rejects.toThrow(/parsed object/);
    await expect(guarded.send({ jsonrpc: '2.0', id: 2, method: 'tools/call' })).rejects.toThrow(/A call must be/);
    expect(wire.sent).toEqual([]);
  });

  test('every call of a batch is checked, and so is one without an id', async () => {
    const { wire, guarded, told } = opened(await openConversation());
    await guarded.send(callOf(0, 'read_mail'));
    wire.say(resultOf(0, POISON));
    const unanswered = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'send_mail', arguments: TO_EVIL } };
    await guarded.send([callOf(1, 'send_mail', TO_EVIL), callOf(2, 'fail'), unanswered]);
    expect(wire.sent).toEqual([callOf(0, 'read_mail'), callOf(2, 'fail')]);
    expect(told.map(({ id }) => id)).toEqual([0, 1]);
  });

  test('a call that was cancelled while a person decided is not sent, whatever the person answers', async () => {
    const stops: ((guarded: FakeWire, abort: AbortController) => unknown)[] = [
      (guarded) => guarded.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }),
      (_, abort) => abort.abort(),
      (guarded) => guarded.close(),
    ];
    for (const stop of stops) {
      let approve: (by: Approval) => void = () => undefined;
      const asked = new Promise<Approval>((resolve) => {
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
  ])('an answer to call %j, which was not sent, with the id %j is dropped', async (made, id) => {
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

  test('the cancellation of a call that was sent is passed on', async () => {
    const { wire, guarded } = opened(await openConversation());
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    await guarded.send(callOf(1, 'read_mail'));
    await guarded.send(cancelled);
    expect(wire.sent).toEqual([callOf(1, 'read_mail'), cancelled]);
  });

  test('without an ask function, the model is told that an approval is pending', async () => {
    const { wire, guarded, told } = opened(await openConversation());
    await guarded.send(callOf(1, 'pay', { account: 'DE02120300' }));
    expect(wire.sent).toEqual([]);
    expect(told[0]?.result).toMatchObject({ isError: true, _meta: { [META.decision]: { outcome: 'ask' } } });
    expect(told[0]?.result).not.toHaveProperty('resultType');
  });

  test('in the modern protocol a refusal has the type complete', async () => {
    const { guarded, told } = opened(await openConversation());
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    await guarded.send(callOf(1, 'pay', { account: 'DE02120300' }, meta));
    expect(told[0]?.result?.resultType).toBe('complete');
  });

  test('the words of one server do not vouch for a call to another', async () => {
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

  test('with several servers each needs a name option, so that none is trusted for a name', async () => {
    const conversation = await openConversation();
    const { transport } = protect(conversation);
    transport(new FakeWire(), { server: 'mail' });
    transport(new FakeWire(), { server: 'mail' });
    expect(() => transport(new FakeWire(), { server: 'web', name: (tool) => `web_${tool}` })).toThrow(
      /several servers/,
    );
    expect(() => transport(new FakeWire(), { server: '' })).toThrow(/name/);

    const named = { server: 'web', name: (tool: string) => `web_${tool}` };
    const other = protect(conversation).transport;
    const wires = [new FakeWire(), new FakeWire(), new FakeWire()];
    const [one, two, three] = wires.map((wire) => other(wire, named));
    await one?.start();
    await one?.start();
    await expect(two?.start()).rejects.toThrow(/open already/);
    await one?.close();
    await two?.start();
    wires[1]?.onclose?.();
    await three?.start();

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
  test('a transport that could not be started does not block the next', async () => {
    const { transport } = protect(await openConversation());
    const broken = Object.assign(new FakeWire(), { start: () => Promise.reject(new Error('no such host')) });
    await expect(transport(broken, { server: 'mail' }).start()).rejects.toThrow(/no such host/);
    await expect(transport(new FakeWire(), { server: 'mail' }).start()).resolves.toBeUndefined();
  });

  test('private members, other members and handlers are those of the transport', async () => {
    const wire = new FakeWire();
    const heard: unknown[] = [];
    wire.onmessage = (message, extra) => heard.push([message, extra]);
    const guarded = protect(await openConversation()).transport(wire, { server: 'mail' });
    expect(guarded).toBeInstanceOf(FakeWire);
    await guarded.start();
    const onerror = () => undefined;
    guarded.onerror = onerror;
    expect([guarded.onerror, wire.onerror]).toEqual([onerror, onerror]);
    expect(guarded.onerror).toBe(onerror);
    const onclose = () => heard.push('closed');
    guarded.onclose = onclose;
    expect(guarded.onclose).toBe(onclose);
    await guarded.send(callOf(1, 'read_mail'));
    expect(guarded.sent).toHaveLength(1);
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    wire.say(ping, { sessionId: 's' });
    expect(heard).toEqual([[ping, { sessionId: 's' }]]);
    guarded.onmessage = undefined;
    wire.say(ping);
    wire.onclose?.();
    expect(heard.slice(1)).toEqual(['closed']);
  });

  test('a client may wrap the methods of the transport, as version 2 does while it negotiates', async () => {
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
