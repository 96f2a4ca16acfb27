import {
  type Ask,
  type BoundaryOptions,
  type Conversation,
  createBoundary,
  type Decision,
  type Recorded,
  type Rules,
  type Source,
  source,
  type ToolCall,
} from '@sallyport/core';
import { digestText } from '@sallyport/core/adapter';
import { deriveKey, type FrameKey, openFrame } from '@sallyport/core/stages';
import { type Entry, type MemoryLog, readKept } from './log.ts';

export interface MemoryOptions extends Omit<BoundaryOptions, 'key'> {
  readonly key: Uint8Array;
  /** Characters that one conversation remembers. Beyond, it is forgotten, and every effect is asked about. @default 64 million */
  readonly mostRead?: number;
  /** Where other processes look up what was read here. @default nowhere: a conversation ends with the process */
  readonly log?: MemoryLog;
  /** Unguessable texts. */
  readonly randomId: () => string;
}

const MAX_READ = 64_000_000;
/** What the shortest text, and a call, are counted for: they cost more than their characters. */
const MIN_COUNT = 1000;
/** Core's own limit of a text, where none is given. */
const MIN_LIMIT_SIZE = 100_000;
const BYTES_PER_UNIT = 3;
/** Core makes one of all parts beyond this. */
const MAX_PARTS = 256;

/** Where texts come from: from a tool, or from its server beside any. */
export interface Origin {
  readonly id: string;
  readonly server: string;
  readonly tool: string | undefined;
}

/** What an answer says: texts that are framed, and strings that stay as they are and are read all the same. */
export interface Said {
  readonly texts: readonly string[];
  readonly bare: readonly string[];
}

/** An id for what is told again and again: the same words are one record. */
function idOfSaid(said: Said): string {
  return `said-${digestText(JSON.stringify([said.texts, said.bare])).slice(0, 32)}`;
}

interface Manner {
  /** It had a life before, and nobody knows what it has read. @default false */
  readonly hasForgotten?: boolean;
  /** Only where everything is known that a value could have been read in. @default false */
  readonly keepsFirstUse?: boolean;
  /** Under which name it is kept. No conversation has one of these. @default `conversation` and its id */
  readonly keptAs?: 'own' | 'definitions';
}

/** What one conversation of the host has read through this proxy, and what it may do for that reason. */
export class Memory {
  readonly id: string;
  readonly frameKey: FrameKey;
  readonly #options: MemoryOptions;
  readonly #keepsFirstUse: boolean;
  readonly #keptAs: string;
  #conversation: Promise<Conversation>;
  #read = 0;
  #hasForgotten: boolean;
  // How far the log was read, and what this process has written to it behind that.
  #seen = 0;
  readonly #own = new Set<string>();
  // What is told again and again, and is kept already.
  readonly #told = new Set<string>();
  #reading: Promise<unknown> = Promise.resolve();
  #nextReading: Promise<void> | undefined;

  constructor(id: string, options: MemoryOptions, manner: Manner = {}) {
    this.id = id;
    this.#keepsFirstUse = manner.keepsFirstUse === true;
    this.#keptAs = manner.keptAs ?? `conversation ${id}`;
    this.frameKey = deriveKey(options.key, id);
    this.#options = options;
    this.#hasForgotten = manner.hasForgotten === true;
    this.#conversation = this.#begin();
  }

  #begin(): Promise<Conversation> {
    const { mostRead, log, randomId, ...options } = this.#options;
    const forgotten: Rules[string] = ({ effect }) =>
      this.#hasForgotten && effect !== 'read'
        ? {
            outcome: 'ask',
            reason:
              'More was read than is remembered, so nobody knows whose words these are. Approve or reject the call.',
          }
        : undefined;
    const gate = { ...options.gate, keepsFirstUse: this.#keepsFirstUse, rules: { ...options.gate?.rules, forgotten } };
    const conversation = createBoundary({ ...options, gate }).conversation(this.id);
    // What stands before a server's words, the proxy never sees: it judges by what passes through it.
    return conversation.render([]).then(() => conversation);
  }

  /** Takes in what the model reads, and gives the frame of each text. The same under one id has the same frames. Ends when it is kept. */
  async take(origin: Origin, said: Said): Promise<readonly string[]> {
    const kept = this.#keep({ type: 'read', ...origin, ...said });
    const [frames] = await Promise.all([this.#take(origin, said), kept]);
    return frames;
  }

  /** The same for what comes again and again, under an id that says what it is: kept once. */
  async takeOnce(origin: Omit<Origin, 'id'>, said: Said): Promise<readonly string[]> {
    const id = idOfSaid(said);
    const from = { id, ...origin };
    if (this.#told.has(id)) return this.#take(from, said);
    const frames = await this.take(from, said);
    this.#told.add(id);
    return frames;
  }

  async #take({ id, server, tool }: Origin, { texts, bare }: Said): Promise<readonly string[]> {
    const from = tool === undefined ? { source: source('external', { name: server }) } : { tool };
    const frames = await this.#frames({ id, ...from }, texts);
    await this.#frames({ id: `${id}-bare`, ...from }, this.#together(bare));
    return frames;
  }

  /** Strings in texts that no limit cuts: none can be hidden behind others. */
  #together(strings: readonly string[]): readonly string[] {
    const longest = Math.max(1, Math.floor((this.#options.limits?.maxBytes ?? MIN_LIMIT_SIZE) / BYTES_PER_UNIT));
    const texts = [''];
    for (const each of strings) {
      if ((texts.at(-1) as string).length + each.length + 1 > longest) texts.push('');
      texts.push(`${texts.pop() ?? ''}${each.toWellFormed()}\n`);
    }
    return texts.filter((text) => text !== '');
  }

  async #frames(
    origin: { readonly id: string } & ({ readonly tool: string } | { readonly source: Source }),
    texts: readonly string[],
  ): Promise<readonly string[]> {
    if (texts.length === 0) return [];
    this.#remember(texts);
    const conversation = await this.#conversation;
    const frames: string[] = [];
    let first: Recorded | undefined;
    for (let from = 0; from < texts.length; from += MAX_PARTS) {
      const content = texts.slice(from, from + MAX_PARTS).map((text) => ({ type: 'text' as const, text }));
      // The rest of an answer has what the answer has: whose words led to its call.
      const rest = first === undefined ? {} : { id: `${origin.id}-${from}`, derivedFrom: [first] };
      const recorded =
        'tool' in origin
          ? conversation.addToolResult({ ...origin, ...rest, content })
          : conversation.addContent({ ...origin, ...rest, content });
      first ??= recorded;
      const { pieces } = await conversation.frame(recorded);
      if (pieces.length !== content.length) throw new RangeError('A frame for each text, or none.');
      frames.push(...pieces.map(({ text }) => text));
    }
    return frames;
  }

  #remember(texts: readonly string[]): void {
    const { mostRead = MAX_READ } = this.#options;
    this.#read += texts.reduce((sum, { length }) => sum + Math.max(length, MIN_COUNT), 0);
    if (this.#read > mostRead) this.#forget();
  }

  #forget(): void {
    this.#read = 0;
    this.#hasForgotten = true;
    this.#conversation = this.#begin();
    this.#told.clear();
  }

  /** What the gate says to a call, by all that any process has taken in for this conversation until now. */
  async decide(use: ToolCall, ask?: Ask): Promise<Decision> {
    await this.#catchUp();
    this.#remember(['']);
    return (await this.#conversation).check(use, { ask });
  }

  /** The same for a call of another conversation: where its values are from is known there, so that none counts as used first here. */
  async decideForAnother(use: ToolCall, ask?: Ask): Promise<Decision> {
    await this.#catchUp();
    return (await this.#conversation).check(use, { ask, record: false });
  }

  /** Notes a call that was judged here. Ends when it is kept: before that, nothing may follow from it. */
  async keepCall({ id, tool, arguments: given }: ToolCall): Promise<void> {
    await this.#keep({ type: 'call', id, tool, arguments: given });
  }

  async #keep(entry: Entry): Promise<void> {
    const { log, randomId } = this.#options;
    if (log === undefined) return;
    const key = randomId();
    // Known before it is kept: it may be read before whoever wrote it is told.
    this.#own.add(key);
    await log.append(this.#keptAs, { key, entry });
  }

  /** Whoever comes while the log is being read waits for the reading after that: this one may have begun too early for him. */
  #catchUp(): Promise<void> {
    const { log } = this.#options;
    if (log === undefined) return Promise.resolve();
    this.#nextReading ??= this.#reading.then(() => {
      this.#nextReading = undefined;
      return this.#readLog(log);
    });
    this.#reading = this.#nextReading.catch(() => undefined);
    return this.#nextReading;
  }

  async #readLog(log: MemoryLog): Promise<void> {
    for (const { at, kept: value } of await log.since(this.#keptAs, this.#seen)) {
      const kept = readKept(value);
      if (kept === undefined) this.#forget();
      else if (!this.#own.delete(kept.key)) await this.#replay(kept.entry);
      this.#seen = at;
    }
  }

  /** What another process has taken in. What cannot be taken in here leaves a gap, and then nobody knows whose words are whose. */
  async #replay(entry: Entry): Promise<void> {
    try {
      if (entry.type === 'call') (await this.#conversation).recordCall(entry);
      else await this.#take({ ...entry, tool: entry.tool }, entry);
    } catch {
      this.#forget();
    }
  }

  /** The content of a frame of this conversation that a client hands back; undefined where a text is none. */
  opened(text: string): string | undefined {
    const opened = openFrame(text, this.frameKey);
    return opened?.whole === true && opened.texts.length === 1 ? opened.texts[0] : undefined;
  }
}
