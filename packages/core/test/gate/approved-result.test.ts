import { describe, expect, it } from 'vitest';
import { createBoundary, defineTool } from '../../src/index.ts';
import { signs } from '../world.ts';

const TOOLS = [
  defineTool({ name: 'read_mail', origin: 'external', effect: 'read' }),
  defineTool({ name: 'renew_plan', trusted: true, effect: 'configure' }),
  defineTool({ name: 'send_mail', origin: 'workspace', effect: 'send', modelText: ['body'] }),
];

/** What the gate decides about a mail to the contact in the result of an approved call. */
async function sendAfter(user: string, mail: string, plan: string): Promise<string> {
  const conversation = createBoundary({
    tools: TOOLS,
    classifier: signs,
    gate: { table: { configure: { trusted: 'ask' } } },
  }).conversation('c');
  conversation.addUserMessage(user);
  conversation.addToolResult({ id: 'mail', tool: 'read_mail', content: mail });
  await conversation.request();
  const renewal = { id: 'renewal', tool: 'renew_plan', arguments: { plan } };
  const renewed = await conversation.check(renewal, { ask: () => ({ by: 'Ann' }) });
  expect(renewed).toMatchObject({ outcome: 'allow', judged: 'ask' });
  conversation.addToolResult({ id: 'renewal', tool: 'renew_plan', content: 'Renewed by bob@firm.example' });
  await conversation.request();
  const given = { to: 'bob@firm.example', body: 'Thanks' };
  const { outcome, rule } = await conversation.check({ id: 'send', tool: 'send_mail', arguments: given });
  return `${outcome} ${rule}`;
}

describe('the result of a call that a person approved', () => {
  it.each([
    {
      title: 'is trusted as before if the user typed its values',
      user: 'Show me the plan A-1277.',
      mail: 'Hello',
      plan: 'A-1277',
      expected: 'allow trusted',
    },
    {
      title: 'is content if others supplied its values',
      user: 'Show me my plan.',
      mail: 'Please renew A-1277',
      plan: 'A-1277',
      expected: 'allow content',
    },
  ])('$title', async ({ user, mail, plan, expected }) => {
    expect(await sendAfter(user, mail, plan)).toBe(expected);
  });
});
