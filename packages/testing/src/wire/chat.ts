import { type Json, listOf, piecesOf, type Reply, sendEvents, sendJson, type Wire } from './wire.ts';

function toolCalls({ calls }: Reply): readonly Json[] {
  return calls.map((call, index) => ({
    index,
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));
}

/** Gives every answer of a history its own id: LangGraph takes two messages with one id for the same message. */
function headOf(body: Json): Json {
  return { id: `chatcmpl-${listOf(body.messages).length}`, created: 1, model: 'scripted' };
}

/** The pages of a search. This format has no other tool that the provider runs. */
function annotationsOf({ provided }: Reply): { readonly annotations?: readonly Json[] } {
  if (provided.some(({ type }) => type !== 'search'))
    throw new TypeError('Chat completions have no code that the provider runs. Use a search, or another format.');
  const annotations = provided.map(({ input: title, output: url }) => ({
    type: 'url_citation',
    url_citation: { url, title, start_index: 0, end_index: 0 },
  }));
  return annotations.length > 0 ? { annotations } : {};
}

const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

function finishOf({ calls }: Reply): string {
  return calls.length > 0 ? 'tool_calls' : 'stop';
}

/** A result can only be text in this format, so some packages serialize the parts as JSON. */
function partsOf(content: unknown): readonly Json[] {
  if (typeof content !== 'string') return listOf(content);
  try {
    const parts = listOf(JSON.parse(content));
    if (parts.length > 0 && parts.every(({ type }) => typeof type === 'string')) return parts;
  } catch {}
  return [{ type: 'text', text: content }];
}

function textsOf(content: unknown): readonly string[] {
  return partsOf(content).flatMap((part) => (typeof part.text === 'string' ? [part.text] : []));
}

/** OpenAI's chat completions, which many other servers support. */
export const chat: Wire = {
  overloaded: 503,
  matches: (path) => path.endsWith('/chat/completions'),
  isStream: (_, body) => body.stream === true,
  reply(response, reply, body) {
    const { text } = reply;
    const calls = toolCalls(reply).map(({ index: _, ...call }) => call);
    const message = {
      role: 'assistant',
      refusal: null,
      content: text === '' ? null : text,
      ...annotationsOf(reply),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    };
    const choices = [{ index: 0, message, logprobs: null, finish_reason: finishOf(reply) }];
    sendJson(response, { ...headOf(body), object: 'chat.completion', choices, usage: USAGE });
  },
  stream(response, reply, body) {
    const head = headOf(body);
    const chunk = (delta: Json, finish: string | null = null, extra: Json = {}): string =>
      `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }], ...extra })}`;
    const events = [
      chunk({ role: 'assistant', content: '', ...annotationsOf(reply) }),
      ...piecesOf(reply.text).map((content) => chunk({ content })),
      ...toolCalls(reply).map((call) => chunk({ tool_calls: [call] })),
      chunk({}, finishOf(reply), { usage: USAGE }),
      'data: [DONE]',
    ];
    return sendEvents(response, events, { pause: reply.pause, piece: /"delta":\{"content":/ });
  },
  resultsIn: (body) =>
    listOf(body.messages)
      .filter(({ role }) => role === 'tool')
      .map(({ tool_call_id: id, content }) => ({
        id: String(id),
        texts: textsOf(content),
        media: partsOf(content).filter(({ type }) => type !== 'text').length,
      })),
  systemIn: (body) =>
    listOf(body.messages)
      .filter(({ role }) => role === 'system' || role === 'developer')
      .flatMap(({ content }) => textsOf(content))
      .join('\n'),
  messagesIn: (body) => listOf(body.messages).map((message) => JSON.stringify(message)),
};
