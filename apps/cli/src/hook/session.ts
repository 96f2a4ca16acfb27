import type { ApprovalScope, Boundary, CallApproval, Conversation, Decision, ToolCall } from '@sallyport/core';
import { canonicalJson, fieldsOf } from '@sallyport/core/adapter';
import { type Flagged, passagesIn } from '@sallyport/mcp-proxy';
import { readShell } from '@sallyport/shell';
import { isByMembers } from '../origin/members.ts';
import { Origins } from '../origin/origins.ts';
import { forgesOf, OthersFiles } from '../origin/others.ts';
import { repositoryOf } from '../origin/project.ts';
import { proposedBy } from '../origin/proposed.ts';
import type { Checked } from '../origin/rules.ts';
import type { HookEvent } from './event.ts';
import { placeIn } from './place.ts';
import { ReadWords } from './read-words.ts';
import { resultText } from './result-text.ts';
import type { KeptEvent, KeptSession } from './session-log.ts';
import { type SessionTools, serverToolOf } from './tools/registry.ts';

type Call = Extract<HookEvent, { type: 'call' }>;
type Result = Extract<HookEvent, { type: 'result' }>;
type Refused = Extract<HookEvent, { type: 'refused' }>;

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
  /** The text in frames, if others wrote it. */
  readonly framed?: string;
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
  /** Calls of the host's own tools for commands and files are checked by where their words come from. */
  readonly isByOrigin: boolean;
  /** Calls are only observed. */
  readonly observe: boolean;
  /** Checks that a person answers a question about this call in the host's own dialog. */
  asksUser(event: Call): boolean;
}

/** A call that waits for an answer. */
interface Asked {
  readonly decision: Decision;
  /** Set if the host asks a person. If it does not, making the call answers nothing. */
  readonly isShown: boolean;
  /** What it would write, run or send. */
  readonly text: string;
}

/** One session of a host: what the user said, what its tools returned, and so what a call may do. */
export class Session {
  readonly conversation: Conversation;
  /** Texts of the user's project. */
  readonly #project: Conversation;
  readonly #tools: SessionTools;
  readonly #ids = new Map<string, string>();
  /** Calls that wait for an answer. */
  readonly #asked = new Map<string, Asked>();
  /** What the agent wanted to do in this turn, and was not let. */
  readonly #held = new Map<string, string>();
  readonly #options: SessionOptions;
  readonly #read = new ReadWords();
  readonly #origins = new Origins();
  readonly #others: OthersFiles;
  readonly #repository: string | undefined;
  /** What is known about the call that is being checked. */
  #checked: Checked | undefined;
  /** Calls that were let pass and have no result yet. */
  readonly #open = new Set<string>();
  #count = 0;
  #isCut = false;

  constructor(id: string, boundary: Boundary, tools: SessionTools, options: SessionOptions) {
    this.conversation = boundary.conversation(id, { owner: options.owner });
    this.#project = boundary.conversation(`${id} project`);
    this.#tools = tools;
    this.#options = options;
    this.#others = new OthersFiles(options.project);
    this.#repository = repositoryOf(options.project);
  }

  /** Set if a result was too long to be read to its end. The model may have read it all. */
  get isCut(): boolean {
    return this.#isCut || this.#origins.isFull;
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
    if (event.type === 'refused') this.refuse(event);
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
    this.#origins.hear(text);
    // What the user refused before, they have spoken about since.
    this.#held.clear();
    this.#open.clear();
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

  #decide(call: ToolCall | Decision['call']): Promise<Decision> {
    const { isByOrigin, observe } = this.#options;
    return this.conversation.check(call, isByOrigin ? { gate: { preset: 'none', observe } } : {});
  }

  /** Checks a call after a person has answered. */
  checkAgain({ call }: Decision): Promise<Decision> {
    return this.#decide(call);
  }

  /** The user or the host refused a call. */
  refuse({ id, tool, arguments: given }: Refused): void {
    const { text } = proposedBy(given, this.#tools.get(tool), this.#tools.isOwnWork(tool));
    this.#held.set(id ?? `refused-${this.#count++}`, text);
  }

  /** What the rules of this session look at. */
  checked(): Checked {
    if (this.#checked === undefined) throw new Error('No call is being checked.');
    return this.#checked;
  }

  #look({ tool, arguments: given, folder }: Call): void {
    const proposed = proposedBy(given, this.#tools.get(tool), this.#tools.isOwnWork(tool));
    this.#checked = {
      proposed,
      origins: this.#origins,
      isByOrigin: this.#options.isByOrigin,
      // Where a call that was let pass has no result yet, the model made several at once.
      isAfterRefusal: this.#open.size === 0 && [...this.#held.values()].some((text) => text !== proposed.text),
      isElsewhere: (path) => this.#others.has(path, folder),
      quote: '',
    };
  }

  async check(event: Call): Promise<Decision> {
    const call = this.#callOf(event);
    this.#look(event);
    const decision = await this.#decide(call);
    const { text } = this.checked().proposed;
    const isShown = this.#options.asksUser(event);
    if (decision.outcome === 'ask') this.#asked.set(decision.call.id, { decision, isShown, text });
    if (decision.outcome === 'allow') this.#open.add(decision.call.id);
    // A host without a dialog tells the agent to go on with something else.
    if (decision.outcome === 'deny' || (decision.outcome === 'ask' && isShown)) this.#held.set(decision.call.id, text);
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
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    this.#held.delete(id);
    this.#open.delete(id);
    // A person has looked at the names in it.
    if (asked?.isShown === true && !isFailed) this.#origins.hear(asked.text);
    const isOfOthers = this.#isOfOthers(event, text);
    // The project's own text is only searched for instructions.
    const reader = isOfOthers || !this.#options.isByOrigin ? this.conversation : this.#project;
    const framed = text === '' ? undefined : await reader.frame(reader.addToolResult({ id, tool, content: text }));
    const passages = framed ? passagesIn(framed) : [];
    this.#noteOrigin(event, text, { isOfOthers, isFlagged: passages.length > 0 });
    // The host made the call, whatever was decided about it: what it changed counts.
    if (asked !== undefined && !this.#options.isByOrigin)
      this.conversation.recordCall({ id: `made-${this.#count++}`, tool, arguments: given });
    if (asked?.isShown === true && !isFailed && asked.decision.scopes.includes('conversation'))
      await this.#approveFrom(at, asked.decision, 'conversation');
    return {
      asked: asked?.decision,
      passages,
      ...(framed && (isOfOthers || passages.length > 0) && { framed: framed.text }),
    };
  }

  /** Notes who brought the words of a result. A text of the project that speaks to agents may be of anybody. */
  #noteOrigin(
    { tool, arguments: given }: Result,
    text: string,
    { isOfOthers, isFlagged }: { readonly isOfOthers: boolean; readonly isFlagged: boolean },
  ): void {
    if (isOfOthers) this.#origins.readOthers(text, tool);
    else if (isFlagged) this.#origins.readDoubtful(text, tool);
    else this.#origins.readOwn(text, proposedBy(given, this.#tools.get(tool), this.#tools.isOwnWork(tool)).text);
  }

  #isOfOthers({ tool, arguments: given, folder }: Result, text: string): boolean {
    const { command } = fieldsOf(given);
    const isLine = typeof command === 'string' && this.#tools.isOwnWork(tool);
    if (isLine) this.#others.run(command, folder);
    const used = isLine
      ? readShell(command).commands.map(({ program }) => program)
      : [serverToolOf(tool)?.server ?? ''];
    for (const host of forgesOf(used)) this.#origins.know(host);
    return this.#isWrittenByOthers(tool, given, folder) && !(this.#isOwnRepository(tool, given) && isByMembers(text));
  }

  /** Anybody is a member of a repository of their own. */
  #isOwnRepository(tool: string, given: unknown): boolean {
    const { owner, repo } = fieldsOf(given);
    const isForge = forgesOf([serverToolOf(tool)?.server ?? '']).length > 0;
    return isForge && `${owner}/${repo}`.toLowerCase() === this.#repository;
  }

  #isWrittenByOthers(tool: string, given: unknown, folder: string | undefined): boolean {
    const { command } = fieldsOf(given);
    if (!this.#tools.staysHere(tool)) return !this.#tools.isTrusted(tool);
    if (this.#tools.get(tool)?.effect === 'fetch') return true;
    if (typeof command === 'string') return this.#others.isPrintedBy(command, folder);
    // What another agent read is not known everywhere, nor which command a text was printed by.
    if (this.#tools.isRelay(tool)) return this.#origins.hasOthers || this.#others.hasFetched;
    const { file } = proposedBy(given, this.#tools.get(tool), true);
    return file !== undefined && this.#others.has(file, folder);
  }
}
