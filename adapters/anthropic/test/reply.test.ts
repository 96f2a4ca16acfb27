import { expect, test } from 'vitest';
import { readReply } from '../src/reply.ts';
import { type Body, conversationOf } from './world.ts';

function eventOf(event: Body, newline = '\n'): string {
  return `event: ${event.type}${newline}data: ${JSON.stringify(event)}${newline}${newline}`;
}

const EVENTS: readonly Body[] = [
  { type: 'message_start', message: {} },
  { type: 'content_block_start', index: 0, content_block: { type: 'server_tool_use', id: 's', name: 'n', input: {} } },
  { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"q":' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '"\u00e4"}' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'ping' },
  { type: 'content_block_start', index: 1, content_block: { type: 'compaction', content: null } },
  { type: 'content_block_delta', index: 1, delta: { type: 'compaction_delta', content: 'summed up' } },
  { type: 'content_block_stop', index: 1 },
  { type: 'message_stop' },
];

/** A reply in chunks of `size` bytes: its text, the recorded blocks, and the text that had passed when the last block was recorded. */
async function played(bytes: Uint8Array, size: number): Promise<{ text: string; last: unknown; before: string }> {
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.slice(at * size, at * size + size),
  );
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const chunk = chunks.shift();
      if (chunk === undefined) controller.close();
      else controller.enqueue(chunk);
    },
  });
  const decoder = new TextDecoder();
  let text = '';
  let last: unknown;
  let before = '';
  const response = new Response(body, { status: 200, headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
  const reply = await readReply(response, {} as never, {
    onBlocks: async (blocks) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      [last, before] = [structuredClone(blocks), text];
    },
    sanitize: conversationOf(),
  });
  for await (const chunk of reply.body ?? []) text += decoder.decode(chunk, { stream: true });
  return { text, last, before };
}

test.each([1, 7, 64, 100_000])(
  'a stream passes byte for byte, and a block is recorded before its end passes, in chunks of %d bytes',
  async (size) => {
    for (const newline of ['\n', '\r\n']) {
      const written = EVENTS.map((event) => eventOf(event, newline)).join('');
      const { text, last, before } = await played(new TextEncoder().encode(written), size);
      expect(text).toBe(written);
      expect(last).toEqual([
        { type: 'server_tool_use', id: 's', name: 'n', input: { q: '\u00e4' } },
        { type: 'compaction', content: 'summed up' },
      ]);
      expect(before).not.toContain(eventOf({ type: 'content_block_stop', index: 1 }, newline));
    }
  },
);

test('an unknown event or malformed JSON input does not end the stream', async () => {
  const written = [
    'data: [DONE]\n\n',
    ': note\n\n',
    ...EVENTS.slice(0, 3).map((event) => eventOf(event)),
    eventOf({ type: 'content_block_stop', index: 0 }),
  ].join('');
  const { text, last } = await played(new TextEncoder().encode(written), 50);
  expect(text).toBe(written);
  expect(last).toEqual([{ type: 'server_tool_use', id: 's', name: 'n', input: '{"q":' }]);
});

test('an error while recording ends the stream', async () => {
  const bytes = new TextEncoder().encode(EVENTS.map((event) => eventOf(event)).join(''));
  const response = new Response(bytes, { headers: { 'content-type': 'text/event-stream' } });
  const reply = await readReply(response, {} as never, {
    onBlocks: () => Promise.reject(new RangeError('no')),
    sanitize: undefined,
  });
  await expect(reply.text()).rejects.toThrow('no');
});

test('an error response is returned unchanged', async () => {
  const response = new Response('{}', { status: 529 });
  const options = { onBlocks: () => Promise.reject(new Error('heard')), sanitize: conversationOf() };
  expect(await readReply(response, {} as never, options)).toBe(response);
});
