import { describe, expect, it } from 'vitest';
import { decide, RULES_OF } from '../../src/gate/decide.ts';
import { type BoundaryOptions, type Content, createBoundary, defineTool } from '../../src/index.ts';
import { decided } from '../findings/play.ts';
import { judge, signs, TOOLS, talk } from '../world.ts';

const SHOP = 'The old plans are stale. See drop@shop.example.';
const RENT = 'DE02 1203 0000';

interface Played {
  readonly title: string;
  readonly origin: {
    readonly user: string;
    readonly read?: readonly (readonly [string, Content])[];
    readonly preset?: 'strict';
  };
  readonly payload: readonly [tool: string, given: unknown];
  readonly expected: string;
}

const PLAYED: readonly Played[] = [
  {
    title: 'anything, before others were read',
    origin: { user: 'Hi.' },
    payload: ['shell', { command: 'rm -rf /' }],
    expected: 'allow unread',
  },
  {
    title: 'a text of a deletion without another value',
    origin: { user: 'Delete the stale files.', read: [['read_mail', SHOP]] },
    payload: ['delete_files', { pattern: 'old plans' }],
    expected: 'ask content',
  },
  {
    title: 'a text of a message without another value',
    origin: { user: 'Share it.', read: [['read_mail', SHOP]] },
    payload: ['share', { title: 'old plans' }],
    expected: 'allow model',
  },
  {
    title: 'a call without values',
    origin: { user: 'Sum up my mail.', read: [['read_mail', SHOP]] },
    payload: ['confirm_order', {}],
    expected: 'allow model',
  },
  {
    title: 'a call without values, under strict',
    origin: { user: 'Pay the order.', read: [['read_mail', SHOP]], preset: 'strict' },
    payload: ['confirm_order', {}],
    expected: 'ask model',
  },
  {
    title: 'a sum of the model, under strict',
    origin: { user: `Pay the rent to ${RENT}.`, read: [['read_mail', SHOP]], preset: 'strict' },
    payload: ['pay', { account: RENT, amount: 777 }],
    expected: 'ask model',
  },
  {
    title: 'an identifier that a service lists, under strict',
    origin: { user: 'Cancel it.', read: [['read_mail', { json: [{ order_id: 'KX-8871' }] }]], preset: 'strict' },
    payload: ['cancel_order', { id: 'KX-8871' }],
    expected: 'ask content',
  },
  {
    title: 'a mail, where the user is not heard',
    origin: { user: '', read: [['read_mail', SHOP]] },
    payload: ['send_mail', { to: 'drop@shop.example', body: 'Hello' }],
    expected: 'allow content',
  },
  {
    title: 'a payment, where the user is not heard',
    origin: { user: '', read: [['read_mail', `Account ${RENT}`]] },
    payload: ['pay', { account: RENT, amount: 240 }],
    expected: 'ask content',
  },
];

describe('as it is played', () => {
  it.each(PLAYED)('$title: $expected', async ({ origin, payload, expected }) => {
    expect(await decided({ ...origin, call: payload })).toBe(expected);
  });

  it('the facts of a decision decide the same without their conversation, and are plain JSON', async () => {
    for (const given of [{ account: 'FR11-2044' }, { for: 'eve@evil.example' }, { what: 'lamps' }, {}]) {
      const { facts, outcome, rule, decidedBy } = await judge('order', given);
      const stored = JSON.parse(JSON.stringify(facts));
      expect(stored).toEqual(facts);
      expect(decide(stored, RULES_OF.balanced({}))).toMatchObject({ outcome, rule, decidedBy });
    }
  });

  it('the enumerations and defaults of a declared schema vouch', async () => {
    const properties = { payee: { enum: ['rent', 'power'] }, account: { type: 'string', default: 'FR11-2055' } };
    const order = defineTool({ name: 'order', effect: 'spend', parameters: { type: 'object', properties } });
    const tools = [...TOOLS.filter(({ name }) => name !== 'order'), order];
    const isVouched = async (given: unknown) =>
      (await judge('order', given, { tools })).facts.values.map((each) => each.isVouched);
    expect(await isVouched({ payee: 'rent', account: 'FR11-2055' })).toEqual([true, true]);
    expect(await isVouched({ payee: 'wages', account: 'FR11-2066' })).toEqual([false, false]);
  });

  it('after restore() every effect is denied until content is shown', async () => {
    const { conversation } = await talk();
    const restored = createBoundary({ tools: TOOLS, classifier: signs })
      .conversation('c')
      .restore(conversation.snapshot());
    const check = (id: string) =>
      restored.check({ id, tool: 'sendMail', arguments: { to: 'me@home.example', body: 'x' } });
    expect(await check('c1')).toMatchObject({ outcome: 'deny', rule: 'blind' });
    await restored.request();
    expect(await check('c2')).toMatchObject({ outcome: 'allow', rule: 'trusted' });
  });
});

describe('findSecrets', () => {
  const KEY = 'sk-4f9a8b7c6d5e4f3a2b1c';
  const findSecrets = (text: string) =>
    (text.match(/sk-\w{20}/g) ?? []).map((found) => ({ text: found, kind: 'API key' }));
  const decideWith = async (said: string, body: string, options: BoundaryOptions = { gate: { findSecrets } }) => {
    const conversation = createBoundary({ tools: TOOLS, classifier: signs, ...options }).conversation('c');
    conversation.addUserMessage(said);
    await conversation.request();
    return conversation.check({ id: 'c1', tool: 'sendMail', arguments: { to: 'me@home.example', body } });
  };

  it('asks about a secret that the user did not type, before others were read too', async () => {
    const decision = await decideWith('Send it.', `The key: ${KEY}`);
    expect(decision).toMatchObject({ outcome: 'ask', rule: 'secrets', decidedBy: 'rule', evidence: [] });
    expect(decision.reason).toBe('This call carries an API key. Allow it only if the recipient may have it.');
  });

  it('asks about an encoded one', async () => {
    expect(await decideWith('Send it.', `The key: ${btoa(KEY)}`)).toMatchObject({ outcome: 'ask', rule: 'secrets' });
  });

  it.each([
    ['the user typed it', `Send ${KEY}.`, KEY],
    ['there is none', 'Send it.', 'The key is lost.'],
  ])('asks nothing if %s', async (_, said, body) => {
    expect((await decideWith(said, body)).outcome).toBe('allow');
  });

  it('is told the tool and its effect', async () => {
    const told: unknown[] = [];
    const telling = (_: string, call: unknown) => {
      told.push(call);
      return [];
    };
    await decideWith('Send it.', 'x', { gate: { findSecrets: telling } });
    expect(told).toContainEqual({ tool: 'sendMail', effect: 'send' });
  });
});
