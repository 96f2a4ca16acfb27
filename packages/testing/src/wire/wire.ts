import type { ServerResponse } from 'node:http';

/**
 * A JSON object.
 *
 * @example
 * ```ts
 * const given: Json = { to: 'bob@work.example', body: 'Hi' };
 * ```
 */
export type Json = Record<string, unknown>;

/** A call of the scripted model. */
export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Json;
}

/**
 * A tool that the provider ran while it wrote an answer. For a search, the application is shown only the results, not
 * the text of the pages. For code, the answer contains the whole output.
 *
 * @example
 * ```ts
 * const ran: ProvidedTool = { type: 'code', input: 'print(open("offer.txt").read())', output: 'Our account is DE02120300.' };
 * ```
 */
export interface ProvidedTool {
  readonly type: 'search' | 'code';
  /** The query, or the program. */
  readonly input: string;
  /** The address of a page that was found, or the output of the program. */
  readonly output: string;
}

/** One answer of the scripted model: results of the provider's tools, text and calls. */
export interface Reply {
  readonly provided: readonly ProvidedTool[];
  readonly calls: readonly ScriptedCall[];
  readonly text: string;
  /** Milliseconds before each piece of a streamed text. */
  readonly pause: number;
}

/**
 * One tool result in a request to the model.
 *
 * @example
 * ```ts
 * const last: ShownResult | undefined = model.requests.at(-1)?.results.at(-1);
 * ```
 */
export interface ShownResult {
  /** The id of the call; empty if the provider has none. */
  readonly id: string;
  readonly texts: readonly string[];
  /** The number of images or files that are sent with the texts. */
  readonly media: number;
}

/** A provider's wire format: how to read a request and write a reply. */
export interface Wire {
  /** Recognises the paths at which a model answers requests. */
  matches(path: string): boolean;
  isStream(path: string, body: Json): boolean;
  reply(response: ServerResponse, reply: Reply, body: Json): void;
  stream(response: ServerResponse, reply: Reply, body: Json): Promise<void>;
  /** The provider's overload error, after which the SDK retries. */
  readonly overloaded: number;
  resultsIn(body: Json): readonly ShownResult[];
  systemIn(body: Json): string;
  /** The messages one by one, as bytes. */
  messagesIn(body: Json): readonly string[];
}

export function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/** Sends a stream at once, or with a pause before each event that has a piece of text. */
export async function sendEvents(
  response: ServerResponse,
  events: readonly string[],
  { pause, piece }: { readonly pause: number; readonly piece: RegExp },
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let ready = '';
  for (const event of events) {
    if (pause > 0 && piece.test(event)) {
      response.write(ready);
      ready = '';
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    ready += `${event}\n\n`;
  }
  response.end(ready);
}

export function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}

/** A text in the small pieces in which providers stream it. */
export function piecesOf(text: string): readonly string[] {
  return text.match(/.{1,7}/gs) ?? [];
}
