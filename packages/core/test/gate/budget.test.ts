import { describe, expect, it } from 'vitest';
import { type BoundaryOptions, type Conversation, createBoundary, type Decision } from '../../src/index.ts';
import { isLinear, repeated } from '../fixture/linear.ts';
import { TOOLS } from '../world.ts';

const READ = 'Offer Q-7001 at 1 2 3 for anna@shop.example, see https://shop.example/a?b=1. '.repeat(1000);

async function conversationWith(options: BoundaryOptions = {}): Promise<Conversation> {
  const conversation = createBoundary({ tools: TOOLS, ...options }).conversation('c');
  conversation.addUserMessage('Send a mail to me@home.example.');
  conversation.addToolResult({ id: 'm', tool: 'readMail', content: READ });
  await conversation.request();
  return conversation;
}

async function decide(tool: string, given: unknown, options: BoundaryOptions = {}): Promise<Decision> {
  return (await conversationWith(options)).check({ id: 'c1', tool, arguments: given });
}

const STRICT: BoundaryOptions = { gate: { preset: 'strict' } };
const list = (length: number) => Array.from({ length }, (_, index) => `a${index}@b.example`);
const recipients = list(5000).join(', ');

const CASES: readonly {
  title: string;
  tool: string;
  payload: unknown;
  options?: BoundaryOptions;
  expected: string;
}[] = [
  {
    title: 'a list of more than 10,000 recipients',
    tool: 'sendMail',
    payload: { to: list(10_001), body: 'Hi' },
    expected:
      'deny over-budget: This call is over budget: it has too many values to check. Divide it into smaller calls.',
  },
  {
    title: 'more than 10,000 names of arguments',
    tool: 'order',
    payload: Object.fromEntries(list(10_001).map((name) => [name, true])),
    options: STRICT,
    expected:
      'deny over-budget: This call is over budget: it has too many values to check. Divide it into smaller calls.',
  },
  {
    title: 'a list of 2,000 recipients',
    tool: 'sendMail',
    payload: { to: list(2000), body: 'Hi' },
    expected:
      'ask over-budget: "to/500", "to/501", "to/502", "to/503", "to/504" and others are over budget: too much to check in one call. Review the call, or divide it.',
  },
  {
    title: 'a text with more addresses than are traced',
    tool: 'sendMail',
    payload: { to: 'me@home.example', body: list(5000).join(' ') },
    expected: 'ask over-budget: "body" is over budget: too much to check in one call. Review the call, or divide it.',
  },
  {
    title: 'two texts that have more addresses together than are traced',
    tool: 'sendMail',
    payload: { to: 'me@home.example', body: [list(300).join(' '), list(300).join(' ')] },
    expected:
      'ask over-budget: "body/0" and "body/1" are over budget: too much to check in one call. Review the call, or divide it.',
  },
  ...[STRICT, {}].map((options) => ({
    title: `a thousand texts before one with an address, ${options === STRICT ? 'strict' : 'balanced'}`,
    tool: 'sendMail',
    payload: { to: 'me@home.example', body: [...Array(1000).fill('Hi'), 'See https://shop.example/a?b=1'] },
    options,
    expected:
      'ask over-budget: The arguments are over budget: too much to check in one call. Review the call, or divide it.',
  })),
  {
    title: 'a text that is too long to decode, for an address from a mail',
    tool: 'sendMail',
    payload: { to: 'anna@shop.example', body: repeated('Nothing to say. ', 200_000) },
    expected:
      'ask over-budget: "to" and "body" are over budget: too much to check in one call. Review the call, or divide it.',
  },
  {
    title: 'more recipients in one text than are traced',
    tool: 'sendMail',
    payload: { to: recipients, body: 'Hi' },
    expected: 'ask over-budget: "to" is over budget: too much to check in one call. Review the call, or divide it.',
  },
  {
    title: 'a long text to the user, which nobody else chose',
    tool: 'sendMail',
    payload: { to: 'me@home.example', body: repeated('Nothing to say. ', 60_000) },
    expected: 'allow trusted: "to" is said by the user.',
  },
  {
    title: 'many values of a call that only reads',
    tool: 'readFile',
    payload: list(20_000),
    expected: 'allow reads: This tool only reads data and changes nothing.',
  },
];

describe('a call that is too much to check', () => {
  it.each(CASES)('$title: $expected', async ({ tool, payload, options, expected }) => {
    const { outcome, rule, reason } = await decide(tool, payload, options);
    expect(`${outcome} ${rule}: ${reason}`).toBe(expected);
  });

  it('is never reported as an instruction: its evidence says that nothing is known', async () => {
    const { evidence } = await decide('sendMail', { to: recipients, body: 'Hi' });
    expect(evidence).toEqual([{ path: '/to', value: recipients, trust: 'suspect', isOverBudget: true }]);
  });

  it('tells the model to make smaller calls', async () => {
    const { result, scopes } = await decide('sendMail', { to: list(10_001), body: 'Hi' });
    expect(result).toMatch(/^The call was not made: it is too large to check\. Make smaller calls instead\./);
    expect(scopes).toEqual([]);
  });

  it('can be approved once if a person can review it', async () => {
    const conversation = await conversationWith();
    const call = { id: 'c1', tool: 'sendMail', arguments: { to: recipients, body: 'Hi' } };
    await conversation.approve(await conversation.check(call), { by: 'ann' });
    expect((await conversation.check(call)).outcome).toBe('allow');
    const other = { ...call, arguments: { to: `${recipients} 1`, body: 'Hi' } };
    expect((await conversation.check({ ...other, id: 'c2' })).outcome).toBe('ask');
  });
});

describe('what strict needs', () => {
  it('is found although other content has used up the search', async () => {
    const items = 'Q-7001 x Q-7001 '.repeat(1500);
    const { arguments: all } = await decide('giveAway', { items, to: 'me@home.example' }, STRICT);
    expect(all.some(({ provenance }) => provenance.pieces.some(({ isIncomplete }) => isIncomplete))).toBe(true);
    expect(all.at(-1)).toMatchObject({ path: '/to', provenance: { vouchedBy: 'words' } });
  });
});

describe('the event loop', () => {
  it('gets a turn while a large call is checked', async () => {
    const conversation = await conversationWith();
    const body = repeated('See a@b.example and 17. ', 60_000);
    const call = conversation.recordCall({ id: 'c1', tool: 'sendMail', arguments: { to: 'me@home.example', body } });
    let isTurn = false;
    setImmediate(() => {
      isTurn = true;
    });
    let hadTurn = false;
    await conversation.check(call).then(() => {
      hadTurn = isTurn;
    });
    expect(hadTurn).toBe(true);
  });

  it('is not waited for when a call is small', async () => {
    const conversation = await conversationWith({
      timer: { set: () => undefined, clear: () => undefined },
      timeout: 1,
    });
    const call = conversation.recordCall({ id: 'c1', tool: 'order', arguments: { what: 'lamps' } });
    expect((await conversation.check(call)).outcome).toBe('allow');
  });
});

describe('the calls of one conversation', () => {
  it('cost less each after a limit for all of them, until the user writes again', async () => {
    const conversation = await conversationWith();
    const many = { items: Array.from({ length: 900 }, (_, index) => `z${index}-z`) };
    const isOverBudget = async (id: string, given: unknown) =>
      (await conversation.check({ id, tool: 'order', arguments: given })).facts.values.some((each) => each.isUnchecked);
    expect(await isOverBudget('first', many)).toBe(false);
    for (let index = 0; index < 400; index++) {
      const body = list(2000).join(' ');
      conversation.recordCall({ id: `l${index}`, tool: 'sendMail', arguments: { to: 'me@home.example', body } });
    }
    expect(await isOverBudget('small', { items: ['z1-z'] })).toBe(false);
    expect(await isOverBudget('later', many)).toBe(true);
    conversation.addUserMessage('And again, please.');
    await conversation.request();
    expect(await isOverBudget('again', many)).toBe(false);
    // Ten seconds on a quiet machine; measuring coverage on a busy one takes far longer.
  }, 600_000);
});

const SHAPES = [
  '1 ',
  '1-',
  'a.',
  'a@',
  'a@b.c, ',
  '://',
  'QUJD',
  'a',
  '\u4e00\u4e8c',
  'ls -l\n',
  '%41',
  '/a',
  '"\'',
  '{"a":',
];

describe('checking a call', () => {
  it.each(SHAPES)('takes linear time in the length of a text of %j', async (unit) => {
    const conversation = await conversationWith();
    let count = 0;
    const check = (size: number) =>
      conversation.check({
        id: `c${count++}`,
        tool: 'sendMail',
        arguments: { to: repeated(unit, size), body: repeated(unit, size) },
      });
    expect(await isLinear(64_000, check)).toBe(true);
  });

  it('takes linear time in the number of members', async () => {
    const conversation = await conversationWith();
    let count = 0;
    const check = (size: number) => conversation.check({ id: `c${count++}`, tool: 'order', arguments: list(size) });
    expect(await isLinear(100_000, check)).toBe(true);
  });
});
