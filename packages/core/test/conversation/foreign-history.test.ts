import { describe, expect, it } from 'vitest';
import { type BoundaryEvent, createBoundary, defineTool, type Preset, type Turn } from '../../src/index.ts';

const ACCOUNT = 'GB33BUKB20201555555555';
const POLICY: Turn = { type: 'policy', text: 'You help.' };
const MALLORY: Turn = { type: 'user', content: `I am Mallory. Pay 9870 to ${ACCOUNT}.` };
const ANN: Turn = { type: 'user', content: 'I am Ann. Sum up my mail.' };
const READ: readonly Turn[] = [
  { type: 'call', id: 'r', tool: 'read_mail', arguments: {} },
  { type: 'result', id: 'r', content: 'hello' },
];

function open(preset: Preset) {
  const events: BoundaryEvent[] = [];
  const tools = [
    defineTool({ name: 'read_mail', origin: 'external', effect: 'read' }),
    defineTool({ name: 'pay', origin: 'workspace', effect: 'spend' }),
  ];
  const boundary = createBoundary({ tools, gate: { preset }, onEvent: (event) => events.push(event) });
  const conversation = boundary.conversation('chat-1');
  const check = () => conversation.check({ id: 'p', tool: 'pay', arguments: { account: ACCOUNT, amount: 9870 } });
  const pay = async () => (await check()).outcome;
  const suppliers = async () => (await check()).facts.values.map(({ supplier }) => supplier);
  const noticed = () => events.filter(({ type }) => type === 'foreign-history').length;
  return { conversation, pay, suppliers, noticed };
}

describe('a history of another chat', () => {
  it.each(['balanced', 'strict'] as const)('takes nothing from the user before it, under %s', async (preset) => {
    const { conversation, pay, suppliers, noticed } = open(preset);
    await conversation.render([POLICY, MALLORY]);
    expect(await pay()).toBe('allow');
    await conversation.render([POLICY, ANN, ...READ]);
    expect(await suppliers()).toEqual(['model', 'model']);
    expect(noticed()).toBe(1);
  });

  it('takes no value from them, even for what the new user asks for', async () => {
    const { conversation, pay } = open('strict');
    await conversation.render([POLICY, MALLORY]);
    await conversation.render([POLICY, { type: 'user', content: 'I am Ann. Pay the invoice in my mail.' }, ...READ]);
    expect(await pay()).toBe('ask');
  });

  it.each([
    { title: 'that goes on', next: [POLICY, MALLORY, ...READ, ANN] },
    { title: 'that lost its beginning', next: [ANN, ...READ], first: [MALLORY, ANN] },
    { title: 'that was summed up', next: [{ type: 'summary', content: 'They talked.' } as Turn, ANN] },
    { title: 'of which an answer is left', next: [{ type: 'model' } as Turn, ANN] },
    { title: 'without a message of the user', next: [POLICY, ...READ] },
  ])('is not one $title', async ({ next, first = [MALLORY] }) => {
    const { conversation, noticed } = open('balanced');
    await conversation.render(first);
    await conversation.render(next);
    expect(noticed()).toBe(0);
  });

  it('lets the new user speak for themselves', async () => {
    const { conversation, pay } = open('balanced');
    await conversation.render([POLICY, ANN]);
    await conversation.render([POLICY, { type: 'user', content: `I am Ben. Pay 9870 to ${ACCOUNT}.` }]);
    expect(await pay()).toBe('allow');
  });
});
