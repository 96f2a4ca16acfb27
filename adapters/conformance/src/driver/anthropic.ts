import Anthropic from '@anthropic-ai/sdk';
import type { BetaRunnableTool } from '@anthropic-ai/sdk/lib/tools/BetaRunnableTool';
import type { BetaToolRunnerParams } from '@anthropic-ai/sdk/lib/tools/BetaToolRunner';
import type { BetaMessageParam, BetaToolResultContentBlockParam } from '@anthropic-ai/sdk/resources/beta';
import { protect } from '@sallyport/anthropic';
import {
  type Agent,
  type Answer,
  type AnswerPart,
  askOf,
  type Driver,
  declarationOf,
  type ScenarioTool,
  type Setup,
} from './driver.ts';

function blockOf(part: AnswerPart): BetaToolResultContentBlockParam {
  switch (part.type) {
    case 'text':
      return part;
    case 'image':
      return { type: 'image', source: { type: 'base64', media_type: part.mediaType as 'image/png', data: part.data } };
    case 'file':
      return {
        type: 'document',
        title: part.name,
        source: { type: 'text', media_type: part.mediaType as 'text/plain', data: part.text },
      };
    case 'link':
      return {
        type: 'document',
        title: part.name,
        context: part.description,
        source: { type: 'url', url: part.uri },
      };
  }
}

function outputOf(answer: Answer): string | BetaToolResultContentBlockParam[] {
  switch (answer.type) {
    case 'text':
      return answer.text;
    case 'json':
      return JSON.stringify(answer.value);
    case 'parts':
      return answer.parts.map(blockOf);
  }
}

function toolsOf(tools: readonly ScenarioTool[]): BetaRunnableTool<Record<string, unknown>>[] {
  return tools.map(({ name, description, parameters, run, isElsewhere = false }) => ({
    type: 'custom',
    name,
    description,
    input_schema: {
      type: 'object',
      properties: Object.fromEntries(parameters.map((each) => [each, { type: 'string' }])),
    },
    ...(isElsewhere
      ? ({} as never)
      : { parse: (given: unknown) => given as Record<string, unknown>, run: async (given) => outputOf(run(given)) }),
  }));
}

/** Tools that the provider runs. */
const PROVIDED = {
  search: { type: 'web_search_20250305', name: 'web_search' },
  code: { type: 'code_execution_20250825', name: 'code_execution' },
} as const;

async function startWith(setup: Setup, options: { thread?: false }): Promise<Agent> {
  const { url, conversation, system, stream, onPiece, judge, added, person, stored, provided } = setup;
  const theirs = provided === undefined ? [] : [PROVIDED[provided.type]];
  const declare = { ...setup.declare, ...declarationOf(provided, theirs.map(({ name }) => name).join()) };
  const bare = { client: new Anthropic({ apiKey: 'none', baseURL: url }), tools: [...toolsOf(setup.tools), ...theirs] };
  const behind =
    conversation === undefined ? bare : protect(conversation, { ...bare, declare, judge, ...askOf(person) });
  const { client } = setup.forgotten === 'model' ? bare : behind;
  const { tools: guarded } = setup.forgotten === 'tools' ? bare : behind;
  const tools = added === undefined ? guarded : [...guarded, ...toolsOf([added])];
  let messages = (stored ?? []) as BetaMessageParam[];

  return {
    async say(text) {
      const params: BetaToolRunnerParams = {
        model: 'scripted',
        max_tokens: 1000,
        max_iterations: 8,
        system,
        tools,
        stream,
        messages: [...messages, { role: 'user', content: text }],
        ...options,
      };
      const runner = client.beta.messages.toolRunner(params);
      // With a stream, each round of the runner is one.
      for await (const round of runner)
        if (Symbol.asyncIterator in round)
          for await (const event of round)
            if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') onPiece?.(event.delta.text);
      const { content } = await runner.runUntilDone();
      messages = JSON.parse(JSON.stringify(runner.params.messages)) as BetaMessageParam[];
      return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    },
    stored: async () => messages,
    compact: async (summary) => {
      messages = [{ role: 'assistant', content: [{ type: 'compaction', content: summary }] }];
    },
  };
}

const hasThreads = 'thread' in new Anthropic({ apiKey: 'none' }).beta.messages;

/** The Anthropic SDK with its tool runner, over the Messages API. */
export const anthropic: Driver = {
  name: 'anthropic',
  format: 'messages',
  impossible: hasThreads ? {} : { 'held-state': 'This version keeps the history itself and sends all of it.' },
  start: (setup) => startWith(setup, { thread: false }),
  pruned: (messages: readonly BetaMessageParam[]) =>
    messages
      .map(({ role, content }) => {
        const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
        return { role, content: blocks.filter(({ type }) => type === 'text') };
      })
      .filter(({ content }) => content.length > 0),
  startHeld: (setup) => startWith(setup, {}),
};
