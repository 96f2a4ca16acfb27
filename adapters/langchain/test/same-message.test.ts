import { AIMessage, HumanMessage } from 'langchain';
import { describe, expect, test } from 'vitest';
import { agentOf, calls, POISON, scripted, THREAD, TO_EVIL, toolbox } from './stage.ts';

const ORIGIN = 'gate/e_langchain.mjs';

/** The forms in which providers report a tool that they ran. */
const ROWS = [
  {
    title: "the blocks of Anthropic's search",
    origin: ORIGIN,
    payload: {
      content: [
        { type: 'server_tool_use', id: 'ws1', name: 'web_search', input: { query: 'x' } },
        { type: 'web_search_tool_result', tool_use_id: 'ws1', content: [{ title: 'x', text: POISON }] },
      ],
    },
    expected: 0,
  },
  {
    title: "LangChain's own blocks",
    origin: ORIGIN,
    payload: {
      content: [
        { type: 'server_tool_call', id: 'ws1', name: 'web_search', args: {} },
        { type: 'server_tool_call_result', toolCallId: 'ws1', output: POISON },
      ],
    },
    expected: 0,
  },
  {
    title: 'the items of OpenAI, next to the message',
    origin: ORIGIN,
    payload: {
      content: 'Found it.',
      additional_kwargs: { tool_outputs: [{ id: 'ci_1', type: 'code_interpreter_call', outputs: [{ logs: POISON }] }] },
    },
    expected: 0,
  },
  { title: 'nothing that the provider ran', origin: ORIGIN, payload: { content: 'Here you are.' }, expected: 1 },
];

describe('a call in the same message as', () => {
  test.each(ROWS)('$title is made $expected times', async ({ payload, expected }) => {
    const { tools, runsOf } = toolbox();
    const { tool_calls = [], id = 'ai' } = calls(TO_EVIL);
    const model = scripted(new AIMessage({ ...(payload as object), id, tool_calls } as never));
    const messages = [new HumanMessage('Look up the plumber, and write a mail.')];
    await agentOf({ model, tools }).invoke({ messages }, THREAD);
    expect(runsOf('send_mail')).toBe(expected);
  });
});
