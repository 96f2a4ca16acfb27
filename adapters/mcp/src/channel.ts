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
import { digestText } from '@sallyport/core/adapter';
import { type Call, callOf, isAnswer, isModern, keyOf, refusalOf } from './call.ts';
import { type Fields, fieldsOf, isFields, textOf } from './fields.ts';
import type { Intake } from './intake.ts';
import { labelSaidOf } from './label.ts';
import { META, withMeta, withoutMeta } from './meta.ts';
import { contentOf, errorContentOf, promptContentOf, resourceContentOf } from './part.ts';
import { unmarked } from './unmark.ts';

export interface ChannelSettings {
  readonly conversation: Conversation;
  readonly intake: Intake;
  readonly ask: Ask | undefined;
  readonly server: string;
  /** Of what a server says outside of calls. */
  readonly source: Source;
  /** The connections that are open, by the server's name. */
  readonly open: Map<string, Channel>;
  readonly name: (tool: string) => string;
  readonly isGate: boolean;
  /** A number that no other call of the conversation has. */
  readonly next: () => number;
}

/** A request that is out, and what becomes of its answer. */
interface Sent {
  /** What is written on the result. */
  readonly about: Fields;
  /** Where the answer is taken in; undefined where somebody else does that. */
  readonly into: Omit<ToolResult, 'content'> | Omit<ContentInput, 'content'> | undefined;
  readonly content: (result: unknown) => Content;
  /** Whether the request asked for a task, which alone may then be answered: the result comes later. */
  readonly isTask: boolean;
  /** Whether it is of the era in which a question may be answered. */
  readonly isModern: boolean;
  /** The request itself, where it is a call. */
  readonly call?: { readonly key: string; readonly made: Call };
}

/** Requests of a server in which its words go to a model or to a person. */
const SPEAKING: ReadonlySet<unknown> = new Set(['sampling/createMessage', 'elicitation/create']);

/** Where a result has words for a model, whatever else it says it is. */
const SAYING = ['content', 'structuredContent', 'contents', 'messages'] as const;

const UNREADABLE = { code: -32603, message: 'What the server answered could not be taken in.' };

/** One connection: what goes out of it, and what comes in. */
export class Channel {
  readonly #settings: ChannelSettings;
  readonly #sent = new Map<unknown, Sent>();
  // Calls on which somebody is still deciding.
  readonly #held = new Set<unknown>();
  // Calls that a server has answered with a question: their second leg was judged with the first.
  readonly #asked: { readonly key: string; readonly made: Call }[] = [];
  // Calls that a server runs in the background, by the id of the task.
  readonly #tasks = new Map<unknown, Sent>();

  constructor(settings: ChannelSettings) {
    this.#settings = settings;
  }

  /** What a message becomes on its way out: itself, an answer in its place, or nothing. */
  async leave(message: Fields, isGivenUp: () => boolean): Promise<{ forward?: Fields; answer?: Fields }> {
    const { id, method } = message;
    const params = fieldsOf(message.params);
    if (method === 'tools/call') return this.#leaveCall(message, params, isGivenUp);
    if (method === 'notifications/cancelled') {
      this.#sent.delete(params.requestId);
      // What never left needs no cancelling.
      if (this.#held.delete(params.requestId)) return {};
    }
    const sent = this.#read(method, params);
    if (id !== undefined && sent !== undefined) this.#sent.set(id, sent);
    return { forward: message };
  }

  async #leaveCall(message: Fields, params: Fields, isGivenUp: () => boolean): ReturnType<Channel['leave']> {
    const { server, name, isGate, next } = this.#settings;
    const { id } = message;
    const key = keyOf(params);
    const answered = isAnswer(params) ? this.#asked.findIndex((each) => each.key === key) : -1;
    const made = this.#asked.splice(answered, answered < 0 ? 0 : 1)[0]?.made ?? callOf(params, server, next());
    const tool = typeof made.tool === 'string' ? name(made.tool) : made.tool;
    if (isGate && answered < 0) {
      const decision = await this.#decide(id, { ...made, tool }, isGivenUp);
      if (decision === undefined) return {};
      if (decision.outcome !== 'allow') return { answer: refusalOf(message, decision) };
    }
    const into = isGate ? { id: made.id, tool } : undefined;
    const about = { server, tool: made.tool };
    this.#sent.set(id, { about, into, content: contentOf, call: { key, made }, ...this.#mayBe(params) });
    const isNamed = fieldsOf(params._meta)[META.call] !== undefined;
    return { forward: isNamed ? { ...message, params: withoutMeta(params, META.call) } : message };
  }

  /** The decision; undefined where whoever made the call has given it up meanwhile, and may have told the model so. */
  async #decide(id: unknown, call: Call, isGivenUp: () => boolean): Promise<Decision | undefined> {
    const { conversation, intake, ask } = this.#settings;
    this.#held.add(id);
    try {
      await intake.read();
      const decision = await conversation.check(call, { ask });
      return this.#held.has(id) && !isGivenUp() ? decision : undefined;
    } finally {
      this.#held.delete(id);
    }
  }

  /** What a server may answer in place of a result: otherwise it would keep its words out by one word of its own. */
  #mayBe(params: Fields): Pick<Sent, 'isTask' | 'isModern'> {
    return { isTask: params.task !== undefined, isModern: isModern(params) };
  }

  /** What is to be done with the answer to a request other than a call. */
  #read(method: unknown, params: Fields): Sent | undefined {
    const { server, source } = this.#settings;
    const mayBe = this.#mayBe(params);
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
          ...mayBe,
        };
      case 'prompts/get': {
        const { name, arguments: given } = params;
        return { about: { server, prompt: name }, into: into([name, given]), content: promptContentOf, ...mayBe };
      }
      case 'tasks/result': {
        // A task of an earlier connection is nobody's that is known here, but its words are the server's.
        const unknown = { about: { server }, into: into(params.taskId), content: contentOf };
        return { ...(this.#tasks.get(params.taskId) ?? unknown), ...mayBe };
      }
      default:
        return undefined;
    }
  }

  /** What a message becomes on its way in, once its words were read; undefined where it is not to be handed on. */
  arrive(message: unknown): unknown {
    if (!isFields(message)) return message;
    const clean = unmarked(message);
    const spoken = SPEAKING.has(clean.method) ? this.#spoken(clean) : clean;
    return 'result' in spoken || 'error' in spoken ? this.#answer(spoken) : spoken;
  }

  /** What two servers say under one name would be trusted alike. The same one may be connected to anew. */
  open(): void {
    const { open, server, isGate } = this.#settings;
    if (!isGate) return;
    if ((open.get(server) ?? this) !== this)
      throw new SallyportError(
        'ERR_INVALID_OPTION',
        `A transport for the server ${server} is open already: close it, or give each server a name of its own.`,
      );
    open.set(server, this);
  }

  /** Nobody waits for anything any more. */
  close(): void {
    const { open, server } = this.#settings;
    if (open.get(server) === this) open.delete(server);
    this.#held.clear();
    this.#sent.clear();
  }

  #answer(message: Fields): Fields | Promise<Fields> | undefined {
    const { id } = message;
    // Both SDKs take the answer to request 7 also when the server calls it "7", or "0x7".
    const key = this.#sent.has(id) || this.#held.has(id) ? id : Number(id);
    // Ids can be guessed: a server may answer a call that somebody is still deciding on.
    if (this.#held.has(key)) return undefined;
    const sent = this.#sent.get(key);
    if (sent === undefined) return message;
    this.#sent.delete(key);
    const unreadable = { jsonrpc: '2.0', id: key, error: UNREADABLE };
    try {
      const isQuestion = sent.isModern && fieldsOf(message.result).resultType === 'input_required';
      const read = this.#take(message, sent, isQuestion);
      const shown = this.#annotated(message, sent, isQuestion);
      // Whoever gets it may put it into the user's next message, and by then it is known whose words these are.
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

  /** Takes in what an answer says. A task or a question is none yet, but one that says more is taken at its word. */
  #take({ result, error }: Fields, sent: Sent, isQuestion: boolean): Promise<void> | undefined {
    const { into, content, call } = sent;
    const fields = fieldsOf(result);
    const taskId = sent.isTask ? textOf(fieldsOf(fields.task).taskId) : undefined;
    if (taskId !== undefined) this.#tasks.set(taskId, sent);
    if (isQuestion && call !== undefined) this.#asked.push(call);
    const isResult = taskId === undefined && !isQuestion;
    if (into === undefined || !(isResult || SAYING.some((name) => fields[name] !== undefined))) return undefined;
    const said = result === undefined ? errorContentOf(error) : content(result);
    return this.#settings.intake.take({ ...into, ...labelSaidOf(result), content: said });
  }

  #annotated(message: Fields, { about }: Sent, isQuestion: boolean): Fields {
    const { result } = message;
    if (!isFields(result)) return message;
    return { ...message, result: withMeta(isQuestion ? this.#questioned(result) : result, META.source, about) };
  }

  /** A request of the server, with its source beside its words. */
  #spoken<T extends Fields>(request: T): T {
    const params = withMeta(fieldsOf(request.params), META.source, { server: this.#settings.server });
    return { ...request, params };
  }

  #questioned(result: Fields): Fields {
    const { inputRequests } = result;
    if (!isFields(inputRequests)) return result;
    const entries = Object.entries(inputRequests).map(([key, request]) => [
      key,
      isFields(request) && SPEAKING.has(request.method) ? this.#spoken(request) : request,
    ]);
    return { ...result, inputRequests: Object.fromEntries(entries) };
  }
}
