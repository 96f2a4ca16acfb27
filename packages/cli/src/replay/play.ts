import {
  type Boundary,
  type Conversation,
  type Decision,
  type Effect,
  type Origin,
  type Recorded,
  source,
} from '@sallyport/core';
import type { Framed, Span } from '@sallyport/core/stages';
import type { Log, LogEntry } from './read/log.ts';
import type { LoggedTools } from './tools.ts';

/** Something that the model has read, with what the classifier found in it. */
export interface ReadEntry {
  readonly type: 'read';
  readonly recordId: string;
  /** Which part of the record. */
  readonly part: number;
  readonly origin: Origin;
  readonly name: string | undefined;
  readonly text: string;
  readonly spans: readonly Span[];
}

/** Something that the model wanted to do, and what the gate would have said. */
export interface CallEntry {
  readonly type: 'call';
  readonly effect: Effect;
  readonly decision: Decision;
}

export type PlayedEntry = ReadEntry | CallEntry | Extract<LogEntry, { type: 'words' | 'unclear' }>;

export interface Played {
  readonly id: string;
  readonly entries: readonly PlayedEntry[];
}

const _USER = source('user');
const SYSTEM = source('system');
const ATTACHED = source('external', { name: 'attachment' });

/** Plays one recorded conversation: everything is taken in in its order, every call is judged by what stood before it. */
class Player {
  readonly #conversation: Conversation;
  readonly #tools: LoggedTools;
  readonly #entries: PlayedEntry[] = [];
  // Calls that wait for their results, by the ids that the log gives.
  #pending: { readonly given: string; readonly id: string; readonly tool: string }[] = [];

  constructor(conversation: Conversation, tools: LoggedTools) {
    this.#conversation = conversation;
    this.#tools = tools;
  }

  async play({ id, entries }: Log): Promise<Played> {
    for (const [index, entry] of entries.entries()) await this.#take(entry, `entry-${index}`);
    return { id, entries: this.#entries };
  }

  async #take(entry: LogEntry, id: string): Promise<void> {
    switch (entry.type) {
      case 'words':
      case 'unclear':
        this.#entries.push(entry);
        return;
      case 'calls':
        return this.#judge(entry.calls, id);
      case 'policy':
        return this.#read(this.#conversation.addContent({ id, source: SYSTEM, content: entry.text }));
      case 'user':
        return this.#read(this.#conversation.addUserMessage(entry.content, { id }));
      case 'content':
        return this.#read(this.#conversation.addContent({ id, source: ATTACHED, content: entry.content }));
      case 'result': {
        const call = this.#callOf(entry.id, entry.tool);
        const tool = call?.tool ?? entry.tool;
        const named = tool === undefined ? {} : { tool: this.#tools.take(tool).name };
        return this.#read(this.#conversation.addContent({ id: call?.id ?? id, ...named, content: entry.content }));
      }
    }
  }

  /** By its id where the log gives one, else the next call of that tool. */
  #callOf(
    given: string | undefined,
    tool: string | undefined,
  ): { readonly id: string; readonly tool: string } | undefined {
    const at = this.#pending.findIndex((call) => (given === undefined ? call.tool === tool : call.given === given));
    return at < 0 ? undefined : this.#pending.splice(at, 1)[0];
  }

  async #read(recorded: Recorded): Promise<void> {
    const framed = await this.#conversation.frame(recorded);
    this.#entries.push(...shownIn(recorded, framed));
  }

  /** All calls of a turn are proposed before any is judged: they were chosen together. */
  async #judge(calls: Extract<LogEntry, { type: 'calls' }>['calls'], id: string): Promise<void> {
    await this.#conversation.request({ records: [] });
    const proposed = calls.map(({ id: given, tool, arguments: values }, index) => {
      const own = `${id}-${index}`;
      this.#tools.take(tool);
      this.#pending.push({ given, id: own, tool });
      return this.#conversation.recordCall({ id: own, tool, arguments: values });
    });
    for (const call of proposed) {
      const { effect } = this.#tools.take(call.tool);
      this.#entries.push({ type: 'call', effect, decision: await this.#conversation.check(call) });
    }
  }
}

function shownIn(recorded: Recorded, { quoted }: Framed): ReadEntry[] {
  return quoted.classified.parts.map(({ limited, verdict }, part) => ({
    type: 'read',
    recordId: recorded.id,
    part,
    origin: recorded.originOf(limited.part),
    name: recorded.source.name,
    text: limited.text,
    spans: verdict.type === 'checked' ? verdict.spans.filter(({ likelihood }) => likelihood !== 'none') : [],
  }));
}

export function play(log: Log, boundary: Boundary, tools: LoggedTools): Promise<Played> {
  return new Player(boundary.conversation(log.id === '' ? 'log' : log.id), tools).play(log);
}
