import { createHash } from 'node:crypto';
import type { ClassifierV1 } from '@sallyport/core';
import { canonicalJson, digestText } from '@sallyport/core/adapter';
import type { Likelihood } from '@sallyport/core/stages';
import { CachedValue } from '../cache/cached-value.ts';
import type { Config } from '../operate/config.ts';
import type { Metrics } from '../operate/metrics.ts';
import { recordOutcome } from '../operate/trace.ts';
import { CachedGuards } from '../serve/guard/cached-guards.ts';
import { createJournal } from '../serve/guard/journal.ts';
import { PinViews } from '../serve/guard/pins.ts';
import { PrincipalGuards } from '../serve/guard/principal-guards.ts';
import { commonThresholds, withThresholds } from '../serve/guard/thresholds.ts';
import { memoryLog } from '../store/log.ts';
import type { PolicyBody } from '../store/policies.ts';
import type { Caller } from '../store/secrets/keys.ts';
import type { Stores } from './stores.ts';

export interface GuardsOptions {
  readonly config: Config;
  readonly stores: Stores;
  readonly classifier: ClassifierV1;
  readonly metrics: Metrics;
}

/** What all calls of a workspace are checked with. */
interface WorkspaceRules {
  readonly policy: PolicyBody;
  readonly thresholds: ReadonlyMap<string, Likelihood>;
  /** Another one for each policy version and set of thresholds. */
  readonly version: string;
}

/** Derives a frame key for each principal: a frame of one proves nothing to another. */
function frameKeyOf(base: Uint8Array, { workspace, principal }: Caller): Uint8Array {
  return createHash('sha256')
    .update(base)
    .update(JSON.stringify([workspace, principal]))
    .digest();
}

/** The guards of all principals. */
export class Guards {
  readonly #options: GuardsOptions;
  readonly #pins: PinViews;
  readonly #serverNames: CachedValue<readonly string[]>;
  readonly #cached: CachedGuards;

  constructor(options: GuardsOptions) {
    this.#options = options;
    const { book, bus, servers } = options.stores;
    this.#pins = new PinViews(book, bus);
    this.#serverNames = new CachedValue(bus, 'servers', async (workspace) =>
      (await servers.list(workspace)).map(({ name }) => name),
    );
    this.#cached = new CachedGuards({
      versionOf: async (workspace) => (await this.#rulesOf(workspace)).version,
      create: (caller) => this.#create(caller),
    });
  }

  of(caller: Caller): Promise<PrincipalGuards> {
    return this.#cached.get(caller);
  }

  close(): void {
    this.#serverNames.close();
    this.#pins.close();
  }

  async #rulesOf(workspace: string): Promise<WorkspaceRules> {
    const { policies, thresholds } = this.#options.stores;
    const [{ body: policy, version }, names] = await Promise.all([
      policies.current(workspace),
      this.#serverNames.get(workspace),
    ]);
    const raised = await Promise.all(names.map((name) => thresholds.current(workspace, name)));
    const common = commonThresholds(policy.thresholds ?? {}, raised);
    return { policy, thresholds: common, version: JSON.stringify([version, [...common].toSorted()]) };
  }

  async #create(caller: Caller): Promise<PrincipalGuards> {
    const { config, stores, classifier, metrics } = this.#options;
    const { database, writer, servers, verdicts, approvals, claims } = stores;
    const { workspace, principal } = caller;
    const { policy, thresholds, version } = await this.#rulesOf(workspace);
    const journal = createJournal({
      workspace,
      principal,
      writer,
      onCall: (_server, outcome, rule) => {
        metrics.call(outcome, rule);
        recordOutcome(outcome, rule);
      },
    });
    const guards = new PrincipalGuards({
      workspace,
      principal,
      key: frameKeyOf(config.keyFor('frames'), caller),
      policy,
      version,
      locationOf: async (name) => digestText(canonicalJson((await servers.find(workspace, name)) ?? null)),
      classifier: withThresholds(classifier, thresholds),
      cache: verdicts.of(workspace),
      log: memoryLog(database, writer, workspace, principal),
      journal: config.isAudited ? journal : undefined,
      pins: this.#pins,
      approvals,
      claim: (id, until) => claims.claim(workspace, id, until),
    });
    // The log names results by tool, so the tools of every server must be known before it is read.
    const listed = await servers.list(workspace);
    await Promise.all(listed.map(({ name }) => guards.guardFor(name)));
    return guards;
  }
}
