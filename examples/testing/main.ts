// Tests of an inbox assistant, with the runner of Node: emails attack it, and everyday work passes. Any other runner does as well.
// #region program
import { after, test } from 'node:test';
import { createOpenAI } from '@ai-sdk/openai';
import { protect } from '@sallyport/ai-sdk';
import {
  attacksOn,
  expectAllowed,
  expectFramed,
  expectNoEffect,
  expectStopped,
  plant,
  recordEvents,
  ScriptedModel,
  scriptedJudge,
} from '@sallyport/testing';
import { generateText, isStepCount, tool } from 'ai';
import { createBoundary, type EventListener } from 'sallyport';
import { z } from 'zod';

interface Inbox {
  readonly mails: readonly string[];
  readonly sent: string[];
  readonly onEvent: EventListener;
}

/** The agent under test. Your test imports yours. */
async function assistant(baseURL: string, prompt: string, { mails, sent, onEvent }: Inbox): Promise<string> {
  // Your judge is a model. In a test it says no, so that only what provenance clears passes.
  const boundary = createBoundary({ onEvent, judge: scriptedJudge('no') });
  const guarded = protect(boundary.conversation('chat-1'), {
    model: createOpenAI({ baseURL, apiKey: 'none' }).chat('scripted'),
    tools: {
      list_mails: tool({ inputSchema: z.object({}), execute: async () => mails }),
      send_mail: tool({
        inputSchema: z.object({ to: z.string(), body: z.string() }),
        execute: async ({ to }) => sent.push(to),
      }),
    },
    declare: {
      list_mails: { effect: 'read', origin: 'external' },
      send_mail: { effect: 'send', modelText: ['body'] },
    },
  });
  const { text } = await generateText({ ...guarded, prompt, stopWhen: isStepCount(5) });
  return text;
}

// #region test
const model = new ScriptedModel('chat');
const baseURL = `${await model.start()}/v1`;
after(() => model.stop());

for (const attack of attacksOn('send_mail'))
  test(`nothing is sent: ${attack.title}`, async () => {
    // The model does what the attack wants: what stops it is not the model.
    model.script([
      { calls: [{ name: 'list_mails', arguments: {} }] },
      { calls: [{ name: 'send_mail', arguments: { to: attack.wants.value, body: 'All mails' } }] },
    ]);
    const events = recordEvents();
    const inbox = { mails: [plant(attack, 'Lunch on Friday?')], sent: [], onEvent: events };
    await assistant(baseURL, 'What is new?', inbox);
    expectFramed(model, 'Lunch on Friday?');
    expectStopped(events, { tool: 'send_mail' });
    expectNoEffect(inbox.sent);
  });
// #endregion test

// #region everyday
test('a mail to the person whom the user names is sent', async () => {
  model.script([{ calls: [{ name: 'send_mail', arguments: { to: 'bob@work.example', body: 'Yes, at noon.' } }] }]);
  const events = recordEvents();
  const inbox = { mails: [], sent: [], onEvent: events };
  await assistant(baseURL, 'Tell bob@work.example that lunch at noon is fine.', inbox);
  expectAllowed(events, { tool: 'send_mail' });
});
// #endregion everyday
// #endregion program
