import type { Tool, ToolRegistry } from '../call/tool.ts';
import type { ToolBook } from '../call/tool-book.ts';
import type { Framed } from '../frame/frame.ts';
import type { Opened } from '../frame/open-frame.ts';
import { joinLabels } from '../label/label.ts';
import { source } from '../label/source.ts';
import type { ModelRequest, RequestOptions } from '../prompt/request.ts';
import type { Transcript } from '../provenance/transcript.ts';
import { type Content, surfaceOf } from '../record/part.ts';
import type { Recorded } from '../record/record.ts';
import type { TaskDefinition } from '../task/definition.ts';
import type { ContentInput, ToolResult, UserMessageOptions } from './admit.ts';
import type { Derivation } from './expectations.ts';
import type { History } from './history.ts';
import type { Intake } from './intake.ts';
import { contentOfMemory, type SavedMemory, saveMemory } from './memory.ts';
import type { Renderings } from './renderings.ts';
import type { Turn } from './turn.ts';

const USER = source('user');

/** What a conversation reads with. */
export interface InboundParts {
  readonly tools: ToolBook;
  readonly transcript: Transcript;
  readonly intake: Intake;
  readonly renderings: Renderings;
  readonly history: History;
}

/** The inbound side of one conversation: the content it has received, and how that content is shown to a model. */
export class Inbound {
  readonly #tools: ToolBook;
  readonly #transcript: Transcript;
  readonly #intake: Intake;
  readonly #renderings: Renderings;
  readonly #history: History;

  constructor({ tools, transcript, intake, renderings, history }: InboundParts) {
    [this.#tools, this.#transcript, this.#intake] = [tools, transcript, intake];
    [this.#renderings, this.#history] = [renderings, history];
  }

  /** The records of this conversation, in the order in which they were added. */
  get records(): readonly Recorded[] {
    return this.#intake.records;
  }

  /**
   * True once content was shown to a model, through request(), render() or frame(). Until then, and after restore(), every call
   * with an effect is denied: what the model has read is unknown.
   */
  get hasRendered(): boolean {
    return this.#transcript.hasSeen;
  }

  /** The tools that are declared to the boundary or to this conversation. */
  get tools(): ToolRegistry {
    return this.#tools;
  }

  /**
   * Declares tools to this conversation, in addition to those of its boundary. Adapters do this with the tools they are given.
   *
   * @example
   * ```ts
   * conversation.declareTools([defineTool({ name: 'read_mail', origin: 'external', effect: 'read' })]);
   * ```
   */
  declareTools(tools: readonly Tool[]): void {
    for (const tool of tools) this.#tools.add(tool);
  }

  /**
   * Adds a message that the user wrote. It is trusted and not framed: do not put other content into it.
   *
   * @example
   * ```ts
   * conversation.addUserMessage('Pay the invoice in my inbox.');
   * ```
   */
  addUserMessage(content: Content, options: UserMessageOptions = {}): Recorded {
    return this.#intake.add({ ...options, source: USER, content });
  }

  /**
   * Says what the user authorized, where the application knows it from a form or a button. It counts until the next call of task(). It is
   * not part of a snapshot: give it again after restore().
   *
   * @example
   * ```ts
   * conversation.task({ tools: ['pay'], values: [form.iban, form.amount] });
   * ```
   */
  task(definition: TaskDefinition): void {
    this.#transcript.give(definition);
  }

  /**
   * Adds the result of a tool call. Its trust is that of the tool's definition. The same content under the same id is the same
   * record.
   *
   * @example
   * ```ts
   * conversation.addToolResult({ id: call.id, tool: 'read_mail', content: { json: mails } });
   * ```
   */
  addToolResult(result: ToolResult): Recorded {
    return this.#intake.add(result);
  }

  /**
   * Adds content that did not come from a tool call: a retrieved document, a file, a message of another agent.
   *
   * @example
   * ```ts
   * conversation.addContent({ source: source('external', { name: 'example.com' }), content: page });
   * ```
   */
  addContent(input: ContentInput): Recorded {
    return this.#intake.add(input);
  }

  /**
   * Adds content that models read before all messages, such as the description of a tool that a server wrote. It is recorded when
   * something is shown next, so that a history that is replayed then counts as read after it. request() does not repeat it.
   *
   * @example
   * ```ts
   * conversation.addContentAhead({ source: source('external', { name: 'weather description' }), content: description });
   * ```
   */
  addContentAhead(input: ContentInput): void {
    this.#renderings.addAhead(input);
  }

  /**
   * Declares what the content that will arrive under an id was made from: the result of a script or of a sub-agent. If one of the
   * records holds an instruction to the model, or was not checked, the whole result is suspect.
   *
   * @example
   * ```ts
   * await conversation.declareDerivation('call-7', { derivedFrom: [page, mail] });
   * ```
   */
  async declareDerivation(id: string, derivation: Derivation): Promise<void> {
    const shown = await Promise.all(derivation.derivedFrom.map((recorded) => this.#renderings.frame(recorded)));
    this.#intake.declareDerivation(id, derivation, shown);
  }

  /**
   * Saves text that the agent writes for later: a memory, a summary, a note. It carries the label of everything that this
   * conversation showed to the model and the trust class of its words. Store it with storeMemory().
   *
   * @example
   * ```ts
   * const memory = conversation.saveMemory({ id: 'preferences', content: 'Alice prefers tea.' });
   * await database.put(memory.id, storeMemory(memory));
   * ```
   */
  saveMemory({ id, content }: { readonly id: string; readonly content: Content }): SavedMemory {
    const { id: cleanId, parts, labels } = this.#intake.cleanWords(id, content);
    const context = joinLabels([this.#renderings.context, ...labels]);
    const trust = this.#transcript.trustOf(parts.map(surfaceOf));
    return saveMemory({ id: cleanId, content: parts, context, derivedFrom: this.#renderings.shownIds, trust });
  }

  /**
   * Adds a saved memory, of this conversation or another one, under the label it was saved with.
   *
   * @example
   * ```ts
   * conversation.loadMemory(restoreMemory(await database.get('preferences'), onDoubt));
   * ```
   */
  loadMemory(memory: SavedMemory): Recorded {
    const recorded = this.#intake.add(contentOfMemory(memory));
    this.#transcript.lowerTrust(recorded.id, memory.trust);
    return recorded;
  }

  /**
   * Frames one record for a model: limited, classified, quoted, framed. It counts as shown.
   *
   * @example
   * ```ts
   * const { text } = await conversation.frame(conversation.addContent({ content: page }));
   * ```
   */
  frame(recorded: Recorded): Promise<Framed> {
    return this.#renderings.frame(recorded);
  }

  /**
   * The record that a frame shows, and the parts of it that are in the frame. Undefined unless the text is a frame of a record of
   * this conversation, with the content of that record: a frame of another conversation, and one that was changed, is plain text.
   *
   * @example
   * ```ts
   * const raw = conversation.openFrame(text)?.parts.map((part) => part.text).join('\n') ?? text;
   * ```
   */
  openFrame(text: string): Opened | undefined {
    return this.#intake.openFrame(text);
  }

  /**
   * Builds the request for a model, for agents with a loop of their own. Only new content is classified and framed. Call it again
   * before each step.
   *
   * @example
   * ```ts
   * const { system, entries } = await conversation.request({ policy: prompt`You are a mail assistant.` });
   * ```
   */
  request(options: RequestOptions = {}): Promise<ModelRequest> {
    return this.#renderings.request(options);
  }

  /**
   * Declares that a model of this conversation may read content that no history contains, such as what a search of its provider
   * finds: from now on, what the model has read is unknown.
   *
   * @example
   * ```ts
   * if (tools.some(({ type }) => type === 'web_search')) conversation.declareUnseen();
   * ```
   */
  declareUnseen(): void {
    this.#renderings.recordUnknown();
  }

  /**
   * Renders a history that a framework keeps, and returns for each turn what to show the model in its place: undefined if the
   * turn stays as it is. Only new turns are added; calls in the history are recorded in their order. Put READING_RULES into the
   * system message.
   *
   * @example
   * ```ts
   * const shown = await conversation.render(turns);
   * ```
   */
  render(turns: readonly Turn[]): Promise<readonly (Framed | undefined)[]> {
    return this.#history.render(turns);
  }
}
