import { spanClassifier } from '@sallyport/classifier';
import type { ClassifierV1 } from '@sallyport/core';
import { backgroundTimer } from '@sallyport/core/adapter';
import type { Timer } from '@sallyport/core/stages';
import { createApp } from './app.ts';
import { Notifier } from './notify/notifier.ts';
import type { Config } from './operate/config.ts';
import { type Log, withOrigin } from './operate/log.ts';
import { createMetrics } from './operate/metrics.ts';
import { WorkTracker } from './operate/work-tracker.ts';
import { Sessions } from './serve/auth/session.ts';
import { Load } from './serve/load.ts';
import type { AnchorStore } from './store/audit/anchors.ts';
import { Feed } from './store/audit/send-feed.ts';
import { auditKeysOf } from './store/links.ts';
import { checkInstallationKey } from './store/secrets/installation-key.ts';
import { nameOfWorkspace } from './store/workspaces.ts';
import { createCallers, createLogin } from './wire/callers.ts';
import { createFailures } from './wire/failures.ts';
import { Guards } from './wire/guards.ts';
import { Listener } from './wire/listener.ts';
import { openStores } from './wire/stores.ts';
import { createUpstreams } from './wire/upstreams.ts';

export interface GatewayOptions {
  /** Settings of the replica, from `readConfig`. */
  readonly config: Config;
  /** Receives log lines, from `createLog`. */
  readonly log: Log;
  /**
   * Flags instructions in tool results. Yours is called on the main thread, where nothing may compute for long.
   * @default the built-in classifier, in the threads that check messages
   */
  readonly classifier?: ClassifierV1;
  /** Triggers polling and signing, and limits the wait for open requests when the replica stops. @default the platform's timer */
  readonly timer?: Timer;
  /** Keeps signed heads of the audit outside of the database. @default the files in `config.anchorFolder` */
  readonly anchorStore?: AnchorStore;
}

/** One replica of the gateway. */
export interface Gateway {
  /** Serves HTTP at the configured address. Resolves with the port. */
  listen(): Promise<number>;
  /** Answers one request without a network: for tests, or for a server of your own. */
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** Refuses new requests, waits up to 20 seconds for open ones, writes and signs the audit, and closes all connections. */
  drain(): Promise<void>;
}

/** Milliseconds that open requests have to end when the replica stops. */
const GRACE = 20_000;

/**
 * Creates a replica. The database must have been migrated, with `migrateDatabase`.
 *
 * @example
 * ```ts
 * const config = readConfig(process.env);
 * await checkDatabase(config.databaseUrl);
 * const gateway = createGateway({ config, log: createLog(config.logLevel) });
 * console.log(`listening on port ${await gateway.listen()}`);
 * process.once('SIGTERM', () => void gateway.drain());
 * ```
 */
export function createGateway({
  config,
  log: given,
  classifier = spanClassifier,
  timer = backgroundTimer,
  anchorStore,
}: GatewayOptions): Gateway {
  const log = withOrigin(given);
  const metrics = createMetrics();
  const failures = createFailures(metrics, log);
  const stores = openStores({ config, classifier, timer, failures, anchorStore });
  const upstreams = createUpstreams(config, stores, { metrics, log });
  const { addressesFor, fetchFor, fetch, routes, commandFor, connections } = upstreams;
  const ownClassifier = classifier === spanClassifier ? undefined : classifier;
  const isShared = (workspace: string, server: string): boolean => routes.isShared(workspace, server);
  const guards = new Guards({ config, stores, classifier: ownClassifier, metrics, log, isShared });
  const load = new Load({ checking: () => guards.bytes });
  const work = new WorkTracker();
  const stopping = new AbortController();
  const nameOf = (id: string): Promise<string> => nameOfWorkspace(stores.database, id);
  const notifier = new Notifier({
    webhooks: stores.webhooks,
    fetchFor,
    nameOfWorkspace: nameOf,
    publicUrl: config.publicUrl,
    onError: failures.onError,
    timer,
  });
  const app = createApp({
    ...stores,
    config,
    log,
    metrics,
    work,
    load,
    onLimit: (limit) => metrics.shed(limit),
    addressesFor,
    fetch,
    callers: createCallers(config, stores, fetch),
    login: createLogin(config, stores, fetch, failures, log),
    nameOfWorkspace: nameOf,
    notifier,
    sessions: new Sessions(config.keysFor('sessions')),
    guardFor: (caller, server, length) => guards.of(caller, server, length),
    recordRefusal: (caller, server) => guards.recordRefusal(caller, server),
    findServer: (workspace, server) => routes.find(workspace, server),
    commandFor,
    connections,
    ownClassifier,
    auditKeys: auditKeysOf(config.keysFor('audit')),
    stopping: stopping.signal,
    check: () => stores.database.check(),
    onError: failures.onError,
  });
  const listener = new Listener(app.fetch);
  stores.signer.start();
  const { auditFeed, auditFeedAuthorization: authorization } = config;
  const feed =
    auditFeed === undefined
      ? undefined
      : new Feed({ database: stores.database, url: auditFeed, authorization, fetch, onError: failures.onError, timer });
  feed?.start();
  notifier.start();
  return {
    fetch: app.fetch,
    async listen() {
      await stores.database.check();
      await checkInstallationKey(stores.database, config.keysFor('known'));
      return listener.listen(config.host, config.port);
    },
    async drain() {
      work.stop();
      stopping.abort();
      listener.stop();
      await work.settled(GRACE, timer);
      await listener.closeConnections();
      await routes.close();
      await Promise.all([feed?.stop(), notifier.stop()]);
      await stores.flush();
      load.close();
      await guards.close();
      await Promise.all([upstreams.close(), stores.close()]);
    },
  };
}
