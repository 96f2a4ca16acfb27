import type { MiddlewareContext } from '@anthropic-ai/sdk';
import { blocksOf, type Fields, isFields } from './fields.ts';

/** Is told the blocks of a reply up to one that has just been completed. */
export type Hear = (blocks: readonly unknown[]) => Promise<void>;

/** The blocks of a reply while it streams in. */
class Blocks {
  readonly #blocks: Fields[] = [];
  readonly #hear: Hear;
  #input = '';

  constructor(hear: Hear) {
    this.#hear = hear;
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
      await this.#hear(this.#blocks);
    }
  }

  #change(members: Fields): void {
    this.#blocks.push({ ...this.#blocks.pop(), ...members });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function eventIn(text: string): Fields {
  const lines = text.split(/\r?\n/).filter((line) => line.startsWith('data:'));
  const event = parsed(lines.map((line) => line.slice('data:'.length)).join('\n'));
  return isFields(event) ? event : {};
}

/** Holds back the bytes that complete a block until it was heard: no tool can start on what stands behind it before. */
function listening(hear: Hear): TransformStream<Uint8Array, Uint8Array> {
  const blocks = new Blocks(hear);
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

/** The same reply, heard before anybody acts on it. */
export async function heard(response: Response, context: MiddlewareContext, hear: Hear): Promise<Response> {
  if (!response.ok) return response;
  const isStream = response.headers.get('content-type')?.includes('event-stream') === true;
  if (isStream && response.body !== null) return new Response(response.body.pipeThrough(listening(hear)), response);
  const message = await context.parse(response);
  if (isFields(message)) await hear(blocksOf(message.content));
  return response;
}
