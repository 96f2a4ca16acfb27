import { relative, resolve } from 'node:path';
import type {
  ApprovalScope,
  Boundary,
  CallApproval,
  CheckOptions,
  Conversation,
  Decision,
  ToolCall,
} from '@sallyport/core';
import { canonicalJson, fieldsOf } from '@sallyport/core/adapter';
import { type Flagged, passagesIn } from '@sallyport/mcp-proxy';
import { changedBy, hasWord } from '../guarded/changed-files.ts';
import type { HookEvent } from './event.ts';
import { placeIn } from './place.ts';
import { ReadWords } from './read-words.ts';
import { resultText } from './result-text.ts';
import type { KeptEvent, KeptSession } from './session-log.ts';
import type { SessionTools } from './tools/registry.ts';

type Call = Extract<HookEvent, { type: 'call' }>;
type Result = Extract<HookEvent, { type: 'result' }>;

/** Finds the result of a call where the host gives them no id in common: a shell's by the command alone. */
function keyOf({ tool, arguments: given }: Call | Result): string {
  const { command } = fieldsOf(given);
  return canonicalJson([tool, typeof command === 'string' ? command : (given ?? null)]);
}

/** The findings about a result that was taken in. */
interface Read {
  /** The decision about the call if a person was asked. */
  readonly asked: Decision | undefined;
  /** The passages that look like instructions to the model. */
  readonly passages: Flagged['passages'];
}

const BY_DIALOG = "the user, in the host's own dialog";
/** Milliseconds until an approval for the conversation ends. Core allows no longer one. */
const TERM = 86_400_000;

interface SessionOptions {
  readonly owner: string;
  /** The folder in which the session began. */
  readonly project: string | undefined;
  /** The maximum size of a result that is read to its end. */
  readonly maxBytes: number;
  /** The policy of a tool's calls, if it is not that of the boundary. */
  gateFor(tool: string): CheckOptions['gate'];
  /** Checks that a person answers a question about this call in the host's own dialog. */
  asksUser(event: Call): boolean;
}

/** A call that waits for an answer. */
interface Asked {
  readonly decision: Decision;
  /** Set if the host asks a person. If it does not, making the call answers nothing. */
  readonly isShown: boolean;
}

/** One session of a host: what the user said, what its tools returned, and so what a call may do. */
export class Session {
  readonly conversation: Conversation;
  readonly #tools: SessionTools;
  readonly #ids = new Map<string, string>();
  /** Calls that wait for an answer. */
  readonly #asked = new Map<string, Asked>();
  readonly #options: SessionOptions;
  readonly #read = new ReadWords();
  #count = 0;
  #isCut = false;

  constructor(id: string, boundary: Boundary, tools: SessionTools, options: SessionOptions) {
    this.conversation = boundary.conversation(id, { owner: options.owner });
    this.#tools = tools;
    this.#options = options;
  }

  /** Set if a result was too long to be read to its end. The model may have read it all. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** A test for passages of the results read so far. */
  readerOfNow(): (passage: string) => boolean {
    return this.#read.untilNow();
  }

  /** Takes in what an earlier process kept. Decisions are not kept: calls that were held are checked again. */
  async restore({ events }: KeptSession): Promise<void> {
    // Hooks do not know the texts before the first event anyway.
    await this.conversation.render([]);
    for (const kept of events) await this.#replay(kept);
  }

  async #replay({ event, isHeld, approved, at }: KeptEvent): Promise<void> {
    if (event.type === 'prompt') await this.hear(event.text);
    if (event.type === 'result') await this.read(event, at);
    if (event.type !== 'call') return;
    if (isHeld !== true && approved === undefined) {
      this.conversation.recordCall(this.#callOf(event));
      return;
    }
    const decision = await this.check(event);
    if (approved === undefined) return;
    this.#asked.delete(decision.call.id);
    // Lasting approvals are kept elsewhere, where the user can remove them.
    const { scope, until } = approved;
    if (scope !== 'once' && scope !== 'always') await this.#approveFrom(at, decision, scope, until);
  }

  /** Approves from the time when the person did, so that no approval lasts longer in a later process. */
  async #approveFrom(at: number, decision: Decision, scope: ApprovalScope, until = at + TERM): Promise<void> {
    const now = Date.now();
    // The clock may have been set back since.
    if (until > now)
      await this.conversation.approve(decision, { by: BY_DIALOG, scope, until: Math.min(until, now + TERM) });
  }

  /** The user's own words are the task. */
  async hear(text: string): Promise<void> {
    if (text === '') return;
    await this.conversation.frame(this.conversation.addUserMessage(text, { id: `prompt-${this.#count++}` }));
  }

  #callOf(event: Call): ToolCall {
    const { tool, arguments: given } = event;
    this.#tools.declare(tool, given);
    const id = event.id ?? `call-${this.#count++}`;
    // An id tells the calls of two agents apart, even if they are the same.
    if (event.id === undefined) this.#ids.set(keyOf(event), id);
    return { id, tool, arguments: this.#withFolder(event) };
  }

  /** The folder of a shell decides what a command changes. Where it is not the project, it is an argument like any other. */
  #withFolder({ tool, arguments: given, folder }: Call): unknown {
    const { command, ...rest } = fieldsOf(given);
    const place = placeIn(this.#options.project, folder);
    const isShell = typeof command === 'string' && this.#tools.staysHere(tool) && !rest.cwd;
    return place !== undefined && isShell ? { command, ...rest, cwd: place } : given;
  }

  #decide(call: ToolCall): Promise<Decision> {
    return this.conversation.check(call, { gate: this.#options.gateFor(call.tool) });
  }

  /** Checks a call after a person has answered. */
  checkAgain({ call }: Decision): Promise<Decision> {
    return this.conversation.check(call, { gate: this.#options.gateFor(call.tool) });
  }

  async check(event: Call): Promise<Decision> {
    const decision = await this.#decide(this.#callOf(event));
    if (decision.outcome === 'ask')
      this.#asked.set(decision.call.id, { decision, isShown: this.#options.asksUser(event) });
    return decision;
  }

  /** A person lets a call pass. */
  async approve(decision: Decision, approval: CallApproval): Promise<Decision> {
    await this.conversation.approve(decision, approval);
    const approved = await this.checkAgain(decision);
    if (approved.outcome === 'allow') this.#asked.delete(decision.call.id);
    return approved;
  }

  /**
   * Takes in what a tool returned. If the host asked a person about the call and it has run, they have allowed it: the same call is
   * not asked about again in this session.
   */
  async read(event: Result, at: number = Date.now()): Promise<Read> {
    const { tool, arguments: given, result, isFailed = false } = event;
    this.#tools.declare(tool, given);
    const key = keyOf(event);
    const id = this.#ids.get(key) ?? event.id ?? `result-${this.#count++}`;
    this.#ids.delete(key);
    const text = resultText(result);
    this.#isCut ||= Buffer.byteLength(text) > this.#options.maxBytes;
    this.#read.add(text);
    const passages =
      text === ''
        ? []
        : passagesIn(await this.conversation.frame(this.conversation.addToolResult({ id, tool, content: text })));
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    await this.#endApprovalsOf(event);
    // The host made the call, whatever was decided about it: what it changed counts.
    if (asked !== undefined) this.conversation.recordCall({ id: `made-${this.#count++}`, tool, arguments: given });
    if (asked?.isShown === true && !isFailed && asked.decision.scopes.includes('conversation'))
      await this.#approveFrom(at, asked.decision, 'conversation');
    return { asked: asked?.decision, passages };
  }

  /** A yes for a command is one for the files that it names, as they were: what changes one of them ends it. */
  async #endApprovalsOf({ tool, arguments: given, folder = this.#options.project ?? '/' }: Result): Promise<void> {
    const changed = changedBy(given, this.#tools.get(tool));
    if (changed.length === 0) return;
    const names = changed.map((path) => resolve(folder, path)).flatMap((path) => [path, relative(folder, path)]);
    for (const { id, scope, values } of await this.conversation.approvals()) {
      const command = values.find(({ path }) => path === '/command')?.value;
      const isOther = command !== undefined && command !== fieldsOf(given).command;
      if (scope !== 'always' && isOther && names.some((name) => hasWord(command, name)))
        await this.conversation.revoke(id);
    }
  }
}
