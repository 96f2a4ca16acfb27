import { type CallApproval, type Decision, type Effect, SallyportError, type ToolDefinition } from '@sallyport/core';
import type { PinStore } from './content/pin.ts';
import type { Redact } from './content/redact.ts';
import { STRUCTURED, type Structured } from './content/structured-content.ts';
import type { ProxyEvent } from './state/event.ts';
import type { Journal } from './state/journal.ts';
import { Memories } from './state/memories.ts';
import type { MemoryCheck, MemoryOptions } from './state/memory.ts';
import type { Approver, Question } from './state/question.ts';

/**
 * The modes of a proxy. `frame`: the server's text is framed. `annotate`: it passes unchanged, with its source in
 * `_meta`, for a host that frames.
 *
 * @example
 * ```ts
 * const isMode = (value: string): value is Mode => MODES.some((mode) => mode === value);
 * ```
 */
export const MODES = ['frame', 'annotate'] as const;

/** A way to pass on a server's text. See `MODES`. */
export type Mode = (typeof MODES)[number];

/**
 * The ways to choose the conversation of a request. `named`: the one that the host names, otherwise the principal's.
 * `principal`: always the principal's, so that a name cannot separate a call from content that was read before it.
 *
 * @example
 * ```ts
 * const schema = { properties: { conversations: { enum: CONVERSATIONS } } };
 * ```
 */
export const CONVERSATIONS = ['named', 'principal'] as const;

/** A way to choose the conversation of a request. See `CONVERSATIONS`. */
export type Conversations = (typeof CONVERSATIONS)[number];

/** Your declaration of a tool, for facts that its server does not state or is not trusted to state. */
export type ToolKnowledge = Omit<ToolDefinition, 'name' | 'parameters'>;

/** The options that have a default. */
interface DefaultedOptions {
  /** The mode: text is framed by the proxy, or by the host. @default 'frame' */
  readonly mode: Mode;
  /** The treatment of `structuredContent`. In mode `annotate` it is always kept. @default 'typed' */
  readonly structured: Structured;
  /** Set it if you trust this server: its definitions are shown unframed, and its hints count. @default false */
  readonly trusted: boolean;
  /**
   * Your declarations of single tools, by name.
   * @default {}: hints of a trusted server and names tell the effects of tools
   */
  readonly tools: Readonly<Record<string, ToolKnowledge>>;
  /** The way to choose the conversation of a request. @default 'named': by the host's name for it */
  readonly conversations: Conversations;
  /**
   * Milliseconds until a question to a person expires.
   * @default 50000, because many clients give up after 60 seconds
   */
  readonly askTimeout: number;
  /**
   * Effects of held calls that only another person may answer: they are never shown to the client's user.
   * @default []
   */
  readonly secondPerson: readonly Effect[];
  /** Names the current policy. An approval given under another revision does not count. @default '' */
  readonly revision: string;
  /** Set it if the approver also receives the client's answers to forms, in any process. @default false */
  readonly approvesForms: boolean;
  /**
   * Set it if the approver keeps lasting approvals, for `approvals` to find: questions then have `keys`.
   * @default false
   */
  readonly keepsApprovals: boolean;
  /** Prefix of the tool names if several servers share a registry. @default '' */
  readonly prefix: string;
  /** Called before any result of a decision or an answer is passed on. @default none */
  readonly journal: Journal;
  /** Milliseconds since 1970. @default Date.now */
  readonly clock: () => number;
  /** Set it if a server may send an answer again, as over HTTP. @default false */
  readonly replays: boolean;
  /** Receives security-relevant events. @default none */
  readonly onEvent: (event: ProxyEvent) => void;
  /**
   * Decides if a tool of the server is offered. A tool that is not offered is neither listed nor called.
   * @default every tool
   */
  readonly isOffered: (tool: string) => boolean;
  /**
   * Adds text for the model to the answer of a call that was not made, such as how a person approves it.
   * @default no text
   */
  readonly refusalNote: (question: Question) => string | undefined;
  /**
   * Adds text for the client to the answer of a call that could not be checked, such as a person to ask.
   * @default no text
   */
  readonly failureNote: (cause: unknown) => string | undefined;
}

/** Options of `createProxy` and `createGuard`. */
export interface ProxyOptions extends Omit<MemoryOptions, 'tools' | 'clock' | 'onEvent'>, Partial<DefaultedOptions> {
  /** Your name for this server. The name that a server gives itself proves nothing. */
  readonly server: string;
  /** The definitions that were seen first or accepted by a person. A changed definition is held. */
  readonly pins: PinStore;
  /** The owner of requests that name no conversation. Not an MCP session: a new session has read the same content. */
  readonly principal: string;
  /** Asks a person if the client cannot. @default none: such calls stay held */
  readonly approver?: Approver;
  /**
   * Asks for the approval of a person who sees why this call is denied, and lets it pass once.
   * @default none: denials stay
   */
  readonly override?: (question: Question) => PromiseLike<CallApproval | undefined> | CallApproval | undefined;
  /**
   * Looks up the check of this call by a boundary that also receives the user's messages. The returned function tells
   * if that check answers a question of this proxy. Called once for each call whose tool is not held.
   * @default none: all questions are asked
   */
  readonly checkedElsewhere?: (tool: string, given: unknown) => ((decision: Decision) => boolean) | undefined;
  /**
   * The description that replaces a changed definition until a person accepts it.
   * @default none: the tool is not listed
   */
  readonly heldNote?: (tool: string) => string;
  /** Removes secrets from a server's messages before they are recorded or framed. @default removes nothing */
  readonly redact?: Redact;
  /** Removes from questions to a person the text that must be neither shown nor stored. @default removes nothing */
  readonly redactQuestion?: Redact;
  /** The name of a source for a person to read. @default the name as it is recorded: the prefix and the tool's name */
  readonly shownSource?: (name: string) => string;
  /** Returns true the first time it is called with an approval's id. @default remembered by this process only */
  readonly claim?: (id: string, until: number) => PromiseLike<boolean> | boolean;
  /**
   * Conversations to share with the proxies of other servers. With a `gate` in addition, its preset, table and observe
   * apply to this server's calls, in place of theirs. @default conversations of this server only
   */
  readonly memories?: Memories;
}

const DEFAULTS: DefaultedOptions = {
  mode: 'frame',
  structured: 'typed',
  trusted: false,
  tools: {},
  conversations: 'named',
  askTimeout: 50_000,
  secondPerson: [],
  revision: '',
  approvesForms: false,
  keepsApprovals: false,
  prefix: '',
  journal: {},
  clock: Date.now,
  replays: false,
  onEvent: () => undefined,
  isOffered: () => true,
  refusalNote: () => undefined,
  failureNote: () => undefined,
};

/** The options that belong to the conversations. `satisfies` makes a forgotten one a compile error. */
const MEMORY_OPTIONS = {
  key: true,
  definitionsKey: true,
  classifier: true,
  cache: true,
  timeout: true,
  limits: true,
  sections: true,
  timer: true,
  gate: true,
  clock: true,
  approvals: true,
  held: true,
  owner: true,
  onEvent: true,
  onFlagged: true,
  onSpans: true,
  onRead: true,
  maxRead: true,
  maxReadTotal: true,
  log: true,
  randomId: true,
} as const satisfies Record<Exclude<keyof MemoryOptions, 'tools'>, true>;

/** Options, checked and with their defaults. */
export type Settings = ProxyOptions & DefaultedOptions & Required<Pick<ProxyOptions, 'claim'>>;

/** The default of `claim`: remembers used ids until they expire. */
function claimOnce(clock: () => number): Settings['claim'] {
  const used = new Map<string, number>();
  return (id, until) => {
    for (const [each, end] of used) if (end <= clock()) used.delete(each);
    const isUnused = !used.has(id);
    used.set(id, until);
    return isUnused;
  };
}

/** A copy without the members that are undefined, so that they do not hide a default. */
function present<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}

function reject(name: keyof ProxyOptions, expected: string, received: unknown): never {
  const shown = typeof received === 'string' ? JSON.stringify(received.slice(0, 60)) : String(received);
  throw new SallyportError('ERR_INVALID_OPTION', `\`${name}\` must be ${expected}; received ${shown}.`);
}

function oneOf(values: readonly string[]): string {
  return values.map((value) => `'${value}'`).join(' or ');
}

export function resolveSettings(options: ProxyOptions): Settings {
  const given: ProxyOptions & DefaultedOptions = { ...DEFAULTS, ...present(options) };
  const { mode, structured, conversations, askTimeout, principal } = given;
  if (!MODES.includes(mode)) reject('mode', oneOf(MODES), mode);
  if (!STRUCTURED.includes(structured)) reject('structured', oneOf(STRUCTURED), structured);
  if (!CONVERSATIONS.includes(conversations)) reject('conversations', oneOf(CONVERSATIONS), conversations);
  if (!(askTimeout > 0 && askTimeout < 2 ** 31))
    reject('askTimeout', 'a number of milliseconds above 0 and below 2^31', askTimeout);
  if (typeof principal !== 'string' || principal === '') reject('principal', 'a non-empty string', principal);
  return {
    ...given,
    // A host that frames the content itself receives all of it.
    structured: mode === 'annotate' ? 'keep' : structured,
    // Only `true` switches these on: the text 'false' from a configuration file must not.
    trusted: given.trusted === true,
    approvesForms: given.approvesForms === true,
    keepsApprovals: given.keepsApprovals === true,
    replays: given.replays === true,
    claim: given.claim ?? claimOnce(given.clock),
  };
}

/** The policy of this server's calls in shared conversations. Undefined: the policy of the conversations. */
export function gateOf({ memories, gate }: ProxyOptions): MemoryCheck['gate'] {
  if (memories === undefined || gate === undefined) return undefined;
  const { preset = 'balanced', observe = false, table = {} } = gate;
  return { preset, observe, table };
}

/** The conversations of this server's clients. */
export function memoriesOf(options: ProxyOptions, tools: MemoryOptions['tools']): Memories {
  if (options.memories !== undefined) return options.memories;
  const entries = Object.entries(present(options)).filter(([name]) => Object.hasOwn(MEMORY_OPTIONS, name));
  const picked = Object.fromEntries(entries) as Pick<ProxyOptions, keyof typeof MEMORY_OPTIONS>;
  return new Memories(options.principal, tools === undefined ? picked : { ...picked, tools });
}
