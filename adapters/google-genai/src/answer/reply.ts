import { type Fields, isFields, type ServerEvent, ServerEvents } from '@sallyport/core/adapter';
import { parseJson } from '@sallyport/core/json';
import type { Output } from './output.ts';

function objectIn(text: string): Fields | undefined {
  try {
    const value = parseJson(text);
    return isFields(value) ? value : undefined;
  } catch (error) {
    // The SDK itself reports malformed JSON.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function written(events: readonly Fields[]): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
}

/** Records what the provider's own tools returned inside an answer, so that it counts before a call of that answer is checked. */
export interface ReplyRecorder {
  record(reply: Fields): Promise<void>;
}

/** Options for reading a reply. */
export interface ReplyReading {
  /** Undefined if the texts stay as they are. */
  readonly output: Output | undefined;
  readonly recorder: ReplyRecorder;
}

function readStream({ output, recorder }: ReplyReading): TransformStream<Uint8Array, Uint8Array> {
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
  const events = new ServerEvents();
  const read = async ({ text, data }: ServerEvent): Promise<string> => {
    const event = objectIn(data);
    if (event === undefined) return text;
    await recorder.record(event);
    return output === undefined ? text : written(output.take(event));
  };
  return new TransformStream({
    async transform(chunk, controller) {
      let shown = '';
      for (const event of events.push(decoder.decode(chunk, { stream: true }))) shown += await read(event);
      if (shown !== '') controller.enqueue(encoder.encode(shown));
    },
    async flush(controller) {
      let shown = '';
      for (const event of events.end()) shown += await read(event);
      shown += written(output?.end() ?? []);
      if (shown !== '') controller.enqueue(encoder.encode(shown));
    },
  });
}

/** The reply for the application, without addresses that could carry data to strangers. */
export async function readReply(response: Response, reading: ReplyReading, isStream: boolean): Promise<Response> {
  if (!response.ok || response.body === null) return response;
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  const init = { headers, status, statusText };
  if (isStream || headers.get('content-type')?.includes('event-stream') === true)
    return new Response(response.body.pipeThrough(readStream(reading)), init);
  const text = await response.text();
  const body = objectIn(text);
  if (body === undefined) return new Response(text, init);
  const { output, recorder } = reading;
  await recorder.record(body);
  return new Response(output === undefined ? text : JSON.stringify(output.whole(body)), init);
}
