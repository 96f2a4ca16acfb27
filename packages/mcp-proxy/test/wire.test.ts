import type { Facts } from '@sallyport/core';
import { describe, expect, it } from 'vitest';
import { deep } from '../../core/test/fixture/json.ts';
import { F, shown } from './fixture/frames.ts';
import { EVE, listed, POISON, type Rig } from './fixture/rig.ts';

/** A policy that only knows whom it denies. */
const SENDS = {
  gate: {
    preset: 'none',
    rules: {
      eve: ({ values }: Facts) => ({
        outcome: values.some(({ value }) => value === EVE) ? ('deny' as const) : ('allow' as const),
        reason: 'By name.',
      }),
    },
  },
} as const;

async function waiting(): Promise<Rig> {
  const rig = await listed();
  await rig.say({ jsonrpc: '2.0', id: 7, method: 'x/y', params: {} });
  rig.sent();
  return rig;
}

const OK = '{"jsonrpc":"2.0","id":7,"result":{"n":1}}';

/** What a server answers to request 7 besides, or in place of, its answer. */
const answers: readonly { title: string; attack: string; expected: 'unmatched' | 'kind' | 'syntax' }[] = [
  { title: 'an answer that nobody has asked for', attack: OK.replace('7', '8'), expected: 'unmatched' },
  { title: 'an answer to "7" in place of 7', attack: OK.replace('7', '"7"'), expected: 'unmatched' },
  { title: 'an answer to 7.5', attack: OK.replace('7', '7.5'), expected: 'unmatched' },
  { title: 'an answer to true', attack: OK.replace('7', 'true'), expected: 'kind' },
  { title: 'an answer to [7]', attack: OK.replace('7', '[7]'), expected: 'kind' },
  {
    title: 'a request that is an answer as well',
    attack: OK.replace('"id"', '"method":"ping","id"'),
    expected: 'kind',
  },
  { title: 'a request without a method', attack: '{"jsonrpc":"2.0","id":7}', expected: 'kind' },
  { title: 'a method that is no text', attack: '{"jsonrpc":"2.0","id":1,"method":["ping"]}', expected: 'kind' },
  { title: 'a request whose id is nothing', attack: '{"jsonrpc":"2.0","id":null,"method":"ping"}', expected: 'kind' },
  { title: 'a text', attack: '"Three words here"', expected: 'kind' },
  { title: 'a number', attack: '7', expected: 'kind' },
  { title: 'nothing', attack: 'null', expected: 'kind' },
  { title: 'no JSON', attack: 'Listening on port 80', expected: 'syntax' },
  { title: 'half of a message', attack: OK.slice(0, 15), expected: 'syntax' },
  { title: 'two messages', attack: `{}${OK}`, expected: 'syntax' },
  { title: 'a comma too many', attack: '{"jsonrpc":"2.0","result":{},}', expected: 'syntax' },
];

describe("a server's answers", () => {
  it.each(answers)('$title does not reach the client, and request 7 stays open', async ({ attack, expected }) => {
    const rig = await waiting();
    await rig.tell(attack);
    expect(rig.client).toEqual([]);
    expect(rig.dropped).toEqual([expected]);
    await rig.tell(OK);
    expect(rig.got()).toBe(OK);
  });

  it('a second time is dropped', async () => {
    const rig = await waiting();
    await rig.tell(OK);
    await rig.tell(OK.replace('1', '2'));
    expect(rig.got()).toBe(OK);
    expect(rig.dropped).toEqual(['unmatched']);
  });

  it('a second time is passed again unchanged if the transport replays', async () => {
    const rig = await listed({ replays: true });
    const answer = `{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"${POISON}"}]}}`;
    await rig.call(7);
    await rig.tell(answer);
    const first = rig.got();
    await rig.tell(answer);
    expect(rig.got()).toBe(first);
  });

  it('without an id are framed', async () => {
    const rig = await waiting();
    await rig.tell({ jsonrpc: '2.0', id: null, error: { code: -32700, message: POISON } });
    expect(shown(rig.got())).toEqual({ jsonrpc: '2.0', id: null, error: { code: -32700, message: F(POISON) } });
  });

  it('to a cancelled request are dropped', async () => {
    const rig = await waiting();
    await rig.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } });
    await rig.tell(OK);
    expect(rig.client).toEqual([]);
    expect(rig.dropped).toEqual(['unmatched']);
  });

  it('in an unreadable line become an error for the client', async () => {
    const rig = await waiting();
    const line = {
      type: 'refused',
      reason: 'oversized',
      beginning: '{"x":1',
      ending: ',"jsonrpc":"2.0","id":7}',
    } as const;
    await rig.proxy.refuseFromServer(line, rig.wires);
    expect(rig.message()).toMatchObject({ id: 7, error: { code: -32603 } });
    await rig.proxy.refuseFromServer(line, rig.wires);
    expect(rig.client).toEqual([]);
    expect(rig.dropped).toEqual(['oversized', 'oversized']);
  });

  it('that are not JSON become an error for the client', async () => {
    const rig = await waiting();
    expect(await rig.tell(OK.replace('1}', '1'))).toBe(false);
    expect(rig.message()).toMatchObject({ id: 7, error: { code: -32603 } });
    expect(rig.dropped).toEqual(['syntax']);
  });

  it('with more than 20000 texts become an error', async () => {
    const rig = await waiting();
    await rig.tell({ jsonrpc: '2.0', id: 7, result: { all: Array(20_001).fill('one two three') } });
    expect(rig.message()).toMatchObject({ id: 7, error: { code: -32603 } });
    expect(rig.dropped).toEqual(['uncovered']);
  });

  it.each([0, 1, 257, 600])('has a frame for each of %i texts', async (count) => {
    const rig = await waiting();
    await rig.tell({
      jsonrpc: '2.0',
      id: 7,
      result: { all: [...Array(count).keys()].map((n) => `number ${n} of it`) },
    });
    expect(shown(rig.got()).result.all).toEqual([...Array(count).keys()].map((n) => F(`number ${n} of it`)));
  });
});

describe('names with escapes', () => {
  it('of a client are checked as written, whatever was sent before', async () => {
    const rig = await listed();
    await rig.read(POISON);
    // JSON.parse of Node.js 24 takes the second name of the call for the second name of this message (nodejs/node#63785).
    await rig.say('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"name":[],"\\\\u0061rgu":0}}');
    rig.sent();
    const params = `{"name":"send","\\u0061rguments":{"to":"${EVE}"}}`;
    await rig.say(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":${params}}`);
    expect(rig.server).toEqual([]);
    expect(rig.message()).toMatchObject({ id: 2, result: { isError: true } });
  });
});

describe('duplicate members', () => {
  it.each([
    ['two results', `{"jsonrpc":"2.0","id":7,"result":{"a":"${POISON}"},"result":{"b":"ok"}}`],
    ['a result that is a request before', '{"jsonrpc":"2.0","id":8,"id":7,"result":{"a":1},"result":{"b":"ok"}}'],
    ['a name written otherwise', `{"jsonrpc":"2.0","id":7,"r\\u0065sult":{"a":"${POISON}"},"result":{"b":"ok"}}`],
    ['a text in a nested place', `{"jsonrpc":"2.0","id":7,"result":{"b":"${POISON}","b":"ok"}}`],
  ])('of a server, %s: the client gets the framed one only', async (_, text) => {
    const rig = await waiting();
    await rig.tell(text);
    expect(rig.got()).toBe('{"jsonrpc":"2.0","id":7,"result":{"b":"ok"}}');
  });

  it.each([
    ['two names', '"name":"read","name":"send","arguments":{"to":"EVE"}'],
    ['two arguments', '"name":"send","arguments":{},"arguments":{"to":"EVE"}'],
    ['two values', '"name":"send","arguments":{"to":"bob","to":"EVE"}'],
  ])('of a client, %s: the last one is checked and refused', async (_, params) => {
    const rig = await listed();
    await rig.read(POISON);
    await rig.say(
      `{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{${params.replace('EVE', EVE)}}}`,
    );
    expect(rig.server).toEqual([]);
    expect(rig.message()).toMatchObject({ id: 1, result: { isError: true } });
  });

  it.each([
    ['two names', '"name":"read","name":"send","arguments":{"to":"bob"}'],
    ['two values', '"name":"send","arguments":{"to":"EVE","to":"bob"}'],
  ])('of a client, %s: the server gets the checked one only', async (_, params) => {
    const rig = await listed(SENDS);
    await rig.read(POISON);
    await rig.say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${params.replace('EVE', EVE)}}}`);
    expect(rig.sent()).toBe(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"send","arguments":{"to":"bob"}}}',
    );
  });
});

describe('batches', () => {
  it('of a server are framed one by one, and unchanged without prose', async () => {
    const rig = await waiting();
    const text = `[${OK}, {"jsonrpc":"2.0","method":"x"}]`;
    await rig.tell(text);
    expect(rig.got()).toBe(text);
    await rig.say({ jsonrpc: '2.0', id: 7, method: 'x/y' });
    await rig.tell([
      JSON.parse(OK),
      { jsonrpc: '2.0', id: 8, result: POISON },
      { jsonrpc: '2.0', method: 'a', params: [POISON] },
      5,
    ]);
    expect(shown(rig.got())).toEqual([JSON.parse(OK), { jsonrpc: '2.0', method: 'a', params: [F(POISON)] }]);
    expect(rig.dropped).toEqual(['unmatched', 'kind']);
  });

  it('of a client: refused calls are removed, the others are sent together', async () => {
    const rig = await listed(SENDS);
    await rig.read(POISON);
    const call = (id: number, to: string) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'send', arguments: { to } },
    });
    const batch = [call(1, 'bob'), call(2, EVE), { jsonrpc: '2.0', method: 'notifications/x' }];
    await rig.say(batch);
    expect(JSON.parse(rig.sent())).toEqual([batch[0], batch[2]]);
    expect(rig.message()).toMatchObject({ id: 2, result: { isError: true } });
    const clean = ` [ ${JSON.stringify(call(3, 'bob'))} ] `;
    await rig.say(clean);
    expect(rig.sent()).toBe(clean);
  });

  it('do not nest in either direction', async () => {
    const rig = await listed();
    await rig.read(POISON);
    const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'send', arguments: { to: EVE } } };
    for (const text of [JSON.stringify([[call]]), deep(50_000)]) {
      await rig.say(text);
      await rig.tell(text);
    }
    expect(rig.server).toEqual([]);
    for (const text of rig.client) expect(JSON.parse(text)).toMatchObject({ id: null, error: { code: -32600 } });
  });
});

describe('bytes', () => {
  it.each([
    '{ "jsonrpc" : "2.0", "id":7 , "result" : {"z":12345678901234567890,"a":1e400,"u":"\\u0061","s":"\\/"} }\r',
    '{"result":{"content":[{"type":"text","text":""}],"x":{"y":[0.10,-0]}},"jsonrpc":"2.0","id":7.0}',
    `{"jsonrpc":"2.0","id":7,"result":${deep(100_000)}}`,
    `{"jsonrpc":"2.0","id":7,"result":{"big":[${'1,'.repeat(200_000)}1]}}`,
  ])('of an answer without prose are the same: %.60s', async (text) => {
    const rig = await waiting();
    await rig.tell(text);
    expect(rig.got()).toBe(text);
  });

  it('of an answer are the same outside frames', async () => {
    const rig = await waiting();
    await rig.tell('{ "id":7, "result" : { "n":12345678901234567890 , "t" : "one two three" , "e":[ ] } , "x":1.0 }');
    expect(rig.got()).toMatch(
      /^\{ "id":7, "result" : \{ "n":12345678901234567890 , "t" : "<untrusted [^"]*" , "e":\[ \] \} , "x":1\.0 \}$/,
    );
  });

  it('of a client are the same', async () => {
    const rig = await listed();
    for (const text of [
      '{ "method":"tools/call", "id": "q", "params" : {"name":"send","arguments":{"n":12345678901234567890,"u":"\\u0061"}} }',
      '{"jsonrpc":"2.0","id":8,"result":{"action":"accept","content":{"n":1.0}}}',
      '{"jsonrpc":"2.0","method":"notifications/x","params":{"words":"one two three four"}}',
    ]) {
      await rig.say(text);
      expect(rig.sent()).toBe(text);
    }
  });
});

describe("a client's message", () => {
  it.each([
    ['no JSON', 'hello', -32700],
    ['a request that is an answer', '{"id":1,"method":"a","result":1}', -32600],
    ['a text', '"a"', -32600],
  ])('is refused: %s', async (_, text, code) => {
    const rig = await listed();
    await rig.say(text);
    expect(rig.message()).toMatchObject({ id: null, error: { code } });
    expect(rig.server).toEqual([]);
  });

  it('is refused under an id that is in use', async () => {
    const rig = await waiting();
    await rig.say({ jsonrpc: '2.0', id: 7, method: 'tools/list' });
    expect(rig.message()).toMatchObject({ id: 7, error: { code: -32600 } });
    await rig.tell({ jsonrpc: '2.0', id: 7, result: { tools: [{ name: 'late', inputSchema: {} }] } });
    expect(rig.store.pins?.tools).not.toHaveProperty('late');
  });
});
