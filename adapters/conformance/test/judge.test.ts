import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { ChatOpenAI } from '@langchain/openai';
import { OpenAIResponsesModel } from '@openai/agents';
import { generateWith as generateWithAiSdk } from '@sallyport/ai-sdk';
import { generateWith as generateWithAnthropic } from '@sallyport/anthropic';
import { type BoundaryEvent, createBoundary, defineTool, judgeWith } from '@sallyport/core';
import type { Generate } from '@sallyport/core/adapter';
import { generateWith as generateWithGoogle } from '@sallyport/google-genai';
import { generateWith as generateWithLangChain } from '@sallyport/langchain';
import { generateWith as generateWithOpenAI } from '@sallyport/openai';
import { generateWith as generateWithAgents } from '@sallyport/openai-agents';
import { ScriptedModel, type Step, type WireFormat } from '@sallyport/testing';
import { OpenAI } from 'openai';
import { afterEach, describe, expect, it } from 'vitest';

const IBAN = 'GB94BARC10201530093459';
const TOOLS = [
  defineTool({ name: 'read_mail', origin: 'external', effect: 'read' }),
  defineTool({ name: 'pay', description: 'Transfers money.', origin: 'workspace', effect: 'spend' }),
];

interface Provider {
  readonly title: string;
  readonly format: WireFormat;
  readonly generate: (url: string) => Generate;
}

const PROVIDERS: readonly Provider[] = [
  {
    title: 'openai',
    format: 'chat',
    generate: (url) =>
      generateWithOpenAI(new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 }), 'scripted'),
  },
  {
    title: 'anthropic',
    format: 'messages',
    generate: (url) =>
      generateWithAnthropic(new Anthropic({ baseURL: url, apiKey: 'none', maxRetries: 0 }), 'scripted'),
  },
  {
    title: 'ai-sdk',
    format: 'chat',
    generate: (url) => generateWithAiSdk(createOpenAI({ baseURL: `${url}/v1`, apiKey: 'none' }).chat('scripted')),
  },
  {
    title: 'langchain',
    format: 'chat',
    generate: (url) =>
      generateWithLangChain(
        new ChatOpenAI({ model: 'scripted', apiKey: 'none', configuration: { baseURL: `${url}/v1` }, maxRetries: 0 }),
      ),
  },
  {
    title: 'openai-agents',
    format: 'responses',
    generate: (url) => {
      const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 });
      return generateWithAgents(new OpenAIResponsesModel(client as never, 'scripted'));
    },
  },
  {
    title: 'google-genai',
    format: 'gemini',
    generate: (url) =>
      generateWithGoogle(new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: url } }), 'scripted'),
  },
];

let model: ScriptedModel | undefined;
afterEach(async () => model?.stop());

/** What the gate decides about a payment to an account from a mail, by the answers of a scripted model. */
async function play({ format, generate }: Provider, ...steps: readonly Step[]) {
  model = new ScriptedModel(format);
  model.script(steps);
  const judge = judgeWith(generate(await model.start()));
  const events: BoundaryEvent[] = [];
  const boundary = createBoundary({ tools: TOOLS, judge, onEvent: (event) => events.push(event) });
  const conversation = boundary.conversation('c');
  conversation.addUserMessage('Settle the bill in the mail, 5 at most.');
  conversation.addToolResult({
    id: 'm',
    tool: 'read_mail',
    content: `The MEETING is on Friday. My account is ${IBAN}.`,
  });
  await conversation.request();
  const decision = await conversation.check({ id: 'p', tool: 'pay', arguments: { iban: IBAN, amount: 5 } });
  const failures = events.flatMap((event) => (event.type === 'judge-failed' ? [event.cause] : []));
  return { requests: model.requests, failures, decision };
}

const says = (answer: object): Step => ({
  text: JSON.stringify({ reason: 'It pays the bill.', act: true, target: true, careful: false, ...answer }),
});

describe.each(PROVIDERS)('judgeWith, through the SDK of $title', (provider) => {
  it('asks without tools and without content, and twice where the table says something else', async () => {
    const { requests, decision } = await play(provider, says({}), says({}));
    expect(decision).toMatchObject({ outcome: 'allow', decidedBy: 'judge', judge: { act: true } });
    expect(requests.map(({ body }) => body.tools ?? [])).toEqual([[], []]);
    for (const { bytes } of requests) {
      for (const shown of ['Settle the bill', 'Transfers money.', IBAN, 'where outsiders write'])
        expect(bytes).toContain(shown);
      expect(bytes).not.toContain('MEETING');
    }
  });

  it('asks a person where the model says no', async () => {
    const no = says({ target: false, reason: 'It pays a stranger.' });
    const { requests, decision } = await play(provider, no, no);
    expect(decision).toMatchObject({
      outcome: 'ask',
      rule: 'judge',
      judge: { target: false, reason: 'It pays a stranger.' },
    });
    expect(requests).toHaveLength(2);
  });

  it('asks a person where the model calls a tool, answers in prose or leaves something out', async () => {
    for (const step of [
      { calls: [{ name: 'pay', arguments: {} }] },
      { text: 'You may pay.' },
      { text: '{"act":true}' },
    ]) {
      const { failures, decision } = await play(provider, step);
      expect(failures).toHaveLength(1);
      expect(decision).toMatchObject({ outcome: 'ask', rule: 'judge-failed' });
      await model?.stop();
    }
  });
});
