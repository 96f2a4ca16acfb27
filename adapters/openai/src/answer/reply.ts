import { fieldsOf, type ServerEvent, ServerEvents } from '@sallyport/core/adapter';
import { AnswerEvents } from './events.ts';
import { type Reading, readAnswer } from './read-answer.ts';

/** The lines of one server-sent event, in which its data is replaced. */
function withData(lines: readonly string[], data: string): string {
  const others = lines.filter((line) => !line.startsWith('data:'));
  return [...others, `data: ${data}`, '', ''].join('\n');
}

function parsed(data: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(data) as unknown };
  } catch {
    return undefined;
  }
}

/** Reads server-sent events whose texts can be shown. Data that is not JSON, such as the mark of the end, stays. */
class EventText {
  readonly #answer: AnswerEvents;
  readonly #events = new ServerEvents();

  constructor(reading: Reading) {
    this.#answer = new AnswerEvents(reading);
  }

  push(text: string): string {
    return this.#readAll(this.#events.push(text));
  }

  end(): string {
    return this.#readAll(this.#events.end()) + this.#held();
  }

  #readAll(events: readonly ServerEvent[]): string {
    return events.map((event) => this.#read(event)).join('');
  }

  #held(): string {
    return this.#written([], this.#answer.end());
  }

  /** The last of the events has the lines of the one that was read; others are written in the same way. */
  #written(lines: readonly string[], events: readonly unknown[]): string {
    const isNamed = lines.some((line) => line.startsWith('event:'));
    const written = events.map((event, index) => {
      const name = isNamed ? [`event: ${String(fieldsOf(event).type)}`] : [];
      return withData(index === events.length - 1 ? lines : name, JSON.stringify(event));
    });
    return written.join('');
  }

  #read({ text, lines, data }: ServerEvent): string {
    const read = parsed(data);
    if (read === undefined) return `${data.trim() === '[DONE]' ? this.#held() : ''}${text}`;
    return this.#written(lines, this.#answer.read(read.value));
  }
}

/** The same response with another body. */
function withBody({ status, statusText, headers, url }: Response, body: string | ReadableStream): Response {
  const kept = new Headers(headers);
  // These describe the bytes of the given body.
  for (const name of ['content-length', 'content-encoding']) kept.delete(name);
  const response = new Response(body, { status, statusText, headers: kept });
  return Object.defineProperty(response, 'url', { value: url });
}

function eventStream(body: ReadableStream<Uint8Array>, reading: Reading): ReadableStream {
  const text = new EventText(reading);
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const read = new TransformStream<Uint8Array, Uint8Array>({
    transform: async (chunk, controller) => {
      const shown = text.push(decoder.decode(chunk, { stream: true }));
      await reading.provided.flush();
      if (shown !== '') controller.enqueue(encoder.encode(shown));
    },
    flush: async (controller) => {
      const shown = text.push(decoder.decode()) + text.end();
      await reading.provided.flush();
      controller.enqueue(encoder.encode(shown));
    },
  });
  return body.pipeThrough(read);
}

/** A reply of the API with answers whose texts can be shown. An error stays unchanged. */
export async function readReply(response: Response, reading: Reading): Promise<Response> {
  const type = response.headers.get('content-type') ?? '';
  if (!response.ok || response.body === null) return response;
  if (type.includes('text/event-stream')) return withBody(response, eventStream(response.body, reading));
  if (!/[/+]json\b/.test(type)) return response;
  const text = await response.text();
  const read = parsed(text);
  if (read === undefined) return withBody(response, text);
  const shown = JSON.stringify(readAnswer(read.value, reading));
  await reading.provided.flush();
  return withBody(response, shown);
}
