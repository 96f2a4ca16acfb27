import { type Fields, isFields } from '@sallyport/core/adapter';
import { parseJson } from '@sallyport/core/json';
import type { Output } from './output.ts';

const EVENT = /.*?(?:\r?\n\r?\n|\r\r)/gs;

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

function dataOf(event: string): string {
  const lines = event.split(/\r?\n|\r/).filter((line) => line.startsWith('data:'));
  return lines.map((line) => line.slice('data:'.length)).join('\n');
}

function written(events: readonly Fields[]): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
}

function sanitizedStream(output: Output): TransformStream<Uint8Array, Uint8Array> {
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
  let rest = '';
  const read = (text: string): string => {
    const event = objectIn(dataOf(text));
    return event === undefined ? text : written(output.take(event));
  };
  return new TransformStream({
    transform(chunk, controller) {
      rest += decoder.decode(chunk, { stream: true });
      const texts = rest.match(EVENT) ?? [];
      rest = rest.slice(texts.join('').length);
      const shown = texts.map(read).join('');
      if (shown !== '') controller.enqueue(encoder.encode(shown));
    },
    flush(controller) {
      const shown = `${rest === '' ? '' : read(rest)}${written(output.end())}`;
      if (shown !== '') controller.enqueue(encoder.encode(shown));
    },
  });
}

/** The reply for the application, without addresses that could carry data to strangers. */
export async function sanitizedReply(response: Response, output: Output, isStream: boolean): Promise<Response> {
  if (!response.ok || response.body === null) return response;
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  const init = { headers, status, statusText };
  if (isStream || headers.get('content-type')?.includes('event-stream') === true)
    return new Response(response.body.pipeThrough(sanitizedStream(output)), init);
  const text = await response.text();
  const body = objectIn(text);
  return new Response(body === undefined ? text : JSON.stringify(output.whole(body)), init);
}
