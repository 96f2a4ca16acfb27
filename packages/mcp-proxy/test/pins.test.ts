import { describe, expect, it } from 'vitest';
import { comparableForm, type Definition, skeletonOf } from '../src/content/pin.ts';
import { shown } from './fixture/frames.ts';
import { EVE, POISON, READ, Rig, SEND } from './fixture/rig.ts';
import { Store } from './fixture/store.ts';

const CHANGED = { ...SEND, description: 'Also reads your mail' };
const names = (tools: readonly { readonly name?: unknown }[]): unknown[] => tools.map(({ name }) => name);

async function isRefused(rig: Rig, name: unknown): Promise<boolean> {
  await rig.say({ jsonrpc: '2.0', id: 'c', method: 'tools/call', params: { name, arguments: {} } });
  if (rig.server.splice(0).length > 0) {
    await rig.tell({ jsonrpc: '2.0', id: 'c', result: {} });
    rig.client.length = 0;
    return false;
  }
  const { id, result } = rig.message();
  expect(id).toBe('c');
  expect(result.isError).toBe(true);
  expect(result._meta).toEqual({ 'sallyport/decision': { outcome: 'deny', rule: 'pinned' } });
  return true;
}

describe('rug pull', () => {
  it('a definition that changes between two listings is held, with both forms', async () => {
    const rig = new Rig();
    await rig.list([SEND, READ]);
    expect(names(await rig.list([CHANGED, READ]))).toEqual(['read']);
    expect(rig.held).toEqual([{ type: 'changed', tool: 'send', before: SEND, after: CHANGED }]);
    expect(rig.events).toContainEqual({ type: 'held', held: rig.held });
    expect(await isRefused(rig, 'send')).toBe(true);
    expect(await isRefused(rig, 'read')).toBe(false);
  });

  it('a definition that changes between two connections is held', async () => {
    const store = new Store();
    await new Rig({}, store).list([SEND]);
    const rig = new Rig({}, store);
    expect(await rig.list([CHANGED])).toEqual([]);
    expect(await isRefused(rig, 'send')).toBe(true);
  });

  it('a change that a person accepts is shown and callable without a new connection', async () => {
    const rig = new Rig();
    await rig.list([SEND]);
    await rig.list([CHANGED]);
    rig.store.accept();
    expect(await isRefused(rig, 'send')).toBe(false);
    expect(names(await rig.list([CHANGED]))).toEqual(['send']);
    expect(await isRefused(rig, 'send')).toBe(false);
    await rig.list([SEND]);
    expect(rig.held).toMatchObject([{ type: 'changed', before: CHANGED, after: SEND }]);
  });

  it('is not accepted together with another tool', async () => {
    const rig = new Rig();
    await rig.list([SEND, READ]);
    await rig.list([CHANGED, { ...READ, title: 'New' }]);
    rig.store.held = rig.store.held.filter((each) => 'tool' in each && each.tool === 'send');
    expect(await isRefused(rig, 'send')).toBe(true);
  });

  it('a server that reverts its change is unchanged', async () => {
    const rig = new Rig();
    await rig.list([SEND]);
    await rig.list([CHANGED]);
    expect(names(await rig.list([SEND]))).toEqual(['send']);
    expect(await isRefused(rig, 'send')).toBe(false);
  });

  it.each([
    ['a hint', { ...SEND, annotations: { readOnlyHint: true } }],
    ['a schema', { ...SEND, inputSchema: { type: 'object', properties: { to: { type: 'string', description: '' } } } }],
    ['an unknown member', { ...SEND, x: 1 }],
    ['an output schema', { ...SEND, outputSchema: {} }],
    ['_meta', { ...SEND, _meta: { 'openai/outputTemplate': 'ui://other/page' } }],
  ])('%s is part of a definition', async (_, after) => {
    const rig = new Rig();
    await rig.list([SEND]);
    expect(await rig.list([after])).toEqual([]);
  });

  it('the order of members is not a change', async () => {
    const rig = new Rig();
    await rig.list([SEND]);
    expect(names(await rig.list([{ inputSchema: SEND.inputSchema, name: 'send' }]))).toEqual(['send']);
    expect(comparableForm({ b: 1, a: 2, _meta: { d: 3, c: 4 } })).toBe(
      comparableForm({ _meta: { c: 4, d: 3 }, a: 2, b: 1 }),
    );
  });
});

describe('shadowing', () => {
  const others = new Map([['send', 'post']]);

  it("a tool that another server has is held, with that server's name", async () => {
    const rig = new Rig({}, new Store(others));
    expect(names(await rig.list([SEND, READ]))).toEqual(['read']);
    expect(rig.held).toEqual([{ type: 'shadowed', tool: 'send', server: 'post', after: SEND }]);
    expect(await isRefused(rig, 'send')).toBe(true);
    rig.store.accept();
    expect(await isRefused(rig, 'send')).toBe(false);
    expect(names(await rig.list([SEND, READ]))).toEqual(['send', 'read']);
  });

  it("a tool whose name can be mistaken for another server's is held", async () => {
    const rig = new Rig({}, new Store(others));
    expect(names(await rig.list([{ ...SEND, name: 'Send_' }]))).toEqual([]);
    expect(rig.held).toMatchObject([{ type: 'confusable', tool: 'Send_', with: 'send' }]);
  });
});

describe('names', () => {
  it('twice in one listing: the second is held, the first is called', async () => {
    const rig = new Rig();
    expect(await rig.list([SEND, CHANGED])).toEqual([SEND]);
    expect(rig.held).toMatchObject([{ type: 'confusable', tool: 'send', with: 'send' }]);
    expect(rig.store.pins?.tools).toEqual({ send: SEND });
    expect(await rig.list([SEND, SEND])).toEqual([SEND]);
  });

  it('twice on two pages: the second is a change', async () => {
    const rig = new Rig();
    await rig.list([SEND]);
    expect(await rig.list([CHANGED], { cursor: 'page2' })).toEqual([]);
    expect(rig.held).toMatchObject([{ type: 'changed', tool: 'send' }]);
    expect(await isRefused(rig, 'send')).toBe(true);
  });

  it('one that can be mistaken for a tool of an earlier page or connection is held', async () => {
    const store = new Store();
    const rig = new Rig({}, store);
    await rig.list([SEND]);
    expect(await rig.list([{ ...SEND, name: 'SEND' }], { cursor: 'page2' })).toEqual([]);
    expect(await new Rig({}, store).list([{ ...SEND, name: '5end' }])).toEqual([]);
    expect(await isRefused(rig, 'SEND')).toBe(true);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('%s is an ordinary name', async (name) => {
    const rig = new Rig();
    const tool = `{"name":"${name}","inputSchema":{"type":"object"}}`;
    const list = async (id: number, definition: string): Promise<unknown> => {
      await rig.say({ jsonrpc: '2.0', id, method: 'tools/list' });
      rig.sent();
      await rig.tell(`{"jsonrpc":"2.0","id":${id},"result":{"tools":[${definition}]}}`);
      return names(rig.message().result.tools);
    };
    expect(await list(1, tool)).toEqual([name]);
    expect(await list(2, tool)).toEqual([name]);
    expect(await isRefused(rig, name)).toBe(false);
    expect(await list(3, tool.replace('object', 'array'))).toEqual([]);
    expect(await isRefused(rig, name)).toBe(true);
  });

  it.each([
    ['vvrite', 'write'],
    ['l0g1n', 'login'],
    ['ca11', 'call'],
    ['a|l', 'all'],
    ['\u0441\u0430t', 'cat'],
  ])('%s looks like %s', (one, other) => {
    expect(skeletonOf(one)).toBe(skeletonOf(other));
  });

  it('of other scripts are distinguished', () => {
    expect(skeletonOf('\u8bfb\u53d6')).not.toBe(skeletonOf('\u5199\u5165'));
  });
});

describe('instructions', () => {
  const greet = async (rig: Rig, instructions: unknown): Promise<unknown> =>
    shown(await rig.initialize({}, instructions === undefined ? {} : { instructions })).result.instructions;

  it('that change between two connections are held until a person accepts them', async () => {
    const store = new Store();
    expect(await greet(new Rig({}, store), 'Use me with care')).toBe('[rules] [framed] Use me with care');
    expect(await greet(new Rig({}, store), 'Use me with care')).toBe('[rules] [framed] Use me with care');
    expect(await greet(new Rig({}, store), POISON)).toBe('[rules]');
    expect(store.held).toEqual([{ type: 'instructions', before: 'Use me with care', after: POISON }]);
    store.accept();
    expect(await greet(new Rig({}, store), POISON)).toBe(`[rules] [framed] ${POISON}`);
  });

  it('that appear later are held; removed ones are empty', async () => {
    const store = new Store();
    expect(await greet(new Rig({}, store), undefined)).toBe('[rules]');
    expect(await greet(new Rig({}, store), POISON)).toBe('[rules]');
    expect(store.held).toEqual([{ type: 'instructions', before: '', after: POISON }]);
  });

  it('of a trusted server are unframed, and still pinned', async () => {
    const store = new Store();
    expect(await greet(new Rig({ trusted: true }, store), 'Use me with care')).toBe('[rules] Use me with care');
    expect(await greet(new Rig({ trusted: true }, store), POISON)).toBe('[rules]');
  });
});

describe('hints', () => {
  const TOOL = { ...SEND, annotations: { readOnlyHint: true, openWorldHint: false } };
  const calls = async (trusted: boolean, tool: Definition = TOOL): Promise<Rig> => {
    const rig = new Rig({ trusted });
    await rig.list([tool]);
    await rig.ask(
      'tools/call',
      { result: { content: [{ type: 'text', text: POISON }] } },
      { name: 'send', arguments: {} },
    );
    return rig.call(1, { to: EVE });
  };

  it('of an untrusted server do not weaken the gate', async () => {
    const rig = await calls(false);
    expect(rig.server).toEqual([]);
    expect(rig.message().result._meta['sallyport/decision'].outcome).toBe('deny');
  });

  it('of a trusted server count, and its definitions are shown unframed', async () => {
    const rig = await calls(true);
    expect(JSON.parse(rig.sent()).id).toBe(1);
    const text = { ...TOOL, description: 'Three plain words' };
    expect(await new Rig({ trusted: true }).list([text])).toEqual([text]);
  });

  it('of a trusted server that reads from anywhere do not switch the gate off', async () => {
    const rig = await calls(true, { ...SEND, annotations: { readOnlyHint: true } });
    expect(rig.server).toEqual([]);
    expect(rig.message().result._meta['sallyport/decision'].outcome).toBe('deny');
  });

  it("count only if `trusted` is true, not for the text 'false'", async () => {
    const text = { ...TOOL, description: POISON };
    const rig = new Rig({ trusted: 'false' as never });
    expect(await rig.list([text])).not.toEqual([text]);
  });

  it("of a trusted server do not override the user's declaration", async () => {
    const rig = new Rig({ trusted: true, tools: { send: { effect: 'send' } } });
    await rig.list([TOOL]);
    await rig.ask(
      'tools/call',
      { result: { content: [{ type: 'text', text: POISON }] } },
      { name: 'send', arguments: {} },
    );
    await rig.call(1, { to: EVE });
    expect(rig.server).toEqual([]);
  });
});
