import { createBoundary, type Decision, defineTool, type Judge, prompt } from 'sallyport';
import { describe, expect, test } from 'vitest';
import { type EventRecorder, expectAllowed, expectHeld, recordEvents, scriptedJudge } from '../src/index.ts';

const TOOLS = [
  defineTool({ name: 'read_mail', origin: 'external', effect: 'read' }),
  defineTool({ name: 'send_mail', origin: 'workspace', effect: 'send' }),
  defineTool({ name: 'pay', origin: 'workspace', effect: 'spend' }),
];
const ACCOUNT = 'DE02 1203';

interface Played {
  readonly events: EventRecorder;
  readonly check: (tool: string) => Promise<Decision>;
}

/** A conversation that has read a mail with an account, and makes calls with it. */
async function play(judge: Judge): Promise<Played> {
  const events = recordEvents();
  const conversation = createBoundary({ tools: TOOLS, judge, onEvent: events }).conversation('mail');
  conversation.addUserMessage('Pay the plumber.');
  conversation.addToolResult({ id: 'call-0', tool: 'read_mail', content: `The plumber has the account ${ACCOUNT}.` });
  await conversation.request({ policy: prompt`You pay bills.` });
  return { events, check: (tool) => conversation.check({ id: tool, tool, arguments: { to: ACCOUNT } }) };
}

describe('scriptedJudge', () => {
  test('lets a call pass with a yes, and holds it with anything else', async () => {
    const reason = 'Nobody named this account.';
    expectAllowed(await (await play(scriptedJudge(['yes']))).check('pay'), { rule: 'judge' });
    for (const answer of ['no', { act: false }, { target: false, reason }, { careful: true }] as const)
      expectHeld(await (await play(scriptedJudge([answer]))).check('pay'), { rule: 'judge' });
    const { judge } = await (await play(scriptedJudge([{ target: false, reason }]))).check('pay');
    expect(judge).toEqual({ act: true, target: false, careful: false, reason });
  });

  test('answers each question, with the last answer again and again, and remembers them', async () => {
    const judge = scriptedJudge(['yes', 'yes', 'no']);
    const { check } = await play(judge);
    expect((await check('pay')).outcome).toBe('allow');
    // The table would ask about the payment, and a no is looked at once more.
    expect((await check('send_mail')).outcome).toBe('ask');
    expect(judge.questions.map(({ tool, look }) => [tool.name, look])).toEqual([
      ['pay', 1],
      ['pay', 2],
      ['send_mail', 1],
      ['send_mail', 2],
    ]);
    expect(judge.questions[0]).toMatchObject({
      developer: 'You pay bills.',
      messages: ['Pay the plumber.'],
      arguments: [{ name: 'to', value: ACCOUNT, from: 'from read_mail, where outsiders write' }],
    });
  });

  test('answers by a function of the question', async () => {
    const judge = scriptedJudge(({ tool }) => (tool.name === 'pay' ? 'no' : 'yes'));
    const { check } = await play(judge);
    expect([(await check('pay')).outcome, (await check('send_mail')).outcome]).toEqual(['ask', 'allow']);
  });

  test('fails if its function does, or if it gives another answer', async () => {
    const thrown = () => {
      throw new RangeError('offline');
    };
    for (const answers of [thrown, () => 'maybe' as never]) {
      const { check, events } = await play(scriptedJudge(answers));
      expectHeld(await check('pay'), { rule: 'judge-failed' });
      expect(events.all.filter(({ type }) => type === 'judge-failed')).toHaveLength(1);
    }
  });

  test('refuses a list without an answer, or with a wrong one', () => {
    expect(() => scriptedJudge([])).toThrow('A scripted judge needs an answer.');
    expect(() => scriptedJudge(['maybe' as never])).toThrow(
      "answers 'yes', 'no' or an object such as { act: false }; received maybe.",
    );
  });
});
