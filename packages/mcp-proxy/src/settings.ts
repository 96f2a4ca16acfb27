import { SallyportError, type ToolDefinition } from '@sallyport/core';
import type { PinStore } from './content/pin.ts';
import { STRUCTURED, type Structured } from './content/structured-content.ts';
import type { ProxyEvent } from './state/event.ts';
import type { Journal } from './state/journal.ts';
import { Memories } from './state/memories.ts';
import type { MemoryOptions } from './state/memory.ts';
import type { Approver } from './state/question.ts';

/** `frame`: what a server says stands in envelopes. `annotate`: it goes on raw, and says where it is from, for a host that frames. */
export const MODES = ['frame', 'annotate'] as const;

export type Mode = (typeof MODES)[number];

/** What the user knows of a tool and its server does not say, or is not believed. */
export type ToolKnowledge = Omit<ToolDefinition, 'name' | 'parameters'>;

export interface ProxyOptions extends Omit<MemoryOptions, 'tools' | 'onEvent'> {
  /** What the user calls this server. A server's own name for itself proves nothing. */
  readonly server: string;
  readonly pins: PinStore;
  /** @default 'frame' */
  readonly mode?: Mode;
  /** @default 'text-only' */
  readonly structured?: Structured;
  /** The user has marked this server: its definitions are shown as they are, and its hints count. @default false */
  readonly trusted?: boolean;
  /** What the user knows of single tools, by their names. @default nothing: every tool may do anything */
  readonly tools?: Readonly<Record<string, ToolKnowledge>>;
  /** Whose conversation it is where the host does not say which. Not an MCP session: a new one has read the same. */
  readonly principal: string;
  /** Asks a person where the client cannot. @default nobody */
  readonly approver?: Approver;
  /** Milliseconds that a person has. @default 50000, since many clients give up after 60 seconds */
  readonly askTimeout?: number;
  /** Names what calls are judged by: under another name an approval that a client brings back does not count. @default '' */
  readonly revision?: string;
  /** Whether the approver also takes what a client answers to a form, in whichever process it arrives. @default false */
  readonly approvesForms?: boolean;
  /** Whether nobody has used an approval before, under an id that no other has. @default known to this process alone */
  readonly claim?: (id: string, until: number) => PromiseLike<boolean> | boolean;
  /** The conversations, where those of several servers are the same. @default of this server alone */
  readonly memories?: Memories;
  /** What stands before the names of tools where those of several servers are known together. @default '' */
  readonly prefix?: string;
  /** Told before anything goes on that follows from a decision or an answer. @default nobody */
  readonly journal?: Journal;
  /** Milliseconds since 1970. @default the platform's clock */
  readonly clock?: () => number;
  /** Whether a server may send an answer again, as over HTTP. @default false */
  readonly replays?: boolean;
  /** @default nobody */
  readonly onEvent?: (event: ProxyEvent) => void;
}

/** Ids that were used, as long as they would count. */
function claimOnce(clock: () => number): Settings['claim'] {
  const used = new Map<string, number>();
  return (id, until) => {
    for (const [each, end] of used) if (end <= clock()) used.delete(each);
    const isFresh = !used.has(id);
    used.set(id, until);
    return isFresh;
  };
}

/** Options, checked and with their defaults. */
export interface Settings {
  readonly server: string;
  readonly prefix: string;
  readonly pins: PinStore;
  readonly mode: Mode;
  readonly structured: Structured;
  readonly isTrusted: boolean;
  readonly tools: Readonly<Record<string, ToolKnowledge>>;
  readonly principal: string;
  readonly approver: Approver | undefined;
  readonly approvesForms: boolean;
  readonly revision: string;
  readonly claim: (id: string, until: number) => PromiseLike<boolean> | boolean;
  readonly journal: Journal;
  readonly askTimeout: number;
  readonly randomId: () => string;
  readonly clock: () => number;
  readonly replays: boolean;
  readonly onEvent: (event: ProxyEvent) => void;
}

const ASK_TIMEOUT = 50_000;

function refuse(message: string): never {
  throw new SallyportError('ERR_INVALID_OPTION', message);
}

export function settle(options: ProxyOptions): Settings {
  const { mode = 'frame', structured = 'text-only', askTimeout = ASK_TIMEOUT, clock = Date.now } = options;
  if (!MODES.includes(mode)) refuse(`mode is ${MODES.join(' or ')}.`);
  if (!STRUCTURED.includes(structured)) refuse(`structured is ${STRUCTURED.join(', ')}.`);
  if (!(askTimeout > 0 && askTimeout < 2 ** 31)) refuse('askTimeout is a number of milliseconds above 0.');
  if (typeof options.principal !== 'string' || options.principal === '')
    refuse('principal names whose conversation it is.');
  return {
    server: options.server,
    prefix: options.prefix ?? '',
    pins: options.pins,
    mode,
    // A host that frames by itself is to get all there is.
    structured: mode === 'annotate' ? 'keep' : structured,
    isTrusted: options.trusted === true,
    tools: options.tools ?? {},
    principal: options.principal,
    approver: options.approver,
    approvesForms: options.approvesForms === true,
    revision: options.revision ?? '',
    claim: options.claim ?? claimOnce(clock),
    journal: options.journal ?? {},
    askTimeout,
    randomId: options.randomId,
    clock,
    replays: options.replays === true,
    onEvent: options.onEvent ?? (() => undefined),
  };
}

/** The conversations of this server's clients, by the options of core and the registry of its tools. */
export function memoriesOf(options: ProxyOptions, tools: MemoryOptions['tools']): Memories {
  if (options.memories !== undefined) return options.memories;
  const { key, classifier, cache, timeout, limits, sections, timer, gate, clock, mostRead, onEvent, log, randomId } =
    options;
  const boundary = { key, classifier, cache, timeout, limits, sections, timer, gate, clock, onEvent, tools };
  const given = { ...boundary, mostRead, log, randomId };
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  return new Memories(options.principal, Object.fromEntries(present) as unknown as MemoryOptions);
}
