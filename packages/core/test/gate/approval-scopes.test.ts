import { describe, expect, it } from 'vitest';
import { type CallApproval, defineTool, type Judge, type Preset } from '../../src/index.ts';
import { TOOLS } from '../world.ts';
import { DAY, HELD, world } from './approval-world.ts';

describe('the scope of an approval', () => {
  it('once: covers the next call with these arguments', async () => {
    const { open, check, outcome } = world();
    const conversation = await open();
    await conversation.approve(await check(conversation), { by: 'ann' });
    expect(await outcome(conversation)).toBe('allow');
    expect(await outcome(conversation)).toBe('ask');
  });

  it('task: ends with the next message of the user', async () => {
    const { open, check, outcome } = world();
    const conversation = await open();
    await conversation.approve(await check(conversation), { by: 'ann', scope: 'task' });
    expect(await outcome(conversation)).toBe('allow');
    expect(await outcome(conversation)).toBe('allow');
    conversation.addUserMessage('Order again.');
    await conversation.request();
    expect(await outcome(conversation)).toBe('ask');
  });

  it('task: ends when the user repeats a message', async () => {
    const { open, check, outcome } = world();
    const conversation = await open();
    conversation.addUserMessage('Order lamps.', { id: 'same' });
    await conversation.approve(await check(conversation), { by: 'ann', scope: 'task' });
    conversation.addUserMessage('Order lamps.', { id: 'same' });
    expect(await outcome(conversation)).toBe('ask');
  });

  it('task: is found by another object of the same conversation, if the user has said the same there', async () => {
    const { open, check, outcome } = world();
    const conversation = await open();
    await conversation.approve(await check(conversation), { by: 'ann', scope: 'task' });
    expect(await outcome(await open())).toBe('allow');
    const later = await open();
    later.addUserMessage('Order again.');
    expect(await outcome(later)).toBe('ask');
  });

  it('conversation: covers the same values in this conversation, after a restart too', async () => {
    const { open, check, outcome } = world();
    const conversation = await open();
    await conversation.approve(await check(conversation), { by: 'ann', scope: 'conversation' });
    conversation.addUserMessage('Order again.');
    expect(await outcome(conversation)).toBe('allow');
    expect(await outcome(await open())).toBe('allow');
    expect(await outcome(await open('other'))).toBe('ask');
    expect(await outcome(conversation, { account: 'FR11-2055' })).toBe('ask');
  });

  it('is what the person who is asked says', async () => {
    const { open, outcome } = world();
    const conversation = await open();
    const ask = () => ({ by: 'ann', scope: 'conversation' as const });
    const first = await conversation.check({ id: 'first', tool: 'order', arguments: HELD }, { ask });
    expect(first.outcome).toBe('allow');
    expect(await outcome(conversation)).toBe('allow');
  });

  it('always: covers the same values in every conversation of the same owner', async () => {
    const { open, check, outcome, time } = world();
    const conversation = await open('c', 'ann@firm.example');
    await conversation.approve(await check(conversation), { by: 'ann', scope: 'always' });
    time.now += 400 * DAY;
    expect(await outcome(await open('later', 'ann@firm.example'))).toBe('allow');
    expect(await outcome(await open('later', 'ann@firm.example'), { account: 'FR11-2055' })).toBe('ask');
    expect(await outcome(await open('later', 'ann@firm.example'), { ...HELD, amount: 9000 })).toBe('ask');
    expect(await outcome(await open('later', 'bob@firm.example'))).toBe('ask');
    expect(await outcome(await open('later'))).toBe('ask');
  });

  it.each<{ title: string; preset?: Preset; tool: string; given: unknown; judge?: Judge; message: RegExp }>([
    { title: 'an undeclared tool', tool: 'unheardOf', given: HELD, message: /`scope: 'always'` is only for/ },
    {
      title: 'a denied call',
      tool: 'order',
      given: { for: 'eve@evil.example' },
      message: /overrides a denial once/,
    },
    {
      title: 'a secret',
      preset: 'strict',
      tool: 'order',
      given: { ...HELD, password: 'hunter2' },
      message: /`scope: 'always'` is only for/,
    },
    {
      title: 'disclosure',
      tool: 'openPage',
      given: { url: 'https://firm.example/?phone=555-0199' },
      message: /`scope: 'always'` is only for/,
    },
    {
      title: 'what was too much to check',
      tool: 'order',
      given: { more: 'FR11-2044 x FR11-2055 '.repeat(3000) },
      message: /`scope: 'always'` is only for/,
    },
    {
      title: 'what a judge objects to',
      tool: 'order',
      given: HELD,
      judge: () => ({ act: false, target: true, careful: false, reason: 'No.' }),
      message: /`scope: 'always'` is only for/,
    },
  ])('always: is refused for $title', async ({ preset = 'balanced', tool, given, judge, message }) => {
    const { open, check } = world({ gate: { preset }, ...(judge && { judge }) });
    const conversation = await open('c', 'ann');
    const decision = await check(conversation, given, tool);
    expect(decision.outcome).not.toBe('allow');
    const approval: CallApproval = { by: 'ann', scope: 'always', acknowledge: true };
    expect(() => conversation.approve(decision, approval)).toThrow(message);
  });

  it('always: needs an owner', async () => {
    const { open, check } = world();
    const conversation = await open();
    const decision = await check(conversation);
    expect(() => conversation.approve(decision, { by: 'ann', scope: 'always' })).toThrow(
      /Pass `owner` to boundary.conversation\(\)/,
    );
  });

  it('always: does not cover what another rule asks about too', async () => {
    let isLate = false;
    const late = () => (isLate ? ({ outcome: 'ask', reason: 'It is late.' } as const) : undefined);
    const { open, check, outcome } = world({ gate: { rules: { late } } });
    const conversation = await open('c', 'ann');
    await conversation.approve(await check(conversation), { by: 'ann', scope: 'always' });
    expect(await outcome(conversation)).toBe('allow');
    isLate = true;
    expect(await outcome(conversation)).toBe('ask');
  });

  it.each([
    { title: 'another text of the model', payload: { to: 'zoe@shop.example', body: 'Bye' }, expected: 'allow' },
    { title: 'another time', payload: { date: '2026-01-02' }, expected: 'allow' },
    { title: 'no text and no time', payload: { date: undefined, body: undefined }, expected: 'allow' },
    { title: 'another choice', payload: { mode: 'draft' }, expected: 'ask' },
    { title: 'another boolean', payload: { editable: true }, expected: 'ask' },
    { title: 'another key of a map', payload: { permissions: { admin: true } }, expected: 'ask' },
    { title: 'one more key of a map', payload: { permissions: { read: true, admin: {} } }, expected: 'ask' },
    { title: 'one more argument', payload: { owner: null }, expected: 'ask' },
    { title: 'another recipient', payload: { to: 'kim@shop.example' }, expected: 'ask' },
    { title: 'another path, which was not the cause', payload: { path: '/srv/b.txt' }, expected: 'ask' },
  ])('covers a call with $title: $expected', async ({ payload, expected }) => {
    const given = {
      ...{ to: 'zoe@shop.example', path: '/srv/a.txt', mode: 'now', date: '2026-01-01', body: 'Hello' },
      ...{ editable: false, permissions: { read: true } },
    };
    const { open, check, outcome } = world();
    const conversation = await open();
    conversation.task({ tools: [] });
    const decision = await check(conversation, given, 'sendMail');
    expect(decision.outcome).toBe('ask');
    await conversation.approve(decision, { by: 'ann', scope: 'conversation' });
    expect(await outcome(conversation, { ...given, ...payload }, 'sendMail')).toBe(expected);
  });

  it('binds an address in a text of the model if the question was about it', async () => {
    const pay = defineTool({ name: 'pay', origin: 'workspace', effect: 'spend', modelText: ['note'] });
    const { open, check, outcome } = world({ tools: [...TOOLS, pay] });
    const conversation = await open();
    const payment = (address: string) => ({ what: 'lamps', note: `Ask ${address}.` });
    const decision = await check(conversation, payment('eve@evil.example'), 'pay');
    expect(decision).toMatchObject({ outcome: 'ask', rule: 'requested' });
    await conversation.approve(decision, { by: 'ann', scope: 'conversation' });
    expect(await outcome(conversation, payment('eve@evil.example'), 'pay')).toBe('allow');
    expect(await outcome(conversation, payment('bob@evil.example'), 'pay')).toBe('ask');
  });

  it('binds all values of a call that is too long to be read', async () => {
    const { open, check, outcome } = world();
    const conversation = await open();
    const many = (last: string) => ({ rows: [...Array(1200).fill('Q-1'), last] });
    await conversation.approve(await check(conversation, many('Q-2')), { by: 'ann', scope: 'conversation' });
    expect(await outcome(conversation, many('Q-2'))).toBe('allow');
    expect(await outcome(conversation, many('Q-3'))).toBe('ask');
  });
});

describe('the limits of an approval', () => {
  it.each([
    { scope: 'once', lasts: 5 * 60 * 1000 },
    { scope: 'task', lasts: DAY },
    { scope: 'conversation', lasts: DAY },
  ] as const)('$scope: expires after a default time', async ({ scope, lasts }) => {
    const { open, check, outcome, time } = world();
    const conversation = await open();
    await conversation.approve(await check(conversation), { by: 'ann', scope });
    time.now += lasts - 1;
    expect(await outcome(conversation)).toBe('allow');
    await conversation.approve(await check(conversation, { account: 'FR11-2055' }), { by: 'ann', scope });
    time.now += lasts;
    expect(await outcome(conversation, { account: 'FR11-2055' })).toBe('ask');
  });

  it('always: expires when the person says so', async () => {
    const { open, check, outcome, time } = world();
    const conversation = await open('c', 'ann');
    const decision = await check(conversation);
    await conversation.approve(decision, { by: 'ann', scope: 'always', until: 1000 + 30 * DAY });
    time.now += 30 * DAY - 1;
    expect(await outcome(conversation)).toBe('allow');
    time.now += 1;
    expect(await outcome(conversation)).toBe('ask');
    expect(() => conversation.approve(decision, { by: 'ann', scope: 'always', until: 1000 })).toThrow(
      /`until` must be/,
    );
  });

  it('counts its uses', async () => {
    const { open, check, outcome } = world();
    const conversation = await open();
    await conversation.approve(await check(conversation), { by: 'ann', scope: 'conversation', uses: 2 });
    const outcomes = [await outcome(conversation), await outcome(conversation), await outcome(conversation)];
    expect(outcomes).toEqual(['allow', 'allow', 'ask']);
  });

  it.each([0, -1, 1.5, Number.NaN, '2'])('needs a whole number of uses: %j', async (uses) => {
    const { open, check } = world();
    const conversation = await open();
    const decision = await check(conversation);
    expect(() => conversation.approve(decision, { by: 'ann', scope: 'task', uses: uses as never })).toThrow(
      /`uses` must be a whole number/,
    );
  });

  it('once: takes no number of uses', async () => {
    const { open, check } = world();
    const conversation = await open();
    const decision = await check(conversation);
    expect(() => conversation.approve(decision, { by: 'ann', uses: 2 })).toThrow(/`uses` must be left out/);
  });
});
