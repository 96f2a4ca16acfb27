import type { JsonText } from '@sallyport/core/json';
import { memoriesOf, type ProxyOptions, type Settings, settle } from '../settings.ts';
import type { Memories } from '../state/memories.ts';
import type { Memory } from '../state/memory.ts';
import { Pending } from '../state/pending.ts';
import { Asking } from './ask-person.ts';
import { Catalog } from './catalog.ts';
import { conversationOf } from './outgoing.ts';

/** Where texts go: one message each. */
export interface Wires {
  toClient(text: string): void;
  toServer(text: string): void;
}

/** What all connections to one server share. */
export class Premises {
  readonly settings: Settings;
  readonly catalog: Catalog;
  readonly memories: Memories;
  /** Calls that a server has answered with a question: their second leg was judged with the first. */
  readonly asked: string[] = [];
  /** Calls that a server runs in the background: the tool, by the id of the task. */
  readonly tasks: Map<string, string> = new Map();

  constructor(options: ProxyOptions) {
    this.settings = settle(options);
    this.catalog = new Catalog(this.settings);
    this.memories = memoriesOf(options, this.catalog);
  }
}

export interface ConnectOptions {
  /** What the client has said of itself in another connection of the same session. @default false */
  readonly canElicit?: boolean;
  /** Which conversation its requests belong to where they do not say so. @default that of the principal */
  readonly conversation?: string | undefined;
  /** Whether the client's user may be asked about a held call: whoever answers for the client approves it. @default true */
  readonly showsForms?: boolean;
  /** Whether what the connection was made by still counts. Asked before a call leaves that somebody had to decide on. @default always */
  readonly isCurrent?: () => Promise<boolean>;
}

/** What both sides of one connection share. */
export class Connection {
  readonly premises: Premises;
  readonly settings: Settings;
  readonly catalog: Catalog;
  readonly memories: Memories;
  readonly pending: Pending;
  readonly asking: Asking;
  /** Calls on which somebody is still deciding, by the ids of their requests. */
  readonly held: Set<string> = new Set();
  /** Which conversation its requests belong to where they do not say so. */
  readonly conversation: string | undefined;
  /** Whether the client's user may be asked at all. */
  readonly showsForms: boolean;
  readonly isCurrent: () => Promise<boolean>;
  /** The client has said that it can show a form. */
  canElicit: boolean;

  constructor(premises: Premises, options: ConnectOptions) {
    const { canElicit = false, conversation, showsForms = true, isCurrent = () => Promise.resolve(true) } = options;
    this.premises = premises;
    const { settings, catalog, memories } = premises;
    this.settings = settings;
    this.catalog = catalog;
    this.memories = memories;
    this.pending = new Pending(settings.replays);
    this.asking = new Asking(settings);
    this.canElicit = canElicit;
    this.conversation = conversation;
    this.showsForms = showsForms;
    this.isCurrent = isCurrent;
  }

  memoryOf(json: JsonText): Memory {
    return this.memories.of(conversationOf(json) ?? this.conversation);
  }
}
