import type { Rule } from '@sallyport/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Approver, META, type ProxyOptions, type Question } from '../src/index.ts';
import { answered, ELICITS, held, PENDING, REJECTED } from './fixture/held.ts';
import { DOUBT, EVE, listed } from './fixture/rig.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const accept = (approve: unknown) => ({ result: { action: 'accept', content: { approve } } });

describe('a call that needs a second person', () => {
  const asked: Question[] = [];
  const approver: Approver = async (question) => {
    asked.push(question);
    return { by: 'bob' };
  };
  beforeEach(() => void asked.splice(0));

  it.each([true, false])(
    'is not shown to the user of the client, with forms for the approver: %s',
    async (approvesForms) => {
      const rig = await listed({ secondPerson: ['send'], approver, approvesForms });
      await rig.initialize(ELICITS);
      await rig.read(DOUBT);
      await rig.call(1, { to: EVE });
      await rig.settle();
      expect(asked).toMatchObject([{ tool: 'send', secondPerson: true }]);
      expect(rig.client.filter((text) => text.includes('elicitation/create'))).toEqual([]);
      expect(rig.server).toHaveLength(1);
    },
  );

  it('is not asked about in the place of a result either', async () => {
    const rig = await listed({ secondPerson: ['send'] });
    await rig.read(DOUBT);
    await rig.call(
      1,
      { to: EVE },
      {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': ELICITS,
        },
      },
    );
    await rig.settle();
    expect(rig.client.join()).not.toContain('input_required');
    expect(rig.server).toEqual([]);
  });

  const own: Rule = ({ effect }) => ({ outcome: effect === 'read' ? 'allow' : 'ask', reason: 'Always.' });
  it.each([
    { title: 'the table asks', gate: { preset: 'strict' } },
    { title: 'another rule asks', gate: { rules: { own } } },
    { title: 'only an own rule asks', gate: { preset: 'none', rules: { own } } },
  ] satisfies readonly { title: string; gate: ProxyOptions['gate'] }[])(
    'is known by its effect if $title',
    async ({ gate }) => {
      const tools = { read: { effect: 'read' }, send: { effect: 'configure' } } as const;
      const rig = await listed({ secondPerson: ['configure'], approver, tools, gate });
      await rig.initialize(ELICITS);
      await rig.read(DOUBT);
      await rig.call(1, { to: EVE });
      await rig.settle();
      expect(asked).toMatchObject([{ tool: 'send', secondPerson: true }]);
    },
  );

  it('of another effect is asked about as ever', async () => {
    const rig = await held(ELICITS, { secondPerson: ['spend'] });
    expect(rig.message().method).toBe('elicitation/create');
  });
});

describe('through the client', () => {
  it('asks with a form that shows the call, the reason, and where its value was found', async () => {
    const rig = await held(ELICITS);
    const { id, method, params } = rig.message();
    expect(id).toMatch(/^sallyport-random-\d+$/);
    expect(method).toBe('elicitation/create');
    expect(params.message).toContain(`Sallyport holds a call of mail: send({"to":"${EVE}"})`);
    expect(params.message).toMatch(/\/to in read: "[^"]*\[[^"\]]*eve[^"\]]*\][^"]*"/);
    expect(params.requestedSchema).toEqual({
      type: 'object',
      properties: {
        approve: { type: 'boolean', title: 'Let this call pass', default: false },
        scope: {
          type: 'string',
          title: 'For which calls',
          enum: ['once', 'conversation'],
          enumNames: ['This call only', 'This tool with these values, in this session'],
          default: 'once',
        },
      },
      required: ['approve'],
    });
  });

  it.each([
    { title: 'no scope', scope: undefined, asksAgain: true },
    { title: 'once', scope: 'once', asksAgain: true },
    { title: 'this session', scope: 'conversation', asksAgain: false },
    { title: 'a scope that was not offered', scope: 'always', asksAgain: true },
    { title: 'a scope that no form offers', scope: 'task', asksAgain: true },
    { title: 'an unknown scope', scope: 'ever', asksAgain: true },
    { title: 'no text', scope: ['conversation'], asksAgain: true },
  ])('lets later calls with the same values pass as the answer says: $title', async ({ scope, asksAgain }) => {
    const rig = await held(ELICITS);
    await answered(rig, { result: { action: 'accept', content: { approve: true, scope } } });
    expect(rig.sent()).toContain(EVE);
    await rig.call(2, { to: EVE });
    await rig.settle();
    expect(rig.client.some((text) => text.includes('elicitation/create'))).toBe(asksAgain);
  });

  it('offers no scope where an approver receives the forms', async () => {
    const approver: Approver = (_question, _signal, show) => {
      show?.('form-1');
      return new Promise(() => undefined);
    };
    const rig = await held(ELICITS, { approver, approvesForms: true });
    expect(Object.keys(rig.message().params.requestedSchema.properties)).toEqual(['approve']);
  });

  it('shows invisible characters of the call as escapes', async () => {
    const rig = await listed();
    await rig.initialize(ELICITS);
    await rig.read(DOUBT);
    await rig.call(1, { to: EVE, note: 'a\u202eb\u200bc' });
    await rig.settle();
    expect(rig.message().params.message).toContain('a\\u{202e}b\\u{200b}c');
  });

  it('refuses an approved call if its tool is held meanwhile', async () => {
    const rig = await held(ELICITS);
    const { id } = rig.message();
    await rig.list([{ name: 'send', inputSchema: {} }]);
    await rig.say({ jsonrpc: '2.0', id, ...accept(true) });
    await rig.settle();
    expect(rig.server).toEqual([]);
    expect(rig.message().result._meta).toEqual({ [META.decision]: { outcome: 'deny', rule: 'pinned' } });
  });

  it('sends an approved call once, with the same bytes', async () => {
    const rig = await held(ELICITS);
    await answered(rig, accept(true));
    expect(rig.sent()).toBe(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"send","arguments":{"to":"${EVE}"}}}`,
    );
    expect(rig.events).toContainEqual({ type: 'call', tool: 'send', outcome: 'allow', rule: 'approved' });
    await rig.tell({ jsonrpc: '2.0', id: 1, result: {} });
    expect(rig.message()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    await rig.call(2, { to: EVE });
    await rig.settle();
    expect(rig.message().method).toBe('elicitation/create');
  });

  it.each([
    ['false', accept(false), REJECTED],
    ['"true"', accept('true'), REJECTED],
    ['nothing', { result: { action: 'accept' } }, REJECTED],
    ['decline', { result: { action: 'decline', content: { approve: true } } }, REJECTED],
    ['cancel', { result: { action: 'cancel', content: { approve: true } } }, PENDING],
    ['something else', { result: { action: 'ACCEPT', content: { approve: true } } }, PENDING],
    ['a text', { result: 'accept' }, PENDING],
    ['null', { result: null }, PENDING],
    ['an error', { error: { code: -32601, message: 'Method not found' } }, PENDING],
  ])('does not send the call after %s', async (_, answer, expected) => {
    const rig = await held(ELICITS);
    await answered(rig, answer);
    expect(rig.server).toEqual([]);
    expect(rig.message()).toMatchObject({ id: 1, result: { isError: true, _meta: expected } });
  });

  it('refuses the call after the timeout, and a late answer does not reach the server', async () => {
    const rig = await held(ELICITS, { askTimeout: 1000 });
    const { id } = rig.message();
    await vi.advanceTimersByTimeAsync(999);
    expect(rig.client).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    const [withdrawn, refused] = rig.client.splice(0).map((text) => JSON.parse(text));
    expect(withdrawn).toEqual({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    expect(refused).toMatchObject({ id: 1, result: { _meta: PENDING } });
    await rig.say({ jsonrpc: '2.0', id, ...accept(true) });
    await rig.settle();
    expect([rig.client, rig.server]).toEqual([[], []]);
  });

  it('does not ask the approver after the timeout', async () => {
    const asked: unknown[] = [];
    const approver = async (question: unknown) => {
      asked.push(question);
      return { by: 'somebody' };
    };
    const rig = await held(ELICITS, { askTimeout: 1000, approver });
    await vi.advanceTimersByTimeAsync(1000);
    await rig.settle();
    expect([asked, rig.server]).toEqual([[], []]);
  });

  it('drops a call that the client cancels, together with the cancellation', async () => {
    const rig = await held(ELICITS);
    const { id } = rig.message();
    await rig.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    await rig.say({ jsonrpc: '2.0', id, ...accept(true) });
    await rig.settle();
    expect([rig.client, rig.server]).toEqual([[], []]);
  });

  it('passes other messages meanwhile, and no answer to the held call', async () => {
    const rig = await held(ELICITS);
    const { id } = rig.message();
    await rig.say({ jsonrpc: '2.0', id: 2, method: 'ping' });
    rig.sent();
    await rig.tell({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'done' }] } });
    await rig.tell({ jsonrpc: '2.0', id: 2, result: {} });
    expect(rig.message()).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
    expect(rig.dropped).toEqual(['unmatched']);
    await rig.say({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect(rig.message()).toMatchObject({ id: 1, error: { code: -32600 } });
    await rig.say({ jsonrpc: '2.0', id, ...accept(true) });
    await rig.settle();
    expect(JSON.parse(rig.sent()).id).toBe(1);
  });

  it("does not accept an answer of the server as the person's", async () => {
    const rig = await held(ELICITS);
    const { id } = rig.message();
    await rig.tell({ jsonrpc: '2.0', id, ...accept(true) });
    await rig.settle();
    expect([rig.client, rig.server]).toEqual([[], []]);
  });

  it('keeps two questions separate', async () => {
    const rig = await held(ELICITS);
    const first = rig.message();
    await rig.call(2, { to: EVE, more: 'x' });
    await rig.settle();
    const second = rig.message();
    expect(second.id).not.toBe(first.id);
    await rig.say({ jsonrpc: '2.0', id: second.id, ...accept(true) });
    await rig.say({ jsonrpc: '2.0', id: first.id, ...accept(false) });
    await rig.settle();
    expect(JSON.parse(rig.sent()).id).toBe(2);
    expect(rig.message()).toMatchObject({ id: 1, result: { _meta: REJECTED } });
  });

  it('ends the question when the connection closes', async () => {
    const rig = await held(ELICITS);
    rig.got();
    rig.proxy.close();
    await rig.settle();
    expect(rig.message()).toMatchObject({ id: 1, result: { _meta: PENDING } });
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([undefined, null, {}, { elicitation: null }, { elicitation: false }, { elicitation: { url: {} } }])(
    'does not ask a client that has no forms: %j',
    async (capabilities) => {
      const rig = await held(capabilities);
      expect(rig.message()).toMatchObject({ id: 1, result: { _meta: PENDING } });
    },
  );

  it('asks a client that names forms', async () => {
    expect((await held({ elicitation: { form: {}, url: {} } })).message().method).toBe('elicitation/create');
  });
});
