import type { MiddlewareContext } from '@anthropic-ai/sdk';
import type { Conversation } from '@sallyport/core';
import { type Fields, fieldsOf, isFields, type ServerEvent, ServerEvents } from '@sallyport/core/adapter';
import { parseJson } from '@sallyport/core/json';
import { blocksOf } from './blocks.ts';
import { SanitizedEvents, sanitized } from './output.ts';

/** Receives the blocks of a reply up to the one that has just been completed. */
type OnBlocks = (blocks: readonly unknown[]) => Promise<void>;

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

function written(events: readonly Fields[]): string {
  return events.map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

/** Holds back the event that completes a block until it is recorded, so that no tool can start on what follows it before. */
function readStream({ onBlocks, sanitize }: ReplyOptions): TransformStream<Uint8Array, Uint8Array> {
  const blocks = new Blocks(onBlocks);
  const output = sanitize === undefined ? undefined : new SanitizedEvents(sanitize);
  const [decoder, encoder] = [new TextDecoder('utf-8', { ignoreBOM: true }), new TextEncoder()];
  const events = new ServerEvents();
  const read = async ({ text, data }: ServerEvent): Promise<string> => {
    const event = fieldsOf(parsed(data));
    await blocks.take(event);
    const shown = output?.take(event);
    return shown === undefined ? text : written(shown);
  };
  return new TransformStream({
    async transform(chunk, controller) {
      for (const event of events.push(decoder.decode(chunk, { stream: true })))
        controller.enqueue(encoder.encode(await read(event)));
    },
    async flush(controller) {
      for (const event of events.end()) controller.enqueue(encoder.encode(await read(event)));
      controller.enqueue(encoder.encode(written(output?.end() ?? [])));
    },
  });
}

function sameHeaders({ headers, status, statusText }: Response): ResponseInit {
  const kept = new Headers(headers);
  kept.delete('content-length');
  return { headers: kept, status, statusText };
}

/** Options of `readReply`. */
export interface ReplyOptions {
  readonly onBlocks: OnBlocks;
  /** The conversation that sanitizes the texts; undefined if they stay as they are. */
  readonly sanitize: Conversation | undefined;
}

/** The reply for the application. Its blocks are recorded before the SDK acts on them. */
export async function readReply(
  response: Response,
  context: MiddlewareContext,
  options: ReplyOptions,
): Promise<Response> {
  if (!response.ok) return response;
  const isStream = response.headers.get('content-type')?.includes('event-stream') === true;
  if (isStream && response.body !== null)
    return new Response(response.body.pipeThrough(readStream(options)), sameHeaders(response));
  const message = await context.parse(response);
  if (!isFields(message)) return response;
  await options.onBlocks(blocksOf(message.content));
  if (options.sanitize === undefined || !Array.isArray(message.content)) return response;
  const content = sanitized(options.sanitize, message.content);
  return new Response(JSON.stringify({ ...message, content }), sameHeaders(response));
}
