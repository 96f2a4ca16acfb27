import { createHash } from 'node:crypto';
import type { ClassifierV1 } from '@sallyport/core';
import { canonicalJson, digestText } from '@sallyport/core/adapter';
import type { Likelihood } from '@sallyport/core/stages';
import { CachedValue } from '../cache/cached-value.ts';
import type { Config } from '../operate/config.ts';
import type { Log } from '../operate/log.ts';
import type { Metrics } from '../operate/metrics.ts';
import { PinViews } from '../serve/guard/pins.ts';
import { commonThresholds } from '../serve/guard/thresholds.ts';
import { CachedPrincipals, memoryLimits } from '../serve/thread/cached-principals.ts';
import { type RemoteGuard, RemotePrincipal } from '../serve/thread/remote-principal.ts';
import { auditLine } from '../store/audit/audit.ts';
import { accessTo } from '../store/policy/access.ts';
import { memoryPolicy, type PolicyBody, policyFor, type ToolLists } from '../store/policy/body.ts';
import type { Caller } from '../store/secrets/keys.ts';
import { createServices } from './services.ts';
import type { Stores } from './stores.ts';

export interface GuardsOptions {
  readonly config: Config;
  readonly stores: Stores;
  /** A classifier that runs on the main thread. Undefined: the built-in one, in the threads that check messages. */
  readonly classifier: ClassifierV1 | undefined;
  readonly metrics: Metrics;
  readonly log: Log;
  /** Checks that all principals of a workspace reach the same process or account of a server. */
  readonly isShared: (workspace: string, server: string) => boolean;
}

/** The rules for all calls of a workspace. */
interface WorkspaceRules {
  readonly policy: PolicyBody;
  readonly thresholds: ReadonlyMap<string, Likelihood>;
  /** Another one for each policy version and set of thresholds. */
  readonly version: string;
  /** Another one only if conversations have to be read again. */
  readonly memoryVersion: string;
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
  readonly #principals: CachedPrincipals;
  readonly #limits: ReturnType<typeof memoryLimits>;
  /** The guards as callers with certain lists use them. The same one each time, so that a stream notices only changes. */
  readonly #limited = new WeakMap<RemoteGuard, Map<string, RemoteGuard>>();

  constructor(options: GuardsOptions) {
    this.#options = options;
    const { config, stores, classifier, metrics } = options;
    const { book, bus, servers } = stores;
    this.#pins = new PinViews(book, bus);
    this.#serverNames = new CachedValue(bus, 'servers', async (workspace) =>
      (await servers.list(workspace)).map(({ name }) => name),
    );
    this.#limits = memoryLimits(config.memory);
    this.#principals = new CachedPrincipals({
      count: config.threads,
      turnLimit: config.turnLimit,
      classifier: classifier?.id,
      memory: this.#limits,
      onLost: (reason) => metrics.threadEnded(reason),
    });
    metrics.watchThreads(this.#principals);
  }

  /** Characters of the messages that are being checked. */
  get bytes(): number {
    return this.#principals.bytes;
  }

  /**
   * The guard of a server for a caller: the same one until the policy, the pins or the server's location change. Undefined if the
   * policy gives the server to other groups. `length` is that of the message to check.
   */
  async of(caller: Caller, server: string, length = 0): Promise<RemoteGuard | undefined> {
    const { workspace, principal, groups = [] } = caller;
    const rules = await this.#rulesOf(workspace);
    const lists = accessTo(rules.policy, server, groups);
    if (lists === undefined) return undefined;
    const key = JSON.stringify([workspace, principal]);
    const cached = this.#principals.get(key, { version: rules.memoryVersion, length }, (thread) => {
      const services = createServices({ ...this.#options, pins: this.#pins, caller });
      return new RemotePrincipal(thread, this.#settingsOf(caller, rules), services);
    });
    // The log names results by tool, so the tools of every server must be known before it is read.
    await cached.prepare(rules.version, async () => {
      const names = await this.#serverNames.get(workspace);
      await Promise.all(names.map((name) => this.#guardFor(cached, principal, name, rules)));
    });
    return this.#withLists(await this.#guardFor(cached, principal, server, rules), lists);
  }

  /** Writes to the audit that a caller did not reach a server. */
  async recordRefusal({ workspace, principal }: Caller, server: string): Promise<void> {
    const { config, stores } = this.#options;
    if (!config.isAudited) return;
    const event = { type: 'access', what: 'refused', server, by: principal } as const;
    await stores.writer.write(workspace, { audit: [auditLine(workspace, event)] });
  }

  async close(): Promise<void> {
    this.#serverNames.close();
    this.#pins.close();
    await this.#principals.close();
  }

  #withLists(guard: RemoteGuard, lists: readonly ToolLists[]): RemoteGuard {
    const limited = this.#limited.get(guard) ?? new Map<string, RemoteGuard>();
    this.#limited.set(guard, limited);
    const key = JSON.stringify(lists);
    const found = limited.get(key) ?? {
      revision: guard.revision,
      terms: guard.terms,
      connect: (options) => guard.connect({ ...options, lists }),
    };
    limited.set(key, found);
    return found;
  }

  #settingsOf(
    caller: Caller,
    { policy, thresholds }: WorkspaceRules,
  ): ConstructorParameters<typeof RemotePrincipal>[1] {
    const { config } = this.#options;
    return {
      workspace: caller.workspace,
      principal: caller.principal,
      key: frameKeyOf(config.keyFor('frames'), caller),
      policy: memoryPolicy(policy),
      thresholds: [...thresholds],
      isAudited: config.isAudited,
      maxRead: this.#limits.conversation,
      maxReadTotal: this.#limits.principal,
    };
  }

  async #guardFor(
    cached: RemotePrincipal,
    principal: string,
    server: string,
    { policy, version }: WorkspaceRules,
  ): Promise<RemoteGuard> {
    const { servers } = this.#options.stores;
    const { workspace } = cached;
    const [pinned, definitionOf, found] = await Promise.all([
      this.#pins.revision(workspace, server, principal),
      this.#pins.definitions(workspace, server),
      servers.find(workspace, server),
    ]);
    const own = policyFor(policy, server);
    // Not the version of the policy: what changes for other servers leaves what was approved for this one as it was.
    const lasting = canonicalJson([memoryPolicy(policy), own, found ?? null]);
    const terms = (tool: string): string => digestText(canonicalJson([lasting, tool, definitionOf(tool) ?? null]));
    const location = digestText(canonicalJson(found ?? null));
    const revision = digestText(canonicalJson([version, pinned, location]));
    return cached.guardFor(server, { revision, terms }, own);
  }

  async #rulesOf(workspace: string): Promise<WorkspaceRules> {
    const { policies, thresholds } = this.#options.stores;
    const [{ body: policy, version }, names] = await Promise.all([
      policies.current(workspace),
      this.#serverNames.get(workspace),
    ]);
    const raised = await Promise.all(names.map((name) => thresholds.current(workspace, name)));
    const common = commonThresholds(policy.thresholds ?? {}, raised);
    const sorted = [...common].toSorted();
    return {
      policy,
      thresholds: common,
      version: JSON.stringify([version, sorted]),
      memoryVersion: canonicalJson([memoryPolicy(policy), sorted]),
    };
  }
}
