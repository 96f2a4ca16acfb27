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

/** Content that the model read, with the spans that the classifier found in it. */
export interface ReadEntry {
  readonly type: 'read';
  readonly recordId: string;
  /** Index of the part within the record. */
  readonly part: number;
  readonly origin: Origin;
  readonly name: string | undefined;
  readonly text: string;
  readonly spans: readonly Span[];
}

/** A call of the model, and the decision of the gate. */
export interface CallEntry {
  readonly type: 'call';
  /** The id of the call in the log. */
  readonly logId: string;
  readonly effect: Effect;
  readonly decision: Decision;
}

export type PlayedEntry = ReadEntry | CallEntry | Extract<LogEntry, { type: 'words' | 'unclear' }>;

export interface Played {
  readonly id: string;
  readonly entries: readonly PlayedEntry[];
}

const SYSTEM = source('system');
const ATTACHED = source('external', { name: 'attachment' });

/** Replays one recorded conversation: adds its content in order, and checks every call against the content before it. */
class Player {
  readonly #conversation: Conversation;
  readonly #tools: LoggedTools;
  readonly #entries: PlayedEntry[] = [];
  // Calls without a result so far. `logId` is the id in the log, which may not be unique.
  #pending: { readonly logId: string; readonly id: string; readonly tool: string }[] = [];

  constructor(conversation: Conversation, tools: LoggedTools) {
    this.#conversation = conversation;
    this.#tools = tools;
  }

  async play({ id, entries }: Log): Promise<Played> {
    for (const [index, entry] of entries.entries()) await this.#playEntry(entry, `entry-${index}`);
    return { id, entries: this.#entries };
  }

  async #playEntry(entry: LogEntry, id: string): Promise<void> {
    switch (entry.type) {
      case 'words':
      case 'unclear':
        this.#entries.push(entry);
        return;
      case 'calls':
        return this.#checkCalls(entry.calls, id);
      case 'policy':
        return this.#read(this.#conversation.addContent({ id, source: SYSTEM, content: entry.text }));
      case 'user':
        return this.#read(this.#conversation.addUserMessage(entry.content, { id }));
      case 'content':
        return this.#read(this.#conversation.addContent({ id, source: ATTACHED, content: entry.content }));
      case 'result': {
        const call = this.#takePending(entry.id, entry.tool);
        const tool = call?.tool ?? entry.tool;
        const toolName = tool === undefined ? {} : { tool: this.#tools.resolve(tool).name };
        return this.#read(this.#conversation.addContent({ id: call?.id ?? id, ...toolName, content: entry.content }));
      }
    }
  }

  /** The call of a result: by its id if the log has one, else the oldest pending call of the tool. */
  #takePending(
    logId: string | undefined,
    tool: string | undefined,
  ): { readonly id: string; readonly tool: string } | undefined {
    const index = this.#pending.findIndex((call) => (logId === undefined ? call.tool === tool : call.logId === logId));
    return index < 0 ? undefined : this.#pending.splice(index, 1)[0];
  }

  async #read(recorded: Recorded): Promise<void> {
    const framed = await this.#conversation.frame(recorded);
    this.#entries.push(...readEntriesOf(recorded, framed));
  }

  /** Records all calls of a turn before it checks them, because the model chose them together. */
  async #checkCalls(calls: Extract<LogEntry, { type: 'calls' }>['calls'], id: string): Promise<void> {
    await this.#conversation.request({ records: [] });
    const recorded = calls.map(({ id: logId, tool, arguments: values }, index) => {
      const callId = `${id}-${index}`;
      this.#tools.resolve(tool, values);
      this.#pending.push({ logId, id: callId, tool });
      return { logId, call: this.#conversation.recordCall({ id: callId, tool, arguments: values }) };
    });
    for (const { logId, call } of recorded) {
      const { effect } = this.#tools.resolve(call.tool);
      this.#entries.push({ type: 'call', logId, effect, decision: await this.#conversation.check(call) });
    }
  }
}

function readEntriesOf(recorded: Recorded, { quoted }: Framed): ReadEntry[] {
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
