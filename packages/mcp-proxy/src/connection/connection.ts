import { BoundedMap } from '@sallyport/core/adapter';
import type { JsonText } from '@sallyport/core/json';
import { gateOf, memoriesOf, type ProxyOptions, resolveSettings, type Settings } from '../settings.ts';
import type { Memories } from '../state/memories.ts';
import type { Memory, MemoryCheck } from '../state/memory.ts';
import { Pending } from '../state/pending.ts';
import { UserQuestions } from './ask-person.ts';
import { Catalog } from './catalog.ts';
import { conversationOf } from './outgoing.ts';

/** Receives the messages to send, one JSON text each. */
export interface Wires {
  /** Sends a message to the client. */
  toClient(text: string): void;
  /** Sends a message to the server. */
  toServer(text: string): void;
}

const MAX_TASKS = 10_000;

/** The state that all connections to one server share. */
export class GuardState {
  readonly settings: Settings;
  readonly catalog: Catalog;
  readonly memories: Memories;
  /** The policy of this server's calls. Undefined: the policy of the memories. */
  readonly gate: MemoryCheck['gate'];
  /** The keys of calls that a server answered with a question. The repeated call was already checked. */
  readonly answeredWithQuestion: string[] = [];
  /** Calls that a server runs in the background: from task id to tool. */
  readonly tasks: BoundedMap<string, string> = new BoundedMap(MAX_TASKS);

  constructor(options: ProxyOptions) {
    this.settings = resolveSettings(options);
    this.catalog = new Catalog(this.settings);
    this.memories = memoriesOf(options, this.catalog);
    this.gate = gateOf(options);
  }
}

/** Options of one connection. */
export interface ConnectOptions {
  /** Set it if the client declared in an earlier connection of the session that it can show forms. @default false */
  readonly canElicit?: boolean;
  /** The conversation of requests that do not name one. @default the principal's */
  readonly conversation?: string | undefined;
  /** Set it to false if the client's user must not approve held calls in a form. @default true */
  readonly showsForms?: boolean;
  /**
   * Checks that the connection's authorization is still valid. Called before an approved call is sent.
   * @default always true
   */
  readonly isCurrent?: () => Promise<boolean>;
  /** Decides if a tool is offered to this client, in addition to the guard's own option. @default every tool */
  readonly isOffered?: (tool: string) => boolean;
}

/** The state that both sides of one connection share. */
export class Connection {
  readonly guardState: GuardState;
  readonly settings: Settings;
  readonly catalog: Catalog;
  readonly memories: Memories;
  readonly pending: Pending;
  readonly questions: UserQuestions;
  /** The request ids of calls that wait for a person. */
  readonly heldRequests: Set<string> = new Set();
  /** The conversation of requests that do not name one. */
  readonly conversation: string | undefined;
  /** Unset if the client's user must not be asked. */
  readonly showsForms: boolean;
  readonly isCurrent: () => Promise<boolean>;
  /** Set when the client declares that it can show forms. */
  canElicit: boolean;
  /** Set when the client declares that it shows apps. */
  showsApps = false;
  /** The pages of apps that the client has read. It shows them even if it did not declare that it shows apps. */
  readonly readPages: Set<string> = new Set();

  constructor(guardState: GuardState, options: ConnectOptions) {
    const { canElicit = false, conversation, showsForms = true, isCurrent = () => Promise.resolve(true) } = options;
    this.guardState = guardState;
    const { settings, catalog, memories } = guardState;
    const { isOffered } = options;
    this.settings =
      isOffered === undefined
        ? settings
        : { ...settings, isOffered: (tool) => settings.isOffered(tool) && isOffered(tool) };
    this.catalog = catalog;
    this.memories = memories;
    this.pending = new Pending(settings.replays);
    this.questions = new UserQuestions(settings);
    this.canElicit = canElicit;
    this.conversation = conversation;
    this.showsForms = showsForms;
    this.isCurrent = isCurrent;
  }

  /** True if the client shows the results of a tool in a page of the server. */
  isDrawn(tool: string | undefined): boolean {
    const page = tool === undefined ? undefined : this.catalog.pageOf(tool);
    return page !== undefined && (this.showsApps || this.readPages.has(page));
  }

  memoryOf(json: JsonText): Memory {
    if (this.settings.conversations === 'principal') return this.memories.principal;
    return this.memories.of(conversationOf(json) ?? this.conversation);
  }
}
