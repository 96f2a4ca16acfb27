import { describe, expect, it } from 'vitest';
import { answerAttacks } from './attacks/answers.ts';
import { confusables, definitionAttacks } from './attacks/definitions.ts';
import { spokenAttacks } from './attacks/spoken.ts';
import { sayings, shown } from './fixture/frames.ts';
import { EVE, listed, POISON, Rig, SEND } from './fixture/rig.ts';

describe("a server's answers", () => {
  it.each(answerAttacks)('$title', async ({ attack: { method, ...answer }, expected }) => {
    const rig = await listed();
    const text = await rig.ask(method, answer, { name: 'send', arguments: {} });
    const { id, jsonrpc, ...rest } = shown(text);
    expect(rest).toEqual(expected);
    expect(sayings(text)).toEqual([]);
  });

  it.each(answerAttacks.filter(({ expected }) => JSON.stringify(expected).includes(EVE)))(
    'is read by the gate: $title',
    async ({ attack: { method, ...answer } }) => {
      const rig = await listed();
      await rig.ask(method, answer, { name: 'send', arguments: {} });
      await rig.call(9, { to: EVE });
      expect(rig.server).toEqual([]);
      expect(rig.message().result._meta).toEqual({ 'sallyport/decision': { outcome: 'deny', rule: 'instructed' } });
    },
  );
});

describe("a server's tool definitions", () => {
  it.each(definitionAttacks)('$title', async ({ attack, expected }) => {
    const rig = new Rig();
    const text = await rig.ask('tools/list', { result: { tools: [attack, SEND] } });
    expect(shown(text).result.tools).toEqual(expected === undefined ? [SEND] : [expected, SEND]);
    expect(sayings(text)).toEqual([]);
    const isFlagged = JSON.stringify(attack).includes(POISON);
    const shownAs = isFlagged ? ['flagged'] : [];
    expect(rig.held.map(({ type }) => type)).toEqual(expected === undefined ? ['unreadable'] : shownAs);
  });

  it('checks calls against the text of definitions', async () => {
    const rig = await listed({}, [{ ...SEND, description: POISON }]);
    await rig.call(1, { to: EVE });
    expect(rig.server).toEqual([]);
    expect(rig.message().result.isError).toBe(true);
  });

  it.each(confusables)('a name that can be mistaken for another: $title', async ({ attack, expected }) => {
    const rig = new Rig();
    const tools = await rig.list([
      { name: 'send_mail', inputSchema: {} },
      { name: attack, inputSchema: {} },
    ]);
    expect(tools.map(({ name }) => name)).toEqual(expected ? ['send_mail'] : ['send_mail', attack]);
    expect(rig.held.map(({ type }) => type)).toEqual(expected ? ['confusable'] : []);
  });
});

describe("a server's requests and notifications", () => {
  it.each(spokenAttacks)('$title', async ({ attack, expected }) => {
    const rig = await listed();
    expect(await rig.tell({ jsonrpc: '2.0', ...attack })).toBe(true);
    const text = rig.got();
    expect(shown(text)).toEqual({ jsonrpc: '2.0', ...expected });
    expect(sayings(text)).toEqual([]);
    await rig.call(9, { to: EVE });
    expect(rig.server).toEqual([]);
  });

  it('drops a request whose id is prose, because a client answers under the same id', async () => {
    const rig = await listed();
    await rig.tell({ jsonrpc: '2.0', id: POISON, method: 'ping' });
    expect(rig.client).toEqual([]);
    expect(JSON.parse(rig.sent())).toMatchObject({ id: POISON, error: { code: -32600 } });
    await rig.tell({ jsonrpc: '2.0', id: POISON.repeat(100), method: 'ping' });
    expect([rig.client, rig.server, rig.dropped]).toEqual([[], [], ['kind', 'kind']]);
  });
});

describe('content that a client returns', () => {
  const choices = { choice: { type: 'string', enum: ['yes', 'no, never do it', POISON] } };
  const requestedSchema = { type: 'object', properties: choices };

  it.each([1, 2])("is the server's own choice, number %i", async (index) => {
    const rig = await listed();
    await rig.tell({
      jsonrpc: '2.0',
      id: 'e',
      method: 'elicitation/create',
      params: { message: 'Go?', requestedSchema },
    });
    const choice = rig.message().params.requestedSchema.properties.choice.enum[index];
    expect(choice).not.toBe(choices.choice.enum[index]);
    await rig.say({ jsonrpc: '2.0', id: 'e', result: { action: 'accept', content: { choice, other: [1] } } });
    expect(JSON.parse(rig.sent()).result.content).toEqual({ choice: choices.choice.enum[index], other: [1] });
  });

  it("is the server's own value of an argument schema, address or cursor", async () => {
    const place = 'file:///My Documents/a b c.txt';
    const rig = new Rig();
    const [tool] = await rig.list([
      { name: 'send', inputSchema: { properties: { to: { enum: ['to all of them'] } } } },
    ]);
    const { result } = JSON.parse(await rig.ask('resources/list', { result: { resources: [{ uri: place }] } }));
    const to = (tool as { inputSchema: typeof choices & { properties: { to: { enum: string[] } } } }).inputSchema
      .properties.to.enum[0];
    await rig.say({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: result.resources[0].uri } });
    expect(JSON.parse(rig.sent()).params).toEqual({ uri: place });
    await rig.call(2, { to, deep: [{ to }] });
    expect(JSON.parse(rig.sent()).params.arguments).toEqual({ to: 'to all of them', deep: [{ to: 'to all of them' }] });
  });

  it('is checked after frames are opened: a frame with an address counts as the address', async () => {
    const rig = await listed();
    await rig.tell({ jsonrpc: '2.0', method: 'notifications/message', params: { data: POISON } });
    await rig.call(1, { to: rig.message().params.data });
    expect(rig.server).toEqual([]);
  });

  it('stays text if it is a frame of another conversation or a changed frame', async () => {
    const rig = await listed();
    await rig.tell({ jsonrpc: '2.0', method: 'notifications/message', params: { data: 'one two three' } });
    const { data } = rig.message().params;
    for (const text of [data.replace('one', 'two'), `${data} `, data.slice(1)]) {
      await rig.say({ jsonrpc: '2.0', id: 'x', result: { content: text } });
      expect(JSON.parse(rig.sent()).result.content).toBe(text);
    }
    const of = (conversation: string) => ({ 'sallyport/conversation': conversation });
    // What all have read, each may hand back; what one has read, no other.
    await rig.say({ jsonrpc: '2.0', id: 4, method: 'resources/read', params: { uri: data, _meta: of('c') } });
    expect(JSON.parse(rig.sent()).params.uri).toBe('one two three');
    await rig.say({ jsonrpc: '2.0', id: 5, method: 'prompts/get', params: { name: 'p', _meta: of('a') } });
    rig.sent();
    await rig.tell({ jsonrpc: '2.0', id: 5, result: { description: 'four five six', messages: [] } });
    const { description: text } = rig.message().result;
    await rig.say({ jsonrpc: '2.0', id: 6, method: 'resources/read', params: { uri: text, _meta: of('c') } });
    expect(JSON.parse(rig.sent()).params.uri).toBe(text);
    await rig.say({ jsonrpc: '2.0', id: 7, method: 'resources/read', params: { uri: text, _meta: of('a') } });
    expect(JSON.parse(rig.sent()).params.uri).toBe('four five six');
  });
});
