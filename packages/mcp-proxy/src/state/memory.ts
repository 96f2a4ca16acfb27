import {
  type Ask,
  type BoundaryOptions,
  type CallApproval,
  type CheckOptions,
  type Conversation,
  createBoundary,
  type Decision,
  type Recorded,
  type Rules,
  type StoredHeldCall,
  source,
  type ToolCall,
} from '@sallyport/core';
import { causeName, digestText } from '@sallyport/core/adapter';
import { deriveKey, type Framed, type FrameKey } from '@sallyport/core/stages';
import type { ProxyEvent } from './event.ts';
import { type Flagged, type FoundSpan, passagesIn, spansIn } from './flagged.ts';
import type { Entry, MemoryLog } from './log.ts';
import { SharedLog } from './shared-log.ts';

/** Options of the conversations of a proxy. */
export interface MemoryOptions extends Omit<BoundaryOptions, 'key' | 'onEvent' | 'judge'> {
  /** At least 32 random bytes. With the same key a conversation has the same frames after a restart. */
  readonly key: Uint8Array;
  /** The key of the frames of definitions. Keep it, and listings are the same bytes after a restart. @default `key` */
  readonly definitionsKey?: Uint8Array;
  /**
   * Maximum characters that one conversation remembers. Beyond it, the content is dropped and every effect is asked
   * about.
   * @default 64000000
   */
  readonly maxRead?: number;
  /**
   * Maximum characters that all conversations remember. Beyond it, the least recently used ones are evicted.
   * @default unlimited
   */
  readonly maxReadTotal?: number;
  /**
   * The owner for approvals of scope `always`: a user of this server, since another server may have a tool of the same
   * name.
   * @default none: such approvals cannot be given
   */
  readonly owner?: string;
  /** Shares conversations with other processes. @default none: a conversation ends with the process */
  readonly log?: MemoryLog;
  /** Returns an unguessable id, such as `crypto.randomUUID`. */
  readonly randomId: () => string;
  /** Receives security-relevant events. @default none */
  readonly onEvent?: (event: ProxyEvent) => void;
  /** Receives the passages of read content that look like instructions. They contain content. @default none */
  readonly onFlagged?: (flagged: Flagged) => void;
  /** Receives the spans that the classifier found in read content. They contain content. @default none */
  readonly onSpans?: (spans: readonly FoundSpan[]) => void;
  /** Receives all content that is read, in its frames and with its spans. @default none */
  readonly onRead?: (recordId: string, framed: Framed, origin: Origin) => void;
}

const MAX_READ = 64_000_000;
/** The minimum count for a text or a call: each has a cost beyond its characters. */
const MIN_READ_COUNT = 1000;
/** The default of core's `limits.maxBytes`. */
const DEFAULT_MAX_BYTES = 100_000;
const BYTES_PER_UNIT = 3;
/** Core merges the parts of a record beyond this number. */
const MAX_PARTS = 256;

/** The origin of a text: a tool, or the server itself. */
export interface Origin {
  readonly id: string;
  readonly server: string;
  readonly tool: string | undefined;
}

/** The content of an answer: texts that are framed, and strings that stay unframed but count as read. */
export interface ReadContent {
  readonly texts: readonly string[];
  readonly bare: readonly string[];
}

/** The frame of each text. */
function textsOf(read: readonly Framed[]): readonly string[] {
  return read.flatMap(({ pieces }) => pieces.map(({ text }) => text));
}

/** An id by content, so that repeated content is one record. */
function contentId(content: ReadContent): string {
  // The prefix is stored in logs.
  return `said-${digestText(JSON.stringify([content.texts, content.bare])).slice(0, 32)}`;
}

/** Options for the check of a call in a memory. */
export interface MemoryCheck {
  /**
   * The policy, in place of that of the memory's options. It may change while the memory lasts.
   * @default that of the options
   */
  readonly gate?: CheckOptions['gate'];
  readonly ask?: Ask | undefined;
  readonly override?: CallApproval | undefined;
}

/** The decision after a person lets a denied call pass. A denial by a rule outside the policy's table stays. */
async function overridden(
  conversation: Conversation,
  decision: Decision,
  options: CheckOptions,
  override: CallApproval | undefined,
): Promise<Decision> {
  if (override === undefined || decision.outcome !== 'deny' || decision.scopes.length === 0) return decision;
  await conversation.approve(decision, override);
  return conversation.check(decision.call, options);
}

interface MemoryInit {
  /**
   * Set when an earlier memory of this conversation was evicted, so that its read content is unknown.
   * @default false
   */
  readonly hasForgotten?: boolean;
  /** Set it only if the memory sees all content from which a value could have come. @default false */
  readonly keepsFirstUse?: boolean;
  /** The name in the log. These names differ from those of all conversations. @default `conversation` and its id */
  readonly keptAs?: 'own' | 'definitions';
}

/** The content that one conversation has read through this proxy, which decides its calls. */
export class Memory {
  readonly id: string;
  readonly frameKey: FrameKey;
  readonly #options: MemoryOptions;
  readonly #keepsFirstUse: boolean;
  readonly #isOfDefinitions: boolean;
  readonly #log: SharedLog;
  #conversation: Promise<Conversation>;
  /** The records by which frames are recognised. Undefined until the first. */
  #records: Conversation | undefined;
  #readCount = 0;
  #hasForgotten: boolean;
  // The ids of repeated content that is already in the log.
  readonly #loggedIds = new Set<string>();

  constructor(id: string, options: MemoryOptions, init: MemoryInit = {}) {
    this.id = id;
    this.#keepsFirstUse = init.keepsFirstUse === true;
    this.#isOfDefinitions = init.keptAs === 'definitions';
    this.frameKey = deriveKey(options.key, id);
    this.#options = options;
    const { log, randomId } = options;
    const name = init.keptAs ?? `conversation ${id}`;
    this.#log = new SharedLog({ log, name, randomId, replay: (entry) => this.#replay(entry) });
    this.#hasForgotten = init.hasForgotten === true;
    this.#conversation = this.#begin();
  }

  #begin(): Promise<Conversation> {
    const { maxRead, maxReadTotal, log, randomId, owner, definitionsKey, onFlagged, onSpans, onRead, ...options } =
      this.#options;
    const forgotten: Rules[string] = ({ effect }) =>
      this.#hasForgotten && effect !== 'read'
        ? {
            outcome: 'ask',
            reason:
              'This conversation has read more than it remembers, so the origin of these values is unknown. Approve or reject the call.',
          }
        : undefined;
    const gate = { ...options.gate, keepsFirstUse: this.#keepsFirstUse, rules: { ...options.gate?.rules, forgotten } };
    const conversation = createBoundary({ ...options, gate }).conversation(this.id, {
      ...(owner !== undefined && { owner }),
    });
    this.#records = conversation;
    // The proxy does not see the host's prompt. It checks calls by the content that passes through it.
    return conversation.render([]).then(() => conversation);
  }

  /**
   * Records content that the model reads, and returns the frame of each text. Resolves when the log has it. One id
   * always gives the same frames.
   */
  async add(origin: Origin, content: ReadContent): Promise<readonly string[]> {
    const kept = this.#log.append({ type: 'read', ...origin, ...content });
    const [read] = await Promise.all([this.#record(origin, content), kept]);
    return textsOf(read);
  }

  /** Like `add` for repeated content, which is logged once. */
  async addOnce(origin: Omit<Origin, 'id'>, content: ReadContent): Promise<readonly string[]> {
    const id = contentId(content);
    const from = { id, ...origin };
    if (this.#loggedIds.has(id)) return textsOf(await this.#record(from, content));
    const frames = await this.add(from, content);
    this.#loggedIds.add(id);
    return frames;
  }

  /** Records content that was read. It is framed when its frames are first needed. */
  async #record(origin: Origin, { texts, bare }: ReadContent): Promise<readonly Framed[]> {
    const read = await this.#read(origin, texts);
    await this.#read({ ...origin, id: `${origin.id}-bare` }, this.#together(bare));
    return read;
  }

  /** Joins strings into texts that are below the size limit, so that no string is cut off by others. */
  #together(strings: readonly string[]): readonly string[] {
    const maxLength = Math.max(1, Math.floor((this.#options.limits?.maxBytes ?? DEFAULT_MAX_BYTES) / BYTES_PER_UNIT));
    const texts = [''];
    for (const each of strings) {
      if ((texts.at(-1) as string).length + each.length + 1 > maxLength) texts.push('');
      texts.push(`${texts.pop() ?? ''}${each.toWellFormed()}\n`);
    }
    return texts.filter((text) => text !== '');
  }

  async #read({ id, server, tool }: Origin, texts: readonly string[]): Promise<readonly Framed[]> {
    if (texts.length === 0) return [];
    this.#countRead(texts);
    const conversation = await this.#conversation;
    const read: Framed[] = [];
    let first: Recorded | undefined;
    for (let from = 0; from < texts.length; from += MAX_PARTS) {
      const content = texts.slice(from, from + MAX_PARTS).map((text) => ({ type: 'text' as const, text }));
      // The later parts of an answer have the same origin as the first.
      const rest = first === undefined ? { id } : { id: `${id}-${from}`, derivedFrom: [first] };
      const recorded =
        tool === undefined
          ? conversation.addContent({ ...rest, source: source('external', { name: server }), content })
          : conversation.addToolResult({ ...rest, tool, content });
      first ??= recorded;
      const framed = await conversation.frame(recorded);
      this.#reportFlagged(server, tool, framed);
      this.#options.onRead?.(rest.id, framed, { id, server, tool });
      const { parts } = framed.quoted;
      if (parts.length !== content.length)
        throw new RangeError(`Expected ${content.length} frames; received ${parts.length}.`);
      read.push(framed);
    }
    return read;
  }

  #reportFlagged(server: string, tool: string | undefined, framed: Framed): void {
    const passages = passagesIn(framed);
    if (passages.length > 0) this.#options.onFlagged?.({ server, tool, passages });
    const spans = this.#options.onSpans === undefined ? [] : spansIn(framed, server, tool);
    if (spans.length > 0) this.#options.onSpans?.(spans);
  }

  /** Characters that the conversation remembers. */
  get characters(): number {
    return this.#readCount;
  }

  #countRead(texts: readonly string[]): void {
    const { maxRead = MAX_READ } = this.#options;
    this.#readCount += texts.reduce((sum, { length }) => sum + Math.max(length, MIN_READ_COUNT), 0);
    if (this.#readCount > maxRead) this.#forget();
  }

  #forget(): void {
    this.#readCount = 0;
    this.#hasForgotten = true;
    this.#conversation = this.#begin();
    this.#loggedIds.clear();
  }

  /** Checks a call against all content that any process has recorded for this conversation so far. */
  async check(call: ToolCall, { override, ...options }: MemoryCheck = {}): Promise<Decision> {
    await this.catchUp();
    this.#countRead(['']);
    const conversation = await this.#conversation;
    return overridden(conversation, await conversation.check(call, options), options, override);
  }

  /**
   * Checks a call of another conversation. The call is not recorded here: the other conversation knows the origin of
   * its values.
   */
  async checkForAnother(call: ToolCall, caller: string, { override, ...given }: MemoryCheck = {}): Promise<Decision> {
    await this.catchUp();
    const conversation = await this.#conversation;
    const options = { ...given, ...this.#unrecorded(caller) };
    return overridden(conversation, await conversation.check(call, options), options, override);
  }

  /**
   * True for a question of the memory of definitions that rests on alarms alone: definitions are written in the
   * imperative.
   */
  ignores({ outcome, rules }: Decision): boolean {
    return this.#isOfDefinitions && outcome === 'ask' && rules.every((rule) => rule === 'alarm');
  }

  /** The held form of a call. Undefined if this memory does not ask about the call. */
  async heldCall(call: ToolCall, caller: string, gate?: CheckOptions['gate']): Promise<StoredHeldCall | undefined> {
    await this.catchUp();
    const conversation = await this.#conversation;
    const decision = await conversation.check(call, { ...this.#unrecorded(caller), gate });
    return decision.outcome === 'ask' && !this.ignores(decision) ? conversation.heldCall(decision) : undefined;
  }

  #unrecorded(caller: string): CheckOptions {
    return { record: false, ...(caller !== this.id && { conversation: caller }) };
  }

  /** Logs a call that was checked here. Resolves when it is durable, and only then may the call be made. */
  async recordCall({ id, tool, arguments: given }: ToolCall): Promise<void> {
    await this.#log.append({ type: 'call', id, tool, arguments: given });
  }

  /** Reads the entries that other processes have recorded. */
  catchUp(): Promise<void> {
    return this.#log.catchUp();
  }

  /** Records an entry of another process. If that fails, the origin of values is unknown from then on. */
  async #replay(entry: Entry | undefined): Promise<void> {
    if (entry === undefined) return this.#forget();
    try {
      if (entry.type === 'call') (await this.#conversation).recordCall(entry);
      else await this.#record({ ...entry, tool: entry.tool }, entry);
    } catch (cause) {
      this.#options.onEvent?.({ type: 'failed', operation: 'replay', cause: causeName(cause) });
      this.#forget();
    }
  }

  /** The content of a frame of this conversation, or undefined if the text is not one. */
  openFrame(text: string): string | undefined {
    const [part, ...more] = this.#records?.openFrame(text)?.parts ?? [];
    return more.length === 0 && part?.cut === undefined ? part?.text : undefined;
  }
}
