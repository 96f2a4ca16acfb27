import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  claim,
  isJson,
  responseTagger,
  type ServedRequest,
  type TagBody,
  type TagResponsesOptions,
} from './response-tagger.ts';

/** Middleware as Express 4 and 5 take it, and every framework on Node's own server. */
export type NodeMiddleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

type Ended = (() => void) | undefined;

function bytesOf(chunk: unknown, encoding: unknown): Uint8Array {
  return typeof chunk === 'string'
    ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
    : (chunk as Uint8Array);
}

/** Holds what an application writes until its content type is known, and a JSON body until it is complete. */
class HeldResponse {
  readonly #response: ServerResponse;
  readonly #original: Pick<ServerResponse, 'write' | 'end' | 'writeHead' | 'flushHeaders'>;
  readonly #request: ServedRequest;
  readonly #tag: TagBody;
  readonly #chunks: Uint8Array[] = [];

  constructor(response: ServerResponse, request: ServedRequest, tag: TagBody) {
    [this.#response, this.#request, this.#tag] = [response, request, tag];
    const { write, end, writeHead, flushHeaders } = response;
    this.#original = { write, end, writeHead, flushHeaders };
  }

  hold(): void {
    const response = this.#response;
    response.writeHead = ((status: number, ...given: unknown[]) => this.#writeHead(status, given)) as never;
    response.flushHeaders = () => {
      if (!this.#isHeld()) response.flushHeaders();
    };
    response.write = ((...given: unknown[]) => this.#write(given)) as never;
    response.end = ((...given: unknown[]) => this.#end(given)) as never;
  }

  /** The headers are set and not sent: after the body is tagged, its length is another. */
  #writeHead(status: number, given: readonly unknown[]): ServerResponse {
    const response = this.#response;
    response.statusCode = status;
    const [message] = given.filter((each) => typeof each === 'string');
    if (message !== undefined) response.statusMessage = message;
    const headers = given.find((each) => typeof each === 'object' && each !== null) ?? {};
    const pairs = Array.isArray(headers)
      ? Array.from({ length: headers.length / 2 }, (_, at) => [headers[2 * at], headers[2 * at + 1]])
      : Object.entries(headers);
    for (const [name, value] of pairs) response.setHeader(name, value);
    return response;
  }

  /** Whether the response is JSON. If not, the response gets its own methods back. */
  #isHeld(): boolean {
    const isHeld = isJson(this.#response.getHeader('content-type'));
    if (!isHeld) Object.assign(this.#response, this.#original);
    return isHeld;
  }

  #write(given: readonly unknown[]): boolean {
    if (!this.#isHeld()) return Reflect.apply(this.#original.write, this.#response, given);
    const [chunk, encoding] = given;
    this.#chunks.push(bytesOf(chunk, encoding));
    (given.find((each) => typeof each === 'function') as Ended)?.();
    return true;
  }

  #end(given: readonly unknown[]): ServerResponse {
    const response = this.#response;
    if (!this.#isHeld()) return Reflect.apply(this.#original.end, response, given);
    const [chunk, encoding] = given;
    if (chunk !== undefined && chunk !== null && typeof chunk !== 'function')
      this.#chunks.push(bytesOf(chunk, encoding));
    Object.assign(response, this.#original);
    const written = Buffer.concat(this.#chunks).toString('utf8');
    const { type, body } = this.#tag(this.#request, {
      body: written,
      encoding: response.getHeader('content-encoding'),
    });
    const done = given.find((each) => typeof each === 'function') as Ended;
    for (const name of ['content-length', 'content-encoding', 'etag']) response.removeHeader(name);
    if (body === '') return response.end(done);
    if (type === 'failed') response.statusCode = 500;
    response.setHeader('content-length', Buffer.byteLength(body));
    return response.end(body, done);
  }
}

/**
 * Middleware for Express that tags what others wrote in every JSON response, whether a route calls `json`, `send` or `end`. Mount
 * it before the routes, and compression before it.
 *
 * @example
 * ```ts
 * app.use(tagResponses({ fields: ['/title', '/comments'] }));
 * ```
 */
export function tagResponses(options: TagResponsesOptions = {}): NodeMiddleware {
  const tag = responseTagger(options);
  return (request, response, next) => {
    if (claim(response)) {
      const { originalUrl = request.url ?? '/' } = request as { originalUrl?: string };
      const path = originalUrl.split('?', 1)[0] as string;
      new HeldResponse(response, { method: request.method ?? 'GET', path }, tag).hold();
    }
    next();
  };
}
