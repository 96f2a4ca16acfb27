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

/** One answer of the scripted model: calls, or text. */
export interface Reply {
  readonly calls: readonly ScriptedCall[];
  readonly text: string;
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
  /** Whether a model answers requests to this path. */
  matches(path: string): boolean;
  isStream(path: string, body: Json): boolean;
  reply(response: ServerResponse, reply: Reply, body: Json): void;
  stream(response: ServerResponse, reply: Reply, body: Json): void;
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

export function sendEvents(response: ServerResponse, events: readonly string[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.map((event) => `${event}\n\n`).join(''));
}

export function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}

/** A text in the small pieces in which providers stream it. */
export function piecesOf(text: string): readonly string[] {
  return text.match(/.{1,7}/gs) ?? [];
}
