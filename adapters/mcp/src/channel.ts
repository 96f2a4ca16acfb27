import {
  type Ask,
  type Content,
  type ContentInput,
  type Conversation,
  type Decision,
  SallyportError,
  type Source,
  type ToolResult,
} from '@sallyport/core';
import { digestText, type Fields, fieldsOf, isFields, stringOf } from '@sallyport/core/adapter';
import { type Call, callOf, isAnswer, isModern, keyOf, refusalOf } from './call.ts';
import type { Intake } from './intake.ts';
import { declaredLabelOf } from './label.ts';
import { META, withMeta, withoutMeta } from './meta.ts';
import { contentOf, errorContentOf, promptContentOf, resourceContentOf } from './part.ts';
import { unmarked } from './unmark.ts';

export interface ChannelSettings {
  readonly conversation: Conversation;
  readonly intake: Intake;
  readonly ask: Ask | undefined;
  readonly server: string;
  /** The source of the server's content outside of calls. */
  readonly source: Source;
  /** The connections that are open, by the server's name. */
  readonly open: Map<string, Channel>;
  readonly name: (tool: string) => string;
  readonly isGate: boolean;
  /** A number that no other call of the conversation has. */
  readonly next: () => number;
}

/** A request that was sent, and how its answer is handled. */
interface Sent {
  /** The source that is written into the `_meta` of the result. */
  readonly about: Fields;
  /** The record to which the answer is added; undefined if an adapter on the model's side adds it. */
  readonly into: Omit<ToolResult, 'content'> | Omit<ContentInput, 'content'> | undefined;
  readonly content: (result: unknown) => Content;
  /** Set if the request asked for a task: only then may the answer be a task whose result follows later. */
  readonly isTask: boolean;
  /** Set for the protocol in which the answer may be a question. */
  readonly isModern: boolean;
  /** The call, if the request is one. */
  readonly call?: { readonly key: string; readonly made: Call };
}

/** Requests of a server that show its words to a model or to a person. */
const SPEAKING: ReadonlySet<unknown> = new Set(['sampling/createMessage', 'elicitation/create']);

/** The members of a result that contain words for a model, whatever type the result has. */
const CONTENT_MEMBERS = ['content', 'structuredContent', 'contents', 'messages'] as const;

/** Without the cause: a client may show the message to a model. */
const UNREADABLE = { code: -32603, message: "The server's answer could not be read." };

/** One connection: checks what is sent, and records what is received. */
export class Channel {
  readonly #settings: ChannelSettings;
  readonly #sent = new Map<unknown, Sent>();
  // Calls that are being checked.
  readonly #held = new Set<unknown>();
  // Calls that a server has answered with a question. The call that repeats one with the answer is not checked again.
  readonly #asked: { readonly key: string; readonly made: Call }[] = [];
  // Calls that a server runs in the background, by the id of the task.
  readonly #tasks = new Map<unknown, Sent>();

  constructor(settings: ChannelSettings) {
    this.#settings = settings;
  }

  /** Handles a message before it is sent: it is forwarded, answered in place, or dropped. */
  async send(message: Fields, isCancelled: () => boolean): Promise<{ forward?: Fields; answer?: Fields }> {
    const { id, method } = message;
    const params = fieldsOf(message.params);
    if (method === 'tools/call') return this.#sendCall(message, params, isCancelled);
    if (method === 'notifications/cancelled') {
      this.#sent.delete(params.requestId);
      // A call that was not sent needs no cancelling.
      if (this.#held.delete(params.requestId)) return {};
    }
    const sent = this.#read(method, params);
    if (id !== undefined && sent !== undefined) this.#sent.set(id, sent);
    return { forward: message };
  }

  async #sendCall(message: Fields, params: Fields, isCancelled: () => boolean): ReturnType<Channel['send']> {
    const { server, name, isGate, next } = this.#settings;
    const { id } = message;
    const key = keyOf(params);
    const answered = isAnswer(params) ? this.#asked.findIndex((each) => each.key === key) : -1;
    const made = this.#asked.splice(answered, answered < 0 ? 0 : 1)[0]?.made ?? callOf(params, server, next());
    const tool = typeof made.tool === 'string' ? name(made.tool) : made.tool;
    if (isGate && answered < 0) {
      const decision = await this.#check(id, { ...made, tool }, isCancelled);
      if (decision === undefined) return {};
      if (decision.outcome !== 'allow') return { answer: refusalOf(message, decision) };
    }
    const into = isGate ? { id: made.id, tool } : undefined;
    const about = { server, tool: made.tool };
    this.#sent.set(id, { about, into, content: contentOf, call: { key, made }, ...this.#answerTypes(params) });
    const isNamed = fieldsOf(params._meta)[META.call] !== undefined;
    return { forward: isNamed ? { ...message, params: withoutMeta(params, META.call) } : message };
  }

  /** The decision; undefined if the caller has cancelled the call meanwhile, and may have told the model so. */
  async #check(id: unknown, call: Call, isCancelled: () => boolean): Promise<Decision | undefined> {
    const { conversation, intake, ask } = this.#settings;
    this.#held.add(id);
    try {
      await intake.read();
      const decision = await conversation.check(call, { ask });
      return this.#held.has(id) && !isCancelled() ? decision : undefined;
    } finally {
      this.#held.delete(id);
    }
  }

  /** The answers allowed in place of a result. Otherwise a server could hide its words by declaring another type. */
  #answerTypes(params: Fields): Pick<Sent, 'isTask' | 'isModern'> {
    return { isTask: params.task !== undefined, isModern: isModern(params) };
  }

  /** How the answer to a request other than a call is handled. */
  #read(method: unknown, params: Fields): Sent | undefined {
    const { server, source } = this.#settings;
    const answerTypes = this.#answerTypes(params);
    const into = (what: unknown): Sent['into'] => {
      const id = `mcp-${digestText(`${server} ${method} ${JSON.stringify(what)}`).slice(0, 32)}`;
      return { id, source };
    };
    switch (method) {
      case 'resources/read':
        return {
          about: { server, resource: params.uri },
          into: into(params.uri),
          content: resourceContentOf,
          ...answerTypes,
        };
      case 'prompts/get': {
        const { name, arguments: given } = params;
        return { about: { server, prompt: name }, into: into([name, given]), content: promptContentOf, ...answerTypes };
      }
      case 'tasks/result': {
        // The call of a task from an earlier connection is not known, but its words are the server's.
        const unknown = { about: { server }, into: into(params.taskId), content: contentOf };
        return { ...(this.#tasks.get(params.taskId) ?? unknown), ...answerTypes };
      }
      default:
        return undefined;
    }
  }

  /** The message that the client receives, once its words are recorded; undefined if it receives none. */
  receive(message: unknown): unknown {
    if (!isFields(message)) return message;
    const clean = unmarked(message);
    const labelled = SPEAKING.has(clean.method) ? this.#withSource(clean) : clean;
    return 'result' in labelled || 'error' in labelled ? this.#answer(labelled) : labelled;
  }

  /** Rejects a second open connection with the same server name: the content of both would be trusted alike. */
  open(): void {
    const { open, server, isGate } = this.#settings;
    if (!isGate) return;
    if ((open.get(server) ?? this) !== this)
      throw new SallyportError(
        'ERR_INVALID_OPTION',
        `\`server\` must be unique among open transports; ${JSON.stringify(server)} is open already. Close it, or use another name.`,
      );
    open.set(server, this);
  }

  /** Forgets all open requests. */
  close(): void {
    const { open, server } = this.#settings;
    if (open.get(server) === this) open.delete(server);
    this.#held.clear();
    this.#sent.clear();
  }

  #answer(message: Fields): Fields | Promise<Fields> | undefined {
    const { id } = message;
    // Both SDKs accept the answer to request 7 under the id "7" or "0x7".
    const key = this.#sent.has(id) || this.#held.has(id) ? id : Number(id);
    // Ids can be guessed: a server may answer a call that is still being checked.
    if (this.#held.has(key)) return undefined;
    const sent = this.#sent.get(key);
    if (sent === undefined) return message;
    this.#sent.delete(key);
    const unreadable = { jsonrpc: '2.0', id: key, error: UNREADABLE };
    try {
      const isQuestion = sent.isModern && fieldsOf(message.result).resultType === 'input_required';
      const read = this.#take(message, sent, isQuestion);
      const shown = this.#annotated(message, sent, isQuestion);
      // The client waits for the reading: it may put the content into the user's next message.
      return (
        read?.then(
          () => shown,
          () => unreadable,
        ) ?? shown
      );
    } catch {
      return unreadable;
    }
  }

  /** Records the content of an answer. A task or a question has none yet, unless it contains members of a result. */
  #take({ result, error }: Fields, sent: Sent, isQuestion: boolean): Promise<void> | undefined {
    const { into, content, call } = sent;
    const fields = fieldsOf(result);
    const taskId = sent.isTask ? stringOf(fieldsOf(fields.task).taskId) : undefined;
    if (taskId !== undefined) this.#tasks.set(taskId, sent);
    if (isQuestion && call !== undefined) this.#asked.push(call);
    const isResult = taskId === undefined && !isQuestion;
    const hasContent = isResult || CONTENT_MEMBERS.some((name) => fields[name] !== undefined);
    if (into === undefined || !hasContent) return undefined;
    const received = result === undefined ? errorContentOf(error) : content(result);
    return this.#settings.intake.take({ ...into, ...declaredLabelOf(result), content: received });
  }

  #annotated(message: Fields, { about }: Sent, isQuestion: boolean): Fields {
    const { result } = message;
    if (!isFields(result)) return message;
    return { ...message, result: withMeta(isQuestion ? this.#withSources(result) : result, META.source, about) };
  }

  /** A request of the server, with its source in `_meta`. */
  #withSource<T extends Fields>(request: T): T {
    const params = withMeta(fieldsOf(request.params), META.source, { server: this.#settings.server });
    return { ...request, params };
  }

  #withSources(result: Fields): Fields {
    const { inputRequests } = result;
    if (!isFields(inputRequests)) return result;
    const entries = Object.entries(inputRequests).map(([key, request]) => [
      key,
      isFields(request) && SPEAKING.has(request.method) ? this.#withSource(request) : request,
    ]);
    return { ...result, inputRequests: Object.fromEntries(entries) };
  }
}
