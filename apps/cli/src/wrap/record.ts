import {
  callDigest,
  type Decided,
  type Flagged,
  type Held,
  type Journal,
  type ProxyEvent,
  type Question,
} from '@sallyport/mcp-proxy';
import { idOf } from '../approve/approval-files.ts';
import { isLiftable } from '../approve/liftable.ts';
import { decisionFields, type EntryType, idOfCall, type LogEntry } from '../log/entry.ts';
import type { LogFiles } from '../log/log-files.ts';
import { reasonOf } from '../pins/pin-files.ts';
import { redactJson } from '../secrets/redact.ts';

type Decision = NonNullable<Decided['decision']>;

function typeOf({ outcome, judged, rule }: Decision): EntryType {
  if (outcome === 'ask') return 'unanswered';
  if (outcome === 'deny') return rule === 'rejected' ? 'declined' : 'denied';
  if (judged === 'allow') return 'made';
  return rule === 'approved' ? 'approved' : 'observed';
}

/** Writes what happens to one server's calls, definitions and texts into the log. */
export class Recorder {
  readonly #server: string;
  readonly #files: LogFiles;
  readonly #print: (entry: LogEntry) => void;
  readonly #onFailed: (cause: unknown) => void;
  readonly #folder: () => string | undefined;
  /** Ids of held calls that are in the log. */
  readonly #asked = new Set<string>();
  readonly #reported = new Set<string>();

  /** `print` gets the entries of calls; `onFailed` the first error of the log. `folder` is where the agent works. */
  constructor(
    server: string,
    files: LogFiles,
    print: (entry: LogEntry) => void,
    onFailed: (cause: unknown) => void,
    folder: () => string | undefined = () => undefined,
  ) {
    this.#folder = folder;
    this.#server = server;
    this.#files = files;
    this.#print = print;
    let hasFailed = false;
    this.#onFailed = (cause) => {
      if (!hasFailed) onFailed(cause);
      hasFailed = true;
    };
  }

  /** A log that cannot be written does not stop the server. */
  #write(fields: Omit<LogEntry, 'time' | 'server'>): LogEntry {
    const entry = { time: new Date().toISOString(), server: this.#server, ...fields };
    try {
      this.#files.append(entry);
    } catch (cause) {
      this.#onFailed(cause);
    }
    return entry;
  }

  /** A call waits for `sallyport approve`. Its values are logged when it is decided: only then is it known which are secrets. */
  held({ tool, rule, reason }: Question, id: string): void {
    this.#asked.add(id);
    this.#write({ type: 'held', tool, id, rule, reason });
  }

  readonly journal: Journal = {
    decided: ({ decision, isCheckedElsewhere, ...call }) => {
      // The hooks have logged it.
      if (isCheckedElsewhere === true) return;
      if (decision === undefined)
        this.#write({
          type: 'pinned',
          tool: call.tool,
          reason: 'The definition of this tool waits until you accept it.',
        });
      else this.#decided(call, decision);
    },
  };

  /** A call that a host asks its user about in its own dialog. */
  askedInDialog(call: Omit<Decided, 'decision'>, decision: Decision): void {
    this.#decided(call, decision, 'asked');
  }

  #decided(
    { server, conversation, tool }: Omit<Decided, 'decision'>,
    decision: Decision,
    type: EntryType = typeOf(decision),
  ): void {
    if (type === 'made') return void this.#write({ type });
    const stored = decision.toJSON();
    const call = callDigest({ server, conversation, tool, arguments: decision.call.argumentsJson });
    const id = idOfCall(call);
    const isAsked = this.#asked.delete(id);
    const isHeld = type === 'unanswered' && !isAsked;
    // A person cannot decide about a call whose secrets are not shown.
    const folder = this.#folder();
    const isShown = redactJson(stored.call.argumentsJson) === decision.call.argumentsJson;
    this.#print(
      this.#write({
        type: isHeld ? 'held' : type,
        tool,
        id,
        ...(type === 'denied' && decision.scopes.length > 0 && isShown && { call }),
        ...(type === 'observed' && { judged: decision.judged === 'deny' ? 'deny' : 'ask' }),
        ...(folder !== undefined && { folder }),
        ...(isLiftable(decision) && { isLiftable: true }),
        ...decisionFields(stored),
      }),
    );
  }

  /** Logs changed definitions. Returns whether one of them was not logged before. */
  event(event: ProxyEvent): boolean {
    return event.type === 'held' && event.held.filter((held) => this.#changed(held)).length > 0;
  }

  /** Logs passages of the server's texts that look like instructions. */
  flagged({ tool, passages: evidence }: Pick<Flagged, 'tool' | 'passages'>): void {
    const reason = 'A text of this server reads like an instruction to the model. It was marked.';
    this.#write({ type: 'flagged', ...(tool !== undefined && { tool }), reason, evidence });
  }

  /** Logs a change once: it is listed again and again. */
  #changed(held: Held): boolean {
    const key = JSON.stringify(held);
    if (this.#reported.has(key)) return false;
    this.#reported.add(key);
    const tool = held.type === 'instructions' ? {} : { tool: held.tool };
    const reason = reasonOf(held);
    this.#write({ type: 'changed', ...tool, reason: `${reason.charAt(0).toUpperCase()}${reason.slice(1)}` });
    return true;
  }

  /** The model's text in place of a changed definition. The command names no tool: a server chooses those names. */
  readonly heldNote = (): string => {
    const name = /^[\w.@-]+$/.test(this.#server) ? ` accept ${this.#server}` : '';
    return `Sallyport holds this tool: its definition has changed, and it cannot be called until the user accepts the change. Tell the user that \`sallyport pins${name}\` shows the change and asks. Never run this command yourself.`;
  };

  /** The model's text about a call that was not made. */
  readonly note = (question: Question): string | undefined =>
    question.scopes.length === 0
      ? 'Tell the user that `sallyport log` shows why.'
      : `Tell the user that only they can let it pass, with \`sallyport approve ${idOf(question)}\` in a terminal of their own. Never run this command yourself.`;
}
