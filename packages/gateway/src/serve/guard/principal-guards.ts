import { randomBytes } from 'node:crypto';
import type { ClassifierV1 } from '@sallyport/core';
import { canonicalJson, digestText } from '@sallyport/core/adapter';
import type { VerdictCache } from '@sallyport/core/stages';
import { createGuard, type Guard, type Journal, Memories, type MemoryLog } from '@sallyport/mcp-proxy';
import type { Approvals } from '../../store/approvals.ts';
import { type PolicyBody, policyFor } from '../../store/policies.ts';
import type { PinViews } from './pins.ts';

export interface PremisesOptions {
  readonly workspace: string;
  readonly principal: string;
  /** Of this principal alone: it seals the frames of his conversations. */
  readonly key: Uint8Array;
  readonly policy: PolicyBody;
  /** Names the policy and what else all calls are judged by. */
  readonly version: string;
  /** Names where a server is: another one where that has changed. */
  readonly placeOf: (server: string) => Promise<string>;
  readonly classifier: ClassifierV1;
  readonly cache: VerdictCache;
  readonly log: MemoryLog;
  readonly journal: Journal | undefined;
  readonly pins: PinViews;
  readonly approvals: Approvals;
  /** Whether nobody has used an approval before. */
  readonly claim: (id: string, until: number) => Promise<boolean>;
}

const DEFAULT_LIMIT = 1000;
/** Characters that one conversation remembers: a replica reads them again when it meets it first. */
const MAX_READ = 16_000_000;

/** What one principal has read in his workspace, whichever server said it, and the boundary before each server. */
export class Premises {
  readonly #options: PremisesOptions;
  readonly #memories: Memories;
  readonly #guards = new Map<string, { readonly revision: string; readonly guard: Guard }>();

  constructor(options: PremisesOptions) {
    this.#options = options;
    const { principal, key, policy, classifier, cache, log } = options;
    this.#memories = new Memories(principal, {
      key,
      classifier,
      cache,
      log,
      randomId: () => randomBytes(16).toString('hex'),
      maxRead: MAX_READ,
      gate: { preset: policy.preset ?? 'balanced' },
      limits: { maxBytes: (policy.limit ?? DEFAULT_LIMIT) * 1000 },
      tools: { get: (name) => this.#guards.get(name.slice(0, name.indexOf('.')))?.guard.tools.get(name) },
    });
  }

  /** The boundary before a server. Another one where its pins or its place have changed since. */
  async guardFor(server: string): Promise<Guard> {
    const { pins, workspace, version, placeOf } = this.#options;
    const [pinned, place] = await Promise.all([pins.revision(workspace, server), placeOf(server)]);
    const revision = digestText(canonicalJson([version, pinned, place]));
    const known = this.#guards.get(server);
    const guard = known?.revision === revision ? known.guard : this.#guard(server, revision);
    // Kept before it is loaded: whoever comes meanwhile is to get the same one, and waits for it too.
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
