import { type Json, listOf, type ProvidedTool, piecesOf, type Reply, sendEvents, sendJson, type Wire } from './wire.ts';

const HEAD = {
  object: 'response',
  created_at: 1,
  model: 'scripted',
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  temperature: 1,
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
};
const USAGE = {
  input_tokens: 1,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 1,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 2,
};

function inputOf({ input }: Json): readonly Json[] {
  return typeof input === 'string' ? [{ role: 'user', content: input }] : listOf(input);
}

/** The suffix of ids: every id occurs once in a history, and a second run of the same scenario has the same ids. */
function suffixOf(body: Json): string {
  return String(inputOf(body).length);
}

function textPart(text: string): Json {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

function messageOf(text: string, body: Json): Json {
  const id = `msg_${suffixOf(body)}`;
  return { type: 'message', id, role: 'assistant', status: 'completed', content: [textPart(text)] };
}

function providedItem({ type, input, output }: ProvidedTool, id: string): Json {
  if (type === 'search') {
    const action = { type: 'search', query: input, sources: [{ type: 'url', url: output }] };
    return { type: 'web_search_call', id: `ws_${id}`, status: 'completed', action };
  }
  const outputs = [{ type: 'logs', logs: output }];
  const about = { id: `ci_${id}`, status: 'completed', container_id: 'container_1' };
  return { type: 'code_interpreter_call', ...about, code: input, outputs };
}

function itemsOf({ provided, calls, text }: Reply, body: Json): readonly Json[] {
  const ran = provided.map((tool, index) => providedItem(tool, `${suffixOf(body)}_${index}`));
  const items: readonly Json[] = calls.map((call) => ({
    type: 'function_call',
    id: `fc_${call.id}`,
    call_id: call.id,
    name: call.name,
    arguments: JSON.stringify(call.arguments),
    status: 'completed',
  }));
  return [...ran, ...(text === '' ? [] : [messageOf(text, body)]), ...items];
}

function responseOf(body: Json, output: readonly Json[], status: string): Json {
  const usage = status === 'completed' ? USAGE : null;
  return { ...HEAD, id: `resp_${suffixOf(body)}`, status, output, usage };
}

/** The events of one item, from its first to its last. */
function* eventsOf(item: Json, index: number): Generator<Json> {
  const place = { output_index: index, item_id: item.id };
  const isMessage = item.type === 'message';
  const begun = isMessage ? { ...item, content: [] } : { ...item, ...('arguments' in item ? { arguments: '' } : {}) };
  yield { type: 'response.output_item.added', output_index: index, item: { ...begun, status: 'in_progress' } };
  if (isMessage) {
    const [part] = listOf(item.content);
    const text = String(part?.text);
    const inPart = { ...place, content_index: 0 };
    yield { type: 'response.content_part.added', ...inPart, part: textPart('') };
    for (const delta of piecesOf(text)) yield { type: 'response.output_text.delta', ...inPart, delta, logprobs: [] };
    yield { type: 'response.output_text.done', ...inPart, text, logprobs: [] };
    yield { type: 'response.content_part.done', ...inPart, part };
  } else if (item.type === 'function_call') {
    const { name, arguments: given } = item;
    yield { type: 'response.function_call_arguments.delta', ...place, delta: given };
    yield { type: 'response.function_call_arguments.done', ...place, name, arguments: given };
  }
  yield { type: 'response.output_item.done', output_index: index, item };
}

/** The parts of a message or of an output; a string is one part. */
function partsOf(content: unknown): readonly Json[] {
  return typeof content === 'string' ? [{ type: 'input_text', text: content }] : listOf(content);
}

function textsOf(content: unknown): readonly string[] {
  return partsOf(content).flatMap((part) => (typeof part.text === 'string' ? [part.text] : []));
}

/** OpenAI's responses. */
export const responses: Wire = {
  overloaded: 503,
  matches: (path) => path.endsWith('/responses'),
  isStream: (_, body) => body.stream === true,
  reply(response, reply, body) {
    sendJson(response, responseOf(body, itemsOf(reply, body), 'completed'));
  },
  stream(response, reply, body) {
    const items = itemsOf(reply, body);
    const events: readonly Json[] = [
      { type: 'response.created', response: responseOf(body, [], 'in_progress') },
      ...items.flatMap((item, index) => [...eventsOf(item, index)]),
      { type: 'response.completed', response: responseOf(body, items, 'completed') },
    ];
    const lines = events.map((event, sequence_number) => {
      return `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}`;
    });
    return sendEvents(response, lines, { pause: reply.pause, piece: /^event: response\.output_text\.delta\n/ });
  },
  resultsIn: (body) =>
    inputOf(body)
      .filter(({ type }) => type === 'function_call_output')
      .map(({ call_id: id, output }) => ({
        id: String(id),
        texts: textsOf(output),
        media: partsOf(output).filter(({ type }) => type !== 'input_text').length,
      })),
  systemIn: (body) =>
    [
      ...(typeof body.instructions === 'string' ? [body.instructions] : []),
      ...inputOf(body)
        .filter(({ role }) => role === 'system' || role === 'developer')
        .flatMap(({ content }) => textsOf(content)),
    ].join('\n'),
  messagesIn: (body) => inputOf(body).map((item) => JSON.stringify(item)),
};
