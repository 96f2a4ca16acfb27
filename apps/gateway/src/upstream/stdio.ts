import { parseJson } from '@sallyport/core/json';
import type { Timer } from '@sallyport/core/stages';
import type { UpstreamAnswer, UpstreamMessage } from '@sallyport/mcp-proxy/http';
import { jsonAt, placeAt } from './place.ts';
import type { StartChild } from './process.ts';
import { SharedChild, type SharedRequest } from './shared.ts';
import { errorText } from './waiting.ts';

export interface StdioUpstreamOptions {
  readonly start: StartChild;
  /** Called with lines of standard error, and lines that are not messages. Untrusted, limited in length and number. */
  onLog?(line: string): void;
  /** @default the platform's */
  readonly timer?: Timer;
  /** A monotonic clock, in milliseconds. @default performance.now */
  readonly clock?: () => number;
}

const VERSION = 'io.modelcontextprotocol/protocolVersion';
/** Notifications that are not forwarded: the gateway is the child's client, has initialized it, has no roots and requests no progress. */
const KEPT = new Set(['notifications/initialized', 'notifications/roots/list_changed', 'notifications/progress']);

const REWRITTEN = [
  ['id'],
  ['method'],
  ['params', '_meta', 'progressToken'],
  ['params', 'requestId'],
  ['params', 'reason'],
];

async function* messagesOf(...texts: string[]): AsyncGenerator<UpstreamMessage> {
  for (const text of texts) yield { text };
}

function answerOf(status: number, messages: AsyncIterable<UpstreamMessage>, isStream: boolean): UpstreamAnswer {
  return { status, session: undefined, isStream, messages };
}

interface Read {
  readonly method?: unknown;
  readonly isRequest: boolean;
  readonly isModern: boolean;
}

function read(text: string): Read | undefined {
  try {
    const message: unknown = parseJson(text);
    if (typeof message !== 'object' || message === null || Array.isArray(message)) return undefined;
    // Throws if a field that will be rewritten occurs twice.
    for (const path of REWRITTEN) placeAt(text, ...path);
    const { id, method } = message as { readonly id?: unknown; readonly method?: unknown };
    const isModern = method === 'server/discover' || jsonAt(text, 'params', '_meta', VERSION) !== undefined;
    return { method, isRequest: typeof method === 'string' && id !== undefined, isModern };
  } catch {
    return undefined;
  }
}

/**
 * A server that runs as child processes, for one principal or for those who share it: one for the protocol with `initialize`, which
 * the gateway sends itself, and one for the protocol of 2026. Each starts with the first request.
 */
export class StdioUpstream {
  readonly #legacy: SharedChild;
  readonly #modern: SharedChild;

  constructor(options: StdioUpstreamOptions) {
    const onLog = (line: string): void => options.onLog?.(line);
    this.#legacy = new SharedChild({ ...options, era: 'legacy', onLog });
    this.#modern = new SharedChild({ ...options, era: 'modern', onLog });
  }

  /** Sends one message. If the child ends before it has answered, the answer is an error. */
  async post(text: string, request: SharedRequest): Promise<UpstreamAnswer> {
    const message = read(text);
    if (message === undefined)
      return answerOf(400, messagesOf(errorText('null', 'Send one JSON-RPC message at a time.', -32600)), false);
    const { method, isModern, isRequest } = message;
    const child = isModern ? this.#modern : this.#legacy;
    if (!isRequest) {
      // The child's requests never reach callers, so an answer from one is dropped.
      if (typeof method === 'string') this.#notify(child, method, text, request.caller);
      return answerOf(202, messagesOf(), false);
    }
    if (method !== 'initialize' || isModern) return answerOf(200, await child.request(text, request), true);
    const result = await this.#legacy.opened(request.signal);
    return answerOf(200, messagesOf(`{"jsonrpc":"2.0","id":${jsonAt(text, 'id')},"result":${result}}`), false);
  }

  /** The messages that the child sends by itself, for all listeners. Ends with the child. */
  async listen({ signal }: { readonly signal: AbortSignal }): Promise<UpstreamAnswer> {
    return answerOf(200, this.#legacy.listen(signal), true);
  }

  async close(): Promise<void> {
    await Promise.all([this.#legacy.close(), this.#modern.close()]);
  }

  #notify(child: SharedChild, method: string, text: string, caller: string | undefined): void {
    if (KEPT.has(method)) return;
    if (method !== 'notifications/cancelled') {
      child.tell(text);
      return;
    }
    const id = jsonAt(text, 'params', 'requestId');
    const reason = jsonAt(text, 'params', 'reason');
    // The notification need not name the protocol of the request.
    if (!this.#legacy.cancel(caller, id, reason)) this.#modern.cancel(caller, id, reason);
  }
}
