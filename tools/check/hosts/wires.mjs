// How providers are asked, and how they answer.
import { events } from './provider.mjs';

const usage = { input_tokens: 1, output_tokens: 1 };

/** https://docs.anthropic.com/en/api/messages-streaming */
export const anthropic = {
  isTurn: ({ url, body }) => /\/messages(\?|$)/.test(url) && (body.tools ?? []).length > 3,
  answered: ({ messages }) =>
    messages.flatMap(({ content }) => content).filter(({ type }) => type === 'tool_result').length,
  write({ text, name, input, id }, { model }) {
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model, content: [], usage };
    const block = name === undefined ? { type: 'text', text: '' } : { type: 'tool_use', id, name, input: {} };
    const delta =
      name === undefined
        ? { type: 'text_delta', text }
        : { type: 'input_json_delta', partial_json: JSON.stringify(input) };
    const stop = { stop_reason: name === undefined ? 'end_turn' : 'tool_use', stop_sequence: null };
    const all = [
      { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: stop, usage },
      { type: 'message_stop' },
    ];
    return events(all.map((data) => ({ event: data.type, data })));
  },
  otherwise: JSON.stringify({
    ...{ id: 'msg_2', type: 'message', role: 'assistant', model: 'scripted', stop_reason: 'end_turn' },
    ...{ content: [{ type: 'text', text: 'A title' }], usage, input_tokens: 1 },
  }),
};

/** https://ai.google.dev/api/generate-content */
export const gemini = {
  isTurn: ({ url, body }) => url.includes(':streamGenerateContent') && body.tools !== undefined,
  answered: ({ contents }) => contents.flatMap(({ parts }) => parts).filter((part) => part.functionResponse).length,
  write({ text, name, input }) {
    const part = name === undefined ? { text } : { functionCall: { name, args: input } };
    const candidate = { index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' };
    return events([{ data: { candidates: [candidate], usageMetadata: { totalTokenCount: 2 } } }]);
  },
  otherwise: JSON.stringify({
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text: '{}' }] }, finishReason: 'STOP' }],
  }),
};

/** https://platform.openai.com/docs/api-reference/responses-streaming */
export const responses = {
  isTurn: ({ url, body }) => url.includes('/responses') && (body.tools ?? []).length > 0,
  answered: ({ input }) => input.filter(({ type }) => /_output$/.test(type ?? '')).length,
  write({ text, name, input, id }) {
    const isFree = typeof input === 'string';
    const call = isFree
      ? { type: 'custom_tool_call', name, input }
      : { type: 'function_call', name, arguments: JSON.stringify(input) };
    const message = { type: 'message', role: 'assistant', id: 'msg_1', content: [{ type: 'output_text', text }] };
    const item = name === undefined ? message : { ...call, id: `item_${id}`, call_id: id };
    const response = { id: 'resp_1', output: [item], usage: { ...usage, total_tokens: 2 } };
    const all = [
      { type: 'response.created', response: { id: 'resp_1' } },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response },
    ];
    return events(all.map((data) => ({ event: data.type, data })));
  },
  otherwise: JSON.stringify({ models: [], data: [] }),
};
