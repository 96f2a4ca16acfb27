import { randomBytes } from 'node:crypto';
import type { ClassifierV1 } from '@sallyport/core';
import { canonicalJson, digestText } from '@sallyport/core/adapter';
import type { VerdictCache } from '@sallyport/core/stages';
import { createGuard, type Guard, type Journal, Memories, type MemoryLog } from '@sallyport/mcp-proxy';
import type { Approvals } from '../../store/approvals.ts';
import { type PolicyBody, policyFor } from '../../store/policies.ts';
import type { PinViews } from './pins.ts';

export interface PrincipalGuardsOptions {
  readonly workspace: string;
  readonly principal: string;
  /** Seals the frames of this principal's conversations. No other principal has the same key. */
  readonly key: Uint8Array;
  readonly policy: PolicyBody;
  /** Names the policy and thresholds that all calls are checked with. */
  readonly version: string;
  /** Digest of a server's address or command. */
  readonly locationOf: (server: string) => Promise<string>;
  readonly classifier: ClassifierV1;
  readonly cache: VerdictCache;
  readonly log: MemoryLog;
  readonly journal: Journal | undefined;
  readonly pins: PinViews;
  readonly approvals: Approvals;
  /** Claims an approval, and returns whether it had not been used before. */
  readonly claim: (id: string, until: number) => Promise<boolean>;
}

const DEFAULT_LIMIT = 1000;
/** Maximum number of characters that one conversation remembers. A replica reads them when it first serves the conversation. */
const MAX_READ = 16_000_000;

/** The conversations of one principal across all servers of the workspace, and a guard for each server. */
export class PrincipalGuards {
  readonly #options: PrincipalGuardsOptions;
  readonly #memories: Memories;
  readonly #guards = new Map<string, { readonly revision: string; readonly guard: Guard }>();

  constructor(options: PrincipalGuardsOptions) {
    this.#options = options;
    const { principal, key, policy, classifier, cache, log } = options;
    this.#memories = new Memories(principal, {
      key,
      classifier,
      cache,
      log,
      randomId: () => randomBytes(16).toString('hex'),
      maxRead: MAX_READ,
      gate: { preset: policy.preset ?? 'balanced', observe: policy.observe ?? false },
      limits: { maxBytes: (policy.limit ?? DEFAULT_LIMIT) * 1000 },
      tools: { get: (name) => this.#guards.get(name.slice(0, name.indexOf('.')))?.guard.tools.get(name) },
    });
  }

  /** The guard of a server. It is replaced when the server's pins or location have changed. */
  async guardFor(server: string): Promise<Guard> {
    const { pins, workspace, version, locationOf: placeOf } = this.#options;
    const [pinned, location] = await Promise.all([pins.revision(workspace, server), placeOf(server)]);
    const revision = digestText(canonicalJson([version, pinned, location]));
    const current = this.#guards.get(server);
    const guard = current?.revision === revision ? current.guard : this.#guard(server, revision);
    // Stored before it has loaded, so that concurrent requests get the same guard and wait for it too.
    this.#guards.set(server, { revision, guard });
    await guard.load();
    return guard;
  }

  #guard(server: string, revision: string): Guard {
    const { workspace, principal, key, policy, pins, approvals, journal, claim } = this.#options;
    const { mode, structured, trusted, tools, askTimeout } = policyFor(policy, server);
    return createGuard({
      server,
      prefix: `${server}.`,
      principal,
      key,
      memories: this.#memories,
      pins: pins.store(workspace, server),
      approver: approvals.approver({ workspace, principal, revision }),
      revision,
      approvesForms: true,
      claim,
      replays: true,
      trusted: trusted === true,
      tools: tools ?? {},
      randomId: () => randomBytes(16).toString('hex'),
      ...(mode === undefined ? {} : { mode }),
      ...(structured === undefined ? {} : { structured }),
      ...(askTimeout === undefined ? {} : { askTimeout: askTimeout * 1000 }),
      ...(journal === undefined ? {} : { journal }),
    });
  }
}
