import { type Json, listOf, type ProvidedTool, piecesOf, type Reply, sendEvents, sendJson, type Wire } from './wire.ts';

const USAGE = { input_tokens: 1, output_tokens: 1 };

function providedBlocks({ type, input, output }: ProvidedTool, id: string): readonly Json[] {
  const isSearch = type === 'search';
  const name = isSearch ? 'web_search' : 'code_execution';
  const page = { type: 'web_search_result', url: output, title: input, encrypted_content: 'AAAA', page_age: null };
  const printed = { type: 'code_execution_result', stdout: output, stderr: '', return_code: 0, content: [] };
  return [
    { type: 'server_tool_use', id, name, input: isSearch ? { query: input } : { code: input } },
    { type: `${name}_tool_result`, tool_use_id: id, content: isSearch ? [page] : printed },
  ];
}

function blocksOf({ provided, calls, text }: Reply, body: Json): readonly Json[] {
  const at = listOf(body.messages).length;
  const ran = provided.flatMap((tool, index) => providedBlocks(tool, `srvtoolu_${at}_${index}`));
  const uses = calls.map((call) => ({ type: 'tool_use', id: call.id, name: call.name, input: call.arguments }));
  return [...ran, ...(text === '' ? [] : [{ type: 'text', text }]), ...uses];
}

function messageOf(reply: Reply, body: Json): Json {
  return {
    id: `msg_${listOf(body.messages).length}`,
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    content: blocksOf(reply, body),
    stop_reason: reply.calls.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: USAGE,
  };
}

function eventOf(event: Json): string {
  return `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}`;
}

function eventsOf(block: Json, index: number): readonly Json[] {
  const isText = block.type === 'text';
  if (!isText && !('input' in block))
    return [
      { type: 'content_block_start', index, content_block: block },
      { type: 'content_block_stop', index },
    ];
  const deltas = isText
    ? piecesOf(String(block.text)).map((text) => ({ type: 'text_delta', text }))
    : [{ type: 'input_json_delta', partial_json: JSON.stringify(block.input) }];
  return [
    { type: 'content_block_start', index, content_block: isText ? { ...block, text: '' } : { ...block, input: {} } },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

function contentOf(content: unknown): readonly Json[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
}

/** The texts of a block, including those inside a document or a search result. */
function textsOf(block: Json): readonly string[] {
  if (typeof block.text === 'string') return [block.text];
  if (block.type === 'search_result') return contentOf(block.content).flatMap(textsOf);
  const { type, data, content } = (block.source ?? {}) as Json;
  if (type === 'text' && typeof data === 'string') return [data];
  return type === 'content' ? contentOf(content).flatMap(textsOf) : [];
}

/** Anthropic's Messages API. */
export const messages: Wire = {
  overloaded: 529,
  matches: (path) => path.endsWith('/v1/messages'),
  isStream: (_, body) => body.stream === true,
  reply: (response, reply, body) => sendJson(response, messageOf(reply, body)),
  stream(response, reply, body) {
    const { content, stop_reason, ...message } = messageOf(reply, body);
    const events = [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
      ...listOf(content).flatMap(eventsOf),
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: USAGE },
      { type: 'message_stop' },
    ];
    return sendEvents(response, events.map(eventOf), { pause: reply.pause, piece: /"text_delta"/ });
  },
  resultsIn: (body) =>
    listOf(body.messages)
      .flatMap(({ content }) => listOf(content))
      .filter(({ type }) => type === 'tool_result')
      .map(({ tool_use_id: id, content }) => {
        const blocks = contentOf(content);
        const texts = blocks.flatMap(textsOf);
        return { id: String(id), texts, media: blocks.filter((block) => textsOf(block).length === 0).length };
      }),
  systemIn: (body) => contentOf(body.system).flatMap(textsOf).join('\n'),
  messagesIn: (body) => listOf(body.messages).map((message) => JSON.stringify(message)),
};
