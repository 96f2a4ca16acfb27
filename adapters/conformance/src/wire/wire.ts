import type { ServerResponse } from 'node:http';

/** JSON of a request or a reply. */
export type Json = Record<string, unknown>;

/** A call as the scripted model makes it. */
export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Json;
}

/** One answer of the scripted model: calls, or words. */
export interface Reply {
  readonly calls: readonly ScriptedCall[];
  readonly text: string;
}

/** What a request shows the model of one tool result. */
export interface ShownResult {
  readonly id: string;
  readonly texts: readonly string[];
  /** The number of images or files that are sent with the texts. */
  readonly media: number;
}

/** A provider's wire format: how a request reads and a reply is written. */
export interface Wire {
  readonly name: string;
  /** Whether a path is one of this format's that a model answers. */
  matches(path: string): boolean;
  isStream(path: string, body: Json): boolean;
  reply(response: ServerResponse, reply: Reply, body: Json): void;
  stream(response: ServerResponse, reply: Reply, body: Json): void;
  /** How the provider says that it is overloaded, so that the SDK tries again. */
  readonly overloaded: number;
  resultsIn(body: Json): readonly ShownResult[];
  systemIn(body: Json): string;
  /** The messages one by one, each as its bytes. */
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
