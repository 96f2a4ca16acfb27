import { META } from '@sallyport/mcp-proxy';

/** A client of the mail server behind a gateway. */
export class Agent {
  readonly #origin: string;
  readonly #key: string;
  readonly #conversation: string | undefined;
  #session: string | undefined;
  #ids = 0;

  private constructor(origin: string, key: string, conversation: string | undefined) {
    this.#origin = origin;
    this.#key = key;
    this.#conversation = conversation;
  }

  /** One that has listed the tools and read the mail, in a conversation if one is named. */
  static async connect(origin: string, key: string, conversation?: string): Promise<Agent> {
    const agent = new Agent(origin, key, conversation);
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    await agent.#post('initialize', params);
    await agent.#post('tools/list', {});
    await agent.call('read', {});
    return agent;
  }

  async #post(method: string, given: object): Promise<string> {
    const named = this.#conversation === undefined ? {} : { _meta: { [META.conversation]: this.#conversation } };
    const response = await fetch(`${this.#origin}/mcp/mail`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.#key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(this.#session === undefined ? {} : { 'mcp-session-id': this.#session }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: ++this.#ids, method, params: { ...given, ...named } }),
    });
    this.#session ??= response.headers.get('mcp-session-id') ?? undefined;
    return response.text();
  }

  /** The text of the answer. */
  call(name: string, given: object): Promise<string> {
    return this.#post('tools/call', { name, arguments: given });
  }
}
