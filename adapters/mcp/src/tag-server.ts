import {
  BoundedMap,
  type Fields,
  fieldsOf,
  isFields,
  type JsonSchema,
  listOf,
  stringOf,
} from '@sallyport/core/adapter';
import type { TagRules, TagValue } from '@sallyport/fields';
import { ResultTagger } from './tag-result.ts';

/** A response of your server: of which kind, and the name of the tool or prompt or the address of the resource. */
export interface ServedResponse {
  readonly type: 'tool' | 'resource' | 'prompt';
  readonly name: string;
}

/** A response that was tagged. */
export interface TaggedResponse extends ServedResponse {
  /** How many texts and names were tagged. */
  readonly count: number;
  /** Set if an error was sent in its place, since it could not be tagged within its limits. */
  readonly isWithheld: boolean;
}

/** How the responses of a server are tagged. */
export interface TagOptions extends TagRules {
  /**
   * Says what others wrote in a response, as JSON pointers into the tool's or resource's JSON, or into the result of a prompt
   * (`/messages/1`); an empty list if nothing. Text that is not JSON is tagged as a whole.
   * @default everything is tagged, except ids and times by name and form, and what an output schema declares
   */
  readonly fields?: (response: ServedResponse) => readonly string[] | undefined;
  /** Called with every response that was tagged, and how many texts. @default nothing */
  readonly onTagged?: (response: TaggedResponse) => void;
}

/** A server of either SDK version, or the low-level server inside it. */
export interface ServerLike {
  connect(transport: never): Promise<void>;
}

type Watch = { readonly [K in 'fields' | 'onTagged']: TagOptions[K] | undefined };

interface Wire {
  send(message: unknown, options?: unknown): Promise<void>;
  onmessage?: ((message: unknown, extra?: unknown) => void) | undefined;
}

interface Request {
  readonly method: string;
  readonly params: Fields;
  readonly extra: unknown;
}

const MAX_WAITING = 10_000;
const MAX_PAGES = 100;
/** The ids of our own requests to the server, which is asked for its output schemas like by a client. */
const OWN_ID = 'sallyport/tools-list/';
const FAILED = { code: -32603, message: 'The response could not be tagged, so it was not sent.' };

function kindOf({ method }: Pick<Request, 'method'>, result: Fields): ServedResponse['type'] | undefined {
  if (method === 'resources/read' || Array.isArray(result.contents)) return 'resource';
  if (method === 'prompts/get' || Array.isArray(result.messages)) return 'prompt';
  return method === 'tools/call' || Array.isArray(result.content) ? 'tool' : undefined;
}

/** One connection of a tagged server: knows the requests, and tags their results. */
class TaggedConnection {
  readonly #wire: Wire;
  readonly #nextResponse: () => TagValue;
  readonly #options: Watch;
  readonly #requests = new BoundedMap<unknown, Request>(MAX_WAITING);
  readonly #tasks = new BoundedMap<string, string>(MAX_WAITING);
  readonly #schemas = new Map<string, JsonSchema | undefined>();
  #asked = 0;
  readonly #listing = new Map<unknown, (result: Fields) => void>();

  constructor(wire: Wire, nextResponse: () => TagValue, options: Watch) {
    [this.#wire, this.#nextResponse, this.#options] = [wire, nextResponse, options];
  }

  hear(message: unknown, extra: unknown): void {
    const { id, method, params } = fieldsOf(message);
    if (id !== undefined && typeof method === 'string')
      this.#requests.set(id, { method, params: fieldsOf(params), extra });
  }

  /** The message as it leaves the server; undefined if it answers a request of our own. */
  async leave(message: unknown): Promise<unknown> {
    const { id, result, error, method } = fieldsOf(message);
    if (id === undefined || method !== undefined) return message;
    const waiting = this.#listing.get(id);
    if (waiting !== undefined) return waiting(fieldsOf(result));
    const request = this.#requests.get(id) ?? { method: '', params: {}, extra: undefined };
    this.#requests.delete(id);
    if (error !== undefined || !isFields(result)) return message;
    try {
      return { ...fieldsOf(message), result: await this.#result(request, result) };
    } catch {
      // Nothing leaves untagged. The cause may hold the content, so it is not sent.
      return { jsonrpc: '2.0', id, error: FAILED };
    }
  }

  async #result(request: Request, result: Fields): Promise<Fields> {
    if (Array.isArray(result.tools)) return this.#list(result);
    const type = kindOf(request, result);
    if (type === undefined) return result;
    const name = this.#nameOf(request);
    const { taskId } = fieldsOf(result.task);
    if (typeof taskId === 'string') this.#tasks.set(taskId, name);
    const { fields, onTagged } = this.#options;
    const isTyped = type === 'tool' && result.structuredContent !== undefined;
    const schema = isTyped ? await this.#schemaOf(name, request) : undefined;
    const tagger = new ResultTagger({ tag: this.#nextResponse(), fields: fields?.({ type, name }), schema });
    const tagged = tagger[type](result);
    onTagged?.({ type, name, count: tagger.count, isWithheld: tagger.isWithheld });
    return tagged;
  }

  #nameOf({ params: { name, uri, taskId } }: Request): string {
    return stringOf(name) ?? stringOf(uri) ?? this.#tasks.get(stringOf(taskId) ?? '') ?? '';
  }

  /** A list of tools whose output schemas accept tagged values. */
  #list(result: Fields): Fields {
    const tools = listOf(result.tools).map((tool) => {
      const { name, outputSchema, ...rest } = fieldsOf(tool);
      if (typeof name !== 'string') return tool;
      const schema = isFields(outputSchema) ? outputSchema : undefined;
      const widened = schema && this.#widen(schema);
      this.#schemas.set(name, widened && schema);
      return { name, ...rest, ...(widened === undefined ? {} : { outputSchema: widened }) };
    });
    return { ...result, tools };
  }

  #widen(schema: JsonSchema): JsonSchema | undefined {
    try {
      const tagged = this.#nextResponse()(null, { schema, mode: 'typed' });
      return tagged.type === 'tagged' ? tagged.schema : undefined;
    } catch {
      // It declares the name of the notice. Without the schema, clients accept tagged values.
      return undefined;
    }
  }

  /** The output schema of a tool. A client may call a tool on a connection on which it never listed the tools. */
  async #schemaOf(name: string, request: Request): Promise<JsonSchema | undefined> {
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES && !this.#schemas.has(name); page++) {
      const result = await this.#ask(request, cursor);
      this.#list(result);
      cursor = stringOf(result.nextCursor);
      if (cursor === undefined) break;
    }
    return this.#schemas.get(name);
  }

  #ask({ params, extra }: Request, cursor: string | undefined): Promise<Fields> {
    const id = `${OWN_ID}${++this.#asked}`;
    // With protocol 2026-07-28 every request names its version and its client in `_meta`.
    const { progressToken: _, ...meta } = fieldsOf(params._meta);
    return new Promise((resolve) => {
      this.#listing.set(id, (result) => {
        this.#listing.delete(id);
        resolve(result);
      });
      const asked = { ...(cursor === undefined ? {} : { cursor }), _meta: meta };
      this.#wire.onmessage?.({ jsonrpc: '2.0', id, method: 'tools/list', params: asked }, extra);
    });
  }
}

const TAGGED = new WeakSet<object>();

/**
 * Makes a server tag every response on its way out, whichever handler made it. All ways to connect end at the low-level server,
 * so that is the one place.
 */
export function tagServer<S extends ServerLike>(server: S, nextResponse: () => TagValue, options: Watch): S {
  const { server: inner } = server as { server?: unknown };
  const target = (isFields(inner) && typeof inner.connect === 'function' ? inner : server) as {
    connect(transport: Wire): Promise<void>;
  };
  if (TAGGED.has(target)) return server;
  TAGGED.add(target);
  const connect = target.connect.bind(target);
  target.connect = (wire) => {
    const connection = new TaggedConnection(wire, nextResponse, options);
    const send = wire.send.bind(wire);
    const heard = wire.onmessage;
    // The transport itself is changed, not a copy: version 2 recognizes its own transports by identity.
    wire.send = async (message, more) => {
      const leaving = await connection.leave(message);
      if (leaving !== undefined) await send(leaving, more);
    };
    wire.onmessage = (message, extra) => {
      connection.hear(message, extra);
      heard?.(message, extra);
    };
    return connect(wire);
  };
  return server;
}
