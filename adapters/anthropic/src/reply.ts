import type { MiddlewareContext } from '@anthropic-ai/sdk';
import { type Fields, isFields } from '@sallyport/core/adapter';
import { parseJson } from '@sallyport/core/json';
import { blocksOf } from './blocks.ts';

/** Receives the blocks of a reply up to the one that has just been completed. */
export type OnBlocks = (blocks: readonly unknown[]) => Promise<void>;

/** The blocks of a reply that is being streamed. */
class Blocks {
  readonly #blocks: Fields[] = [];
  readonly #onBlocks: OnBlocks;
  #input = '';

  constructor(onBlocks: OnBlocks) {
    this.#onBlocks = onBlocks;
  }

  async take({ type, content_block, delta }: Fields): Promise<void> {
    if (type === 'content_block_start' && isFields(content_block)) {
      this.#blocks.push(content_block);
      this.#input = '';
    } else if (type === 'content_block_delta' && isFields(delta)) {
      if (typeof delta.partial_json === 'string') this.#input += delta.partial_json;
      if (typeof delta.content === 'string') this.#change({ content: delta.content });
    } else if (type === 'content_block_stop') {
      if (this.#input !== '') this.#change({ input: parsed(this.#input) });
      await this.#onBlocks(this.#blocks);
    }
  }

  #change(members: Fields): void {
    this.#blocks.push({ ...this.#blocks.pop(), ...members });
  }
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    // Truncated JSON is recorded as the text it is: the SDK itself reports the malformed event.
    return text;
  }
}

function eventIn(text: string): Fields {
  const lines = text.split(/\r?\n/).filter((line) => line.startsWith('data:'));
  const event = parsed(lines.map((line) => line.slice('data:'.length)).join('\n'));
  return isFields(event) ? event : {};
}

/** Holds back the bytes that complete a block until it is recorded, so that no tool can start on what follows it before. */
function recordStream(onBlocks: OnBlocks): TransformStream<Uint8Array, Uint8Array> {
  const blocks = new Blocks(onBlocks);
  const decoder = new TextDecoder();
  let rest = '';
  return new TransformStream({
    async transform(chunk, controller) {
      const texts = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n\r?\n/);
      rest = texts.pop() ?? '';
      for (const text of texts) await blocks.take(eventIn(text));
      controller.enqueue(chunk);
    },
  });
}

/** The same reply. Its blocks are recorded before the SDK acts on them. */
export async function readReply(response: Response, context: MiddlewareContext, onBlocks: OnBlocks): Promise<Response> {
  if (!response.ok) return response;
  const isStream = response.headers.get('content-type')?.includes('event-stream') === true;
  if (isStream && response.body !== null)
    return new Response(response.body.pipeThrough(recordStream(onBlocks)), response);
  const message = await context.parse(response);
  if (isFields(message)) await onBlocks(blocksOf(message.content));
  return response;
}
