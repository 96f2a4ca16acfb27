import { randomBytes } from 'node:crypto';
import type { ApprovalStore, ClassifierV1, Decision, ToolCall } from '@sallyport/core';
import type { VerdictCache } from '@sallyport/core/stages';
import {
  type Approver,
  createGuard,
  type FoundSpan,
  type Guard,
  type Journal,
  Memories,
  type MemoryLog,
  type MemoryOptions,
  offered,
  type PinStore,
} from '@sallyport/mcp-proxy';
import type { GuardPolicy, MemoryPolicy } from '../../store/policy/body.ts';

export interface PrincipalGuardsOptions {
  readonly principal: string;
  /** Seals the frames of this principal's conversations. No other principal has the same key. */
  readonly key: Uint8Array;
  readonly policy: MemoryPolicy;
  readonly classifier: ClassifierV1;
  readonly cache: VerdictCache;
  readonly log: MemoryLog;
  readonly journal: Journal | undefined;
  readonly pins: (server: string) => PinStore;
  readonly approver: (revision: string) => Approver;
  /** Approvals that people have given. @default none are kept */
  readonly approvals?: ApprovalStore;
  /** Claims an approval, and returns whether it had not been used before. */
  readonly claim: (id: string, until: number) => Promise<boolean>;
  /** Receives what the classifier found in what was read. @default none */
  readonly onSpans?: (spans: readonly FoundSpan[]) => void;
  /** Receives everything that is read, as it is shown and with its spans. @default none */
  readonly onRead?: MemoryOptions['onRead'];
  /** Maximum number of characters that one conversation remembers. */
  readonly maxRead: number;
  /** Maximum number of characters that all conversations remember. */
  readonly maxReadTotal: number;
}

const DEFAULT_LIMIT = 1000;

/** Errors that the caller cannot help, by code. Their own messages stay in the log of the gateway. */
const FAILURE_NOTES: Readonly<Record<string, string>> = {
  AUDIT_DAMAGED:
    'the audit of this workspace is damaged, or the database was set back. Repeating does not help: ask the operator to run `sallyport audit verify`.',
};

function failureNote(cause: unknown): string | undefined {
  const { code } = (cause ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && Object.hasOwn(FAILURE_NOTES, code) ? FAILURE_NOTES[code] : undefined;
}

/** The conversations of one principal across all servers of the workspace, and a guard for each server. */
export class PrincipalGuards {
  readonly #options: PrincipalGuardsOptions;
  readonly #memories: Memories;
  readonly #guards = new Map<string, Guard>();

  constructor(options: PrincipalGuardsOptions) {
    this.#options = options;
    const { principal, key, policy, classifier, cache, log, onSpans, onRead, maxRead, maxReadTotal, approvals } =
      options;
    this.#memories = new Memories(principal, {
      key,
      classifier,
      cache,
      log,
      owner: principal,
      ...(approvals === undefined ? {} : { approvals }),
      ...(onSpans === undefined ? {} : { onSpans }),
      ...(onRead === undefined ? {} : { onRead }),
      randomId: () => randomBytes(16).toString('hex'),
      maxRead,
      maxReadTotal,
      limits: { maxBytes: (policy.limit ?? DEFAULT_LIMIT) * 1000 },
      tools: { get: (name) => this.#guards.get(name.slice(0, name.indexOf('.')))?.tools.get(name) },
    });
  }

  /** Characters that the conversations remember. */
  get characters(): number {
    return this.#memories.characters;
  }

  /** The current guard of a server. */
  get(server: string): Guard | undefined {
    return this.#guards.get(server);
  }

  /** Creates the guard of a server, or replaces it after its policy, pins or location have changed. */
  async set(server: string, revision: string, policy: GuardPolicy): Promise<void> {
    const guard = this.#guard(server, revision, policy);
    this.#guards.set(server, guard);
    await guard.load();
  }

  /** Reads what the log has of a conversation. */
  readOn(conversation: string | undefined): Promise<void> {
    return this.#memories.of(conversation).catchUp();
  }

  /**
   * The gate's decision on a recorded call: in its conversation, and in what all conversations have read. Nothing is
   * recorded.
   */
  async recheck(conversation: string | undefined, call: ToolCall, gate: GuardPolicy['gate']): Promise<Decision> {
    const { principal, definitions } = this.#memories;
    const memory = this.#memories.of(conversation);
    const decision = await memory.checkForAnother(call, memory.id, { gate });
    for (const other of decision.outcome === 'allow' ? [principal, definitions] : []) {
      const theirs = other === memory ? decision : await other.checkForAnother(call, memory.id, { gate });
      if (theirs.outcome !== 'allow') return theirs;
    }
    return decision;
  }

  #guard(server: string, revision: string, policy: GuardPolicy): Guard {
    const { principal, key, pins, approver, approvals, journal, claim } = this.#options;
    const { mode, structured, conversations, trusted, tools, askTimeout, secondPerson, gate } = policy;
    return createGuard({
      server,
      prefix: `${server}.`,
      principal,
      key,
      memories: this.#memories,
      gate,
      pins: pins(server),
      approver: approver(revision),
      revision,
      approvesForms: true,
      keepsApprovals: approvals !== undefined,
      claim,
      replays: true,
      trusted: trusted === true,
      tools: tools ?? {},
      isOffered: offered(policy),
      failureNote,
      randomId: () => randomBytes(16).toString('hex'),
      ...(mode === undefined ? {} : { mode }),
      ...(secondPerson === undefined ? {} : { secondPerson }),
      ...(conversations === undefined ? {} : { conversations }),
      ...(structured === undefined ? {} : { structured }),
      ...(askTimeout === undefined ? {} : { askTimeout: askTimeout * 1000 }),
      ...(journal === undefined ? {} : { journal }),
    });
  }
}
