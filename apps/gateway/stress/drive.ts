// Callers of a gateway: they read an attacker's text, then make the calls it asks for and calls of their own.
import { setTimeout as pause } from 'node:timers/promises';
import { canonicalJson, digestText } from '@sallyport/core/adapter';

/** The outcome of a call. */
export interface Outcome {
  readonly type: 'framed' | 'refused' | 'error' | 'bare' | 'broken';
  readonly text: string;
}

/** An answered call, which must have an audit record. */
export interface Answered {
  readonly tool: string;
  readonly digest: string;
  readonly type: Outcome['type'];
}

interface Reply {
  readonly result?: { readonly content?: readonly { readonly text?: string }[]; readonly _meta?: object };
  readonly error?: { readonly message?: string };
}

function outcomeOf(reply: Reply): Outcome {
  if (reply.error !== undefined) return { type: 'error', text: String(reply.error.message) };
  const text = (reply.result?.content ?? []).map((part) => part.text ?? '').join('\n');
  if (JSON.stringify(reply.result?._meta ?? {}).includes('sallyport/decision')) return { type: 'refused', text };
  return { type: /<untrusted [^>]*>/.test(text) ? 'framed' : 'bare', text };
}

/** The last message of a stream, or the single message. */
function lastMessage(body: string, type: string): Reply {
  if (!type.startsWith('text/event-stream')) return JSON.parse(body) as Reply;
  const data = body.split('\n').filter((line) => line.startsWith('data: '));
  return JSON.parse((data.at(-1) ?? 'data: {}').slice('data: '.length)) as Reply;
}

let ids = 0;

interface CallOptions {
  readonly origin: string;
  readonly key: string;
  readonly conversation?: string;
  readonly tool: string;
  readonly given: Readonly<Record<string, unknown>>;
}

/** Calls a tool like a client. */
async function call({ origin, key, conversation, tool, given }: CallOptions): Promise<Outcome> {
  const message = { jsonrpc: '2.0', id: ++ids, method: 'tools/call', params: { name: tool, arguments: given } };
  try {
    const response = await fetch(`${origin}/mcp/mail`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(conversation === undefined ? {} : { 'sallyport-conversation': conversation }),
      },
      body: JSON.stringify(message),
      signal: AbortSignal.timeout(30_000),
    });
    const body = await response.text();
    if (response.status !== 200) return { type: 'error', text: `${response.status} ${body.slice(0, 200)}` };
    return outcomeOf(lastMessage(body, response.headers.get('content-type') ?? ''));
  } catch (cause) {
    return { type: 'broken', text: String(cause) };
  }
}

/** Lists the tools once, so that they are pinned. */
export async function list(origin: string, key: string): Promise<void> {
  const response = await fetch(`${origin}/mcp/mail`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'tools/list', params: {} }),
  });
  const text = await response.text();
  if (!text.includes('"send"')) throw new Error(`The tools cannot be listed: ${response.status} ${text}`);
}

const MAX_TRIES = 60;
const RETRY_MILLISECONDS = 1000;

/** Callers that continue until they are stopped, and everything they have seen. */
export class Load {
  readonly answered: Answered[] = [];
  /** Conversations that have read an attacker's address. */
  readonly tainted: { readonly conversation: string; readonly to: string }[] = [];
  readonly outcomes = new Map<string, number>();
  readonly problems: string[] = [];
  readonly #origins: () => readonly string[];
  readonly #key: string;
  readonly #name: string;
  #isStopping = false;
  #workers: Promise<void>[] = [];

  constructor(name: string, key: string, origins: () => readonly string[]) {
    this.#name = name;
    this.#key = key;
    this.#origins = origins;
  }

  start(workers: number, extra: Readonly<Record<string, unknown>> = {}): void {
    this.#workers = Array.from({ length: workers }, (_, worker) => this.#work(worker, extra));
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#workers);
  }

  async #work(worker: number, extra: Readonly<Record<string, unknown>>): Promise<void> {
    for (let round = 0; !this.#isStopping; round++) {
      const conversation = `${this.#name}-${worker}-${round}`;
      const to = `eve-${conversation}@evil.example`;
      const read = await this.call(conversation, 'read', { poison: to, n: round, ...extra });
      if (read.type === 'framed') {
        this.tainted.push({ conversation, to });
        const sent = await this.call(conversation, 'send', { to });
        if (sent.type === 'framed') this.problems.push(`${conversation}: was sent where a stranger wanted it`);
      }
      // This conversation has not read the attacker's address.
      await this.call(`${conversation}-own`, 'send', { to: `bob-${conversation}@firm.example` });
    }
  }

  /** A call that is sent again as long as a replica has too much to do, or does not answer. */
  async callUntilAnswered(
    conversation: string,
    tool: string,
    given: Readonly<Record<string, unknown>>,
  ): Promise<Outcome> {
    for (let tries = 1; ; tries++) {
      const outcome = await this.call(conversation, tool, given);
      const isBusy = outcome.type === 'broken' || (outcome.type === 'error' && outcome.text.startsWith('503 '));
      if (!isBusy || tries === MAX_TRIES) return outcome;
      await pause(RETRY_MILLISECONDS);
    }
  }

  /** One call, on any running replica. */
  async call(conversation: string, tool: string, given: Readonly<Record<string, unknown>>): Promise<Outcome> {
    const origins = this.#origins();
    const origin = origins[Math.floor(Math.random() * origins.length)] as string;
    const outcome = await call({ origin, key: this.#key, conversation, tool, given });
    this.outcomes.set(outcome.type, (this.outcomes.get(outcome.type) ?? 0) + 1);
    if (outcome.type === 'bare') this.problems.push(`${conversation}: ${tool} was not framed: ${outcome.text}`);
    if (outcome.type === 'framed' || outcome.type === 'refused')
      this.answered.push({ tool, digest: digestText(canonicalJson(given)), type: outcome.type });
    return outcome;
  }
}
