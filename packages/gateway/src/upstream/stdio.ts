import type { Timer } from '@sallyport/core/stages';
import type { UpstreamAnswer, UpstreamMessage } from './answer.ts';
import { jsonAt, placeAt } from './place.ts';
import type { ServerCommand } from './process.ts';
import { SharedChild, type SharedRequest } from './shared.ts';
import { errorText } from './waiting.ts';

export interface StdioUpstreamOptions extends ServerCommand {
  /** Lines of its standard error, and what it writes between its messages. Untrusted, bounded in length and number. */
  onLog?(line: string): void;
  /** @default the platform's */
  readonly timer?: Timer;
}

const VERSION = 'io.modelcontextprotocol/protocolVersion';
/** The gateway is the client of the child, and has said this already, or has no roots and asks for no progress of its own. */
const KEPT = new Set(['notifications/initialized', 'notifications/roots/list_changed', 'notifications/progress']);

const REWRITTEN = [
  ['id'],
  ['method'],
  ['params', '_meta', 'progressToken'],
  ['params', 'requestId'],
  ['params', 'reason'],
];

async function* said(...texts: string[]): AsyncGenerator<UpstreamMessage> {
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
    const message: unknown = JSON.parse(text);
    if (typeof message !== 'object' || message === null || Array.isArray(message)) return undefined;
    // What is ambiguous in a place that is written anew throws.
    for (const path of REWRITTEN) placeAt(text, ...path);
    const { id, method } = message as { readonly id?: unknown; readonly method?: unknown };
    const isModern = method === 'server/discover' || jsonAt(text, 'params', '_meta', VERSION) !== undefined;
    return { method, isRequest: typeof method === 'string' && id !== undefined, isModern };
  } catch {
    return undefined;
  }
}

/**
 * A server that is a child process, shared by the callers of one workspace. One child speaks the protocol with
 * `initialize`, which the gateway does itself, another the one since 2026; each is started when it is needed.
 */
export class StdioUpstream {
  readonly #legacy: SharedChild;
  readonly #modern: SharedChild;

  constructor(options: StdioUpstreamOptions) {
    const onLog = (line: string): void => options.onLog?.(line);
    this.#legacy = new SharedChild({ ...options, era: 'legacy', onLog });
    this.#modern = new SharedChild({ ...options, era: 'modern', onLog });
  }

  /** Sends one message. Where the child ends before it has answered, the answer is an error. */
  async post(text: string, request: SharedRequest): Promise<UpstreamAnswer> {
    const message = read(text);
    if (message === undefined)
      return answerOf(400, said(errorText('null', 'Send one JSON-RPC message at a time.', -32600)), false);
    const { method, isModern, isRequest } = message;
    const child = isModern ? this.#modern : this.#legacy;
    if (!isRequest) {
      // The child asks callers nothing, so an answer of theirs is nobody's.
      if (typeof method === 'string') this.#notify(child, method, text, request.caller);
      return answerOf(202, said(), false);
    }
    if (method !== 'initialize' || isModern) return answerOf(200, await child.request(text, request), true);
    const result = await this.#legacy.opened(request.signal);
    return answerOf(200, said(`{"jsonrpc":"2.0","id":${jsonAt(text, 'id')},"result":${result}}`), false);
  }

  /** What the child says by itself, to all who listen. Ends with the child. */
  async listen({ signal }: { readonly signal: AbortSignal }): Promise<UpstreamAnswer> {
    return answerOf(200, await this.#legacy.listen(signal), true);
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
    // Which protocol the request was of, the notification need not say.
    if (!this.#legacy.cancel(caller, id, reason)) this.#modern.cancel(caller, id, reason);
  }
}
