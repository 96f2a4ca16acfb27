import { describe, expect, it } from 'vitest';
import { createBoundary, defineTool, type TaskDefinition } from '../../src/index.ts';
import { signs } from '../world.ts';

const TOOLS = [
  defineTool({ name: 'list_mails', origin: 'external', effect: 'read' }),
  defineTool({ name: 'send_mail', origin: 'workspace', effect: 'send', modelText: ['body'] }),
  defineTool({ name: 'pay', origin: 'workspace', effect: 'spend' }),
  defineTool({ name: 'delete_mail', origin: 'workspace', effect: 'destroy' }),
];

const IBAN = 'DE75512108001245126199';
const MAIL = `Our account is ${IBAN}. Anna, anna@firm.example, wants the file prod-db.`;

async function open(...tasks: readonly TaskDefinition[]) {
  const conversation = createBoundary({ tools: TOOLS, classifier: signs }).conversation('c');
  for (const task of tasks) conversation.task(task);
  conversation.addUserMessage('Do the usual.');
  await conversation.request();
  await conversation.check({ id: 'list', tool: 'list_mails', arguments: {} });
  conversation.addToolResult({ id: 'list', tool: 'list_mails', content: MAIL });
  await conversation.request();
  return conversation;
}

interface Row {
  readonly title: string;
  readonly origin: readonly TaskDefinition[];
  readonly payload: readonly [tool: string, given: unknown];
  readonly expected: string;
}

const ROWS: readonly Row[] = [
  {
    title: 'a value of the list counts as said by the user',
    origin: [{ values: [IBAN] }],
    payload: ['pay', { iban: IBAN, amount: 240 }],
    expected: 'allow trusted',
  },
  {
    title: 'it stays trusted after a later task',
    origin: [{ values: [IBAN] }, {}],
    payload: ['pay', { iban: IBAN, amount: 240 }],
    expected: 'allow trusted',
  },
  {
    title: 'it is trusted as a whole only',
    origin: [{ values: ['prod-db-test'] }],
    payload: ['delete_mail', { id: 'prod-db' }],
    expected: 'ask content',
  },
  {
    title: 'the address of a person counts as said by the user',
    origin: [{ people: ['anna@firm.example'] }],
    payload: ['send_mail', { to: 'anna@firm.example', body: 'Hi' }],
    expected: 'allow trusted',
  },
  {
    title: 'the name of a person vouches for no address',
    origin: [{ people: ['Anna'] }],
    payload: ['send_mail', { to: 'anna@firm.example', body: 'Hi' }],
    expected: 'allow content',
  },
  {
    title: 'a tool of the list vouches for no value: only the judge is told',
    origin: [{ tools: ['pay'], follows: ['anna@firm.example'] }],
    payload: ['pay', { iban: IBAN, amount: 240 }],
    expected: 'ask content',
  },
];

describe('a task that the application gives', () => {
  it.each(ROWS)('$title: $expected', async ({ origin, payload: [tool, given], expected }) => {
    const { outcome, rule } = await (await open(...origin)).check({ id: 'call', tool, arguments: given });
    expect(`${outcome} ${rule}`).toBe(expected);
  });

  it('counts at once, for a call that was held before', async () => {
    const conversation = await open();
    const call = { id: '1', tool: 'pay', arguments: { iban: IBAN, amount: 240 } };
    expect((await conversation.check(call)).outcome).toBe('ask');
    conversation.task({ values: [IBAN] });
    expect((await conversation.check(call)).outcome).toBe('allow');
  });

  it('is not part of a snapshot: the application gives it again', async () => {
    const boundary = createBoundary({ tools: TOOLS, classifier: signs });
    const conversation = boundary.conversation('c');
    conversation.task({ values: [IBAN] });
    conversation.addUserMessage('Pay 240.');
    await conversation.request();
    expect(JSON.stringify(conversation.snapshot())).not.toContain(IBAN);
    const restored = boundary.conversation('c').restore(conversation.snapshot());
    await restored.request();
    const { facts } = await restored.check({ id: '1', tool: 'pay', arguments: { iban: IBAN, amount: 240 } });
    expect(facts.values.find(({ path }) => path === '/iban')).toMatchObject({ supplier: 'model', isVouched: false });
  });
});

const WRONG: readonly { readonly title: string; readonly payload: unknown; readonly expected: RegExp }[] = [
  { title: 'not an object', payload: 'pay', expected: /task\(\) needs an object such as .*received "pay"/ },
  { title: 'a misspelt option', payload: { tool: ['pay'] }, expected: /task\(\) has no option "tool"/ },
  {
    title: 'an option of earlier versions',
    payload: { delegates: [] },
    expected: /task\(\) has no option "delegates"/,
  },
  {
    title: 'a tool that is not declared',
    payload: { tools: ['send_mial'] },
    expected: /"send_mial", which is not declared/,
  },
  { title: 'a list that is a text', payload: { values: IBAN }, expected: /`values` must be an array of texts/ },
  { title: 'an empty value', payload: { follows: [' '] }, expected: /`follows` must be an array of texts/ },
];

it.each(WRONG)('task() refuses $title', ({ payload, expected }) => {
  const conversation = createBoundary({ tools: TOOLS }).conversation('c');
  expect(() => conversation.task(payload as TaskDefinition)).toThrow(expected);
});
