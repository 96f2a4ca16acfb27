import { describe, expect, it } from 'vitest';
import { createBoundary, defineTool } from '../../src/index.ts';
import { judge, TOOLS, talk } from '../world.ts';

describe('strict', () => {
  const strict = { gate: { preset: 'strict' } } as const;

  it.each([
    ['a tool that only reads', 'readMail', { of: 'eve@evil.example' }, 'allow'],
    ["the user's words", 'order', { what: 'lamps', count: 2 }, 'allow'],
    ['a service field', 'order', { id: 'A17' }, 'allow'],
    ['a service field that a flagged span names', 'order', { id: 'C31' }, 'allow'],
    ['a value from a trusted tool', 'order', { phone: '555-0199' }, 'allow'],
    ['a value that only an instruction names', 'order', { for: 'eve@evil.example' }, 'deny'],
    ['untrusted words', 'order', { room: '4711' }, 'ask'],
    ["the model's own words", 'order', { what: 'batteries' }, 'ask'],
    ['a text of the model', 'sendMail', { to: 'me@home.example', body: 'Dear Bob' }, 'allow'],
    [
      'a text of the model with an address',
      'sendMail',
      { to: 'me@home.example', body: 'See www.evil.example/a' },
      'ask',
    ],
    ['an order without values', 'order', {}, 'ask'],
    ['a change without values', 'giveAway', {}, 'allow'],
    ['a sign that the user did not write', 'order', { path: '*' }, 'ask'],
  ])('decides %s', async (_, tool, given, expected) => {
    expect((await judge(tool, given, strict)).outcome).toBe(expected);
  });

  it("allows the model's own words if it has read trusted content only", async () => {
    const conversation = createBoundary({ tools: TOOLS, ...strict }).conversation('c');
    conversation.addUserMessage('Order something nice.');
    await conversation.request();
    const call = conversation.recordCall({ id: 'c1', tool: 'order', arguments: { what: 'batteries' } });
    expect((await conversation.check(call)).outcome).toBe('allow');
  });

  it('does not trust a service field that is nested deep enough for an outsider to have written it', async () => {
    const json = [{ id: 'Z88', metadata: { id: 'Z99' }, reviews: [{ id: 'Z99' }] }];
    const { conversation } = await talk(strict, { json });
    const judged = async (id: string) =>
      (await conversation.check(conversation.recordCall({ id: `c-${id}`, tool: 'order', arguments: { id } }))).outcome;
    expect([await judged('Z88'), await judged('Z99')]).toEqual(['allow', 'ask']);
  });

  it('takes what was read before a restart into account, even if it is not shown again', async () => {
    const { conversation } = await talk(strict);
    const restored = createBoundary({ tools: TOOLS, ...strict })
      .conversation('c')
      .restore(conversation.snapshot());
    const asked = restored.addUserMessage('Go on.');
    await restored.request({ records: [asked] });
    const call = restored.recordCall({ id: 'c9', tool: 'order', arguments: { room: '4711' } });
    expect((await restored.check(call)).outcome).toBe('ask');
  });

  it('runs only code that a trusted source wrote as one piece', async () => {
    const { conversation } = await talk(strict);
    conversation.addUserMessage('Run this:\n`make lamps`');
    await conversation.request();
    const judged = async (code: string) =>
      (await conversation.check({ id: `c-${code}`, tool: 'undeclared', arguments: { code } })).outcome;
    expect([await judged('make lamps'), await judged('make'), await judged('lamps')]).toEqual(['allow', 'ask', 'ask']);
  });

  it('does not trust a service field in the result of a call with untrusted values', async () => {
    const { conversation } = await talk(strict);
    conversation.recordCall({ id: 'c1', tool: 'readMail', arguments: { of: 'R-99' } });
    conversation.addToolResult({ id: 'c1', tool: 'readMail', content: { json: [{ id: 'Z88' }] } });
    await conversation.request();
    const call = conversation.recordCall({ id: 'c2', tool: 'order', arguments: { id: 'Z88' } });
    expect((await conversation.check(call)).outcome).toBe('ask');
  });

  it.each([
    ['a mail to the sender', 'reply', { to: 'eve@evil.example', body: 'Hello' }],
    ['a text with the address of the sender', 'reply', { to: 'me@home.example', body: 'Ask eve@evil.example' }],
    ['a page of the sender', 'openPage', { url: 'https://evil.example/a' }],
    ['an argument that the developer declares as an identifier', 'rename', { key: 'eve@evil.example' }],
  ])('does not trust the address of a sender that a service field holds: %s', async (_, tool, given) => {
    const tools = [
      defineTool({
        name: 'readMail',
        origin: 'external',
        effect: 'read',
        serviceFields: { '/from': 'email', '/host': 'code', '/id': 'id' },
      }),
      defineTool({ name: 'reply', effect: 'send', modelText: ['body'] }),
      defineTool({ name: 'openPage', effect: 'fetch' }),
      defineTool({ name: 'rename', effect: 'write', roles: { key: 'id' } }),
    ];
    const conversation = createBoundary({ tools, ...strict }).conversation('c');
    conversation.addUserMessage('Answer the mail 4711, copy me@home.example, and rename what it names.');
    await conversation.request();
    await conversation.check({ id: 'r', tool: 'readMail', arguments: { id: '4711' } });
    const json = { id: '4711', from: 'eve@evil.example', text: 'See https://evil.example/a' };
    conversation.addToolResult({ id: 'r', tool: 'readMail', content: { json } });
    await conversation.request();
    expect((await conversation.check({ id: 'c', tool, arguments: given })).outcome).toBe('ask');
  });
});
