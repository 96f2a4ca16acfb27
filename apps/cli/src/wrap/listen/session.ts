import type { ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { fieldsOf } from '@sallyport/core/adapter';
import { type JsonNode, memberOf, readJson, readValue } from '@sallyport/core/json';
import { eventText } from '@sallyport/mcp-proxy/http';
import { LineSink, readLines } from '../message-stream.ts';

/** Starts a wrapped server that reads from and writes to these streams. Resolves when it has ended. */
export type OpenServer = (streams: { readonly input: PassThrough; readonly output: PassThrough }) => Promise<unknown>;

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
/** Messages that wait for a stream. */
const MAX_WAITING = 1000;

/** A request of the client on its way: where its answer goes, and its own id, as it was written. */
interface OpenRequest {
  readonly response: ServerResponse;
  readonly id: string;
}

function splice(text: string, edits: readonly (readonly [JsonNode | undefined, string])[]): string {
  return edits
    .flatMap(([node, to]) => (node === undefined ? [] : [{ node, to }]))
    .toSorted((one, other) => other.node.start - one.node.start)
    .reduce((left, { node, to }) => left.slice(0, node.start) + to + left.slice(node.end), text);
}

/** One wrapped server and the HTTP streams of its clients. Every request has an id of its own here: clients choose the same ones. */
export class Session {
  readonly ended: Promise<unknown>;
  readonly #input = new PassThrough();
  readonly #sink = new LineSink(this.#input);
  readonly #open = new Map<string, OpenRequest>();
  readonly #waiting: string[] = [];
  #stream: ServerResponse | undefined;
  #count = 0;
  /** Milliseconds since 1970. */
  usedAt: number = Date.now();

  constructor(open: OpenServer) {
    const output = new PassThrough();
    this.ended = open({ input: this.#input, output });
    void readLines(output, async (line) => {
      if (line.type === 'line') this.#route(line.text);
    });
    void this.ended.finally(() => {
      for (const { response } of this.#open.values()) response.end();
      this.#stream?.end();
    });
  }

  get isIdle(): boolean {
    return this.#open.size === 0 && this.#stream === undefined;
  }

  /** Sends a client's message. The answer to a request is written to the response. */
  async send(text: string, response: ServerResponse): Promise<void> {
    this.usedAt = Date.now();
    const { root } = readJson(text);
    const params = memberOf(root, 'params');
    const id = memberOf(root, 'id');
    const isRequest = memberOf(root, 'method') !== undefined && id !== undefined;
    if (!isRequest) {
      const cancelled = memberOf(params, 'requestId');
      const own = this.#ownId(cancelled === undefined ? undefined : text.slice(cancelled.start, cancelled.end));
      this.#sink.write(splice(text, own === undefined ? [] : [[cancelled, own]]));
      response.writeHead(202).end();
      return this.#sink.drained();
    }
    const own = `${++this.#count}`;
    this.#open.set(own, { response, id: text.slice(id.start, id.end) });
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }).flushHeaders();
    response.on('close', () => this.#left(own));
    const token = memberOf(memberOf(params, '_meta'), 'progressToken');
    this.#sink.write(
      splice(text, [
        [id, own],
        [token, own],
      ]),
    );
    return this.#sink.drained();
  }

  /** The stream for messages that answer nothing. A new one replaces the one before. */
  listen(response: ServerResponse): void {
    this.usedAt = Date.now();
    this.#stream?.end();
    this.#stream = response;
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }).flushHeaders();
    for (const text of this.#waiting.splice(0)) response.write(eventText({ data: text }));
    response.on('close', () => {
      if (this.#stream === response) this.#stream = undefined;
    });
  }

  close(): void {
    this.#input.end();
  }

  #ownId(id: string | undefined): string | undefined {
    return [...this.#open].find(([, each]) => each.id === id)?.[0];
  }

  /** The client closed the connection of a request: in the protocol of 2026 that cancels it. */
  #left(own: string): void {
    if (!this.#open.delete(own)) return;
    this.#sink.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${own}}}`);
  }

  #route(text: string): void {
    const { root } = readJson(text);
    const id = memberOf(root, 'id');
    const isAnswer = memberOf(root, 'method') === undefined;
    const params = memberOf(root, 'params');
    const token = memberOf(params, 'progressToken') ?? memberOf(memberOf(params, '_meta'), SUBSCRIPTION);
    const key = isAnswer ? id : token;
    const own = key === undefined ? '' : String(readValue(text, key));
    const request = this.#open.get(own);
    if (request === undefined) {
      if (!isAnswer) this.#unrelated(text);
      return;
    }
    const restored = splice(text, [[key, request.id]]);
    request.response.write(eventText({ data: restored }));
    if (!isAnswer) return;
    this.#open.delete(own);
    request.response.end();
  }

  /** A message of the server itself: on the client's stream, or on any that is open. */
  #unrelated(text: string): void {
    const [first] = this.#open.values();
    const stream = this.#stream ?? first?.response;
    if (stream !== undefined) stream.write(eventText({ data: text }));
    else if (this.#waiting.length < MAX_WAITING) this.#waiting.push(text);
  }
}

/** The protocol version that a request of 2026 and later names itself. */
export function versionOf(message: unknown): unknown {
  return fieldsOf(fieldsOf(fieldsOf(message).params)._meta)['io.modelcontextprotocol/protocolVersion'];
}
