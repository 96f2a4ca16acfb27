import { createHash } from 'node:crypto';
import type { Server as HttpServer } from 'node:http';
import { serve } from '@hono/node-server';
import { spanClassifier } from '@sallyport/classifier';
import type { ClassifierV1 } from '@sallyport/core';
import { canonicalJson, digestText } from '@sallyport/core/adapter';
import type { Likelihood, Timer } from '@sallyport/core/stages';
import { createReplay } from './api/regression.ts';
import { createApp } from './app.ts';
import { Bus } from './cache/bus.ts';
import { Fresh } from './cache/cached-value.ts';
import { Rates } from './cache/rates.ts';
import { openRedis } from './cache/redis.ts';
import { Verdicts } from './cache/verdicts.ts';
import type { Config } from './operate/config.ts';
import { codeOf, type Log } from './operate/log.ts';
import { createMetrics } from './operate/metrics.ts';
import { traceOutcome } from './operate/trace.ts';
import { Underway } from './operate/underway.ts';
import { Callers } from './serve/auth/auth.ts';
import { Sessions } from './serve/auth/session.ts';
import { TokenVerifier } from './serve/auth/token.ts';
import { Residents } from './serve/guard/cached-guards.ts';
import { createJournal } from './serve/guard/journal.ts';
import { PinViews } from './serve/guard/pins.ts';
import { Premises } from './serve/guard/principal-guards.ts';
import { commonThresholds, withThresholds } from './serve/guard/thresholds.ts';
import { Ways } from './serve/upstream-routes.ts';
import { Approvals } from './store/approvals.ts';
import { Signer } from './store/audit/checkpoint.ts';
import { Claims } from './store/claims.ts';
import { openDatabase } from './store/database.ts';
import { Thresholds } from './store/feedback.ts';
import { memoryLog } from './store/log.ts';
import { PinBook } from './store/pins.ts';
import { Policies } from './store/policies.ts';
import { checkKnown } from './store/secrets/checked-keys.ts';
import { type Caller, Keys } from './store/secrets/keys.ts';
import { tokenStore } from './store/secrets/tokens.ts';
import { Vault } from './store/secrets/vault.ts';
import { Servers } from './store/servers.ts';
import { Submissions } from './store/submissions.ts';
import { findWorkspace } from './store/workspaces.ts';
import { Writer } from './store/writer.ts';
import { platformTimer } from './timer.ts';
import { AddressRules } from './upstream/address.ts';
import { createFetch } from './upstream/fetch.ts';

export interface GatewayOptions {
  readonly config: Config;
  readonly log: Log;
  /** @default the built-in one */
  readonly classifier?: ClassifierV1;
  /** Triggers polling and signing, and limits the wait for open requests when the replica stops. @default the platform's */
  readonly timer?: Timer;
}

/** One replica. */
export interface Gateway {
  /** Serves at the configured address; gives the port. */
  listen(): Promise<number>;
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** Takes no more requests, lets those end that are under way, and closes everything. */
  drain(): Promise<void>;
}

/** Milliseconds that requests have to end by themselves. */
const GRACE = 20_000;

/** A key of each principal's own: a frame of his proves nothing to another. */
function keyOf(base: Uint8Array, { workspace, principal }: Caller): Uint8Array {
  return createHash('sha256')
    .update(base)
    .update(JSON.stringify([workspace, principal]))
    .digest();
}

/** Names what all calls of a workspace are judged by. */
function nameOf(version: number, least: ReadonlyMap<string, Likelihood>): string {
  return JSON.stringify([version, [...least].toSorted()]);
}

/** Puts the parts of a replica together. The database must be migrated. */
export function createGateway({
  config,
  log,
  classifier = spanClassifier,
  timer = platformTimer,
}: GatewayOptions): Gateway {
  const metrics = createMetrics();
  const onError = (cause: unknown): void => {
    metrics.failure(codeOf(cause));
    log.error('failed', { code: codeOf(cause) });
  };
  const onRedisError = (cause: unknown): void => {
    metrics.failure(codeOf(cause));
    log.warn('Redis does not answer: going on without it', { code: codeOf(cause) });
  };
  const database = openDatabase(config.databaseUrl, { max: config.connections });
  const redis = config.redisUrl === undefined ? undefined : openRedis(config.redisUrl, { onError: onRedisError });
  const bus = new Bus(redis, { timer });
  const writer = new Writer(database);
  const signer = new Signer(database, writer, config.keyFor('audit'), { onError, timer });
  const vault = new Vault(config.secretsKey);
  const addresses = new AddressRules({ open: config.open });
  const fetch = createFetch(addresses);
  const keys = new Keys(database, bus, config.keysFor('keys'));
  const servers = new Servers(database, bus, vault);
  const policies = new Policies(database, bus);
  const book = new PinBook(database, bus);
  const pins = new PinViews(book, bus);
  const approvals = new Approvals(database, bus);
  const claims = new Claims(database);
  const verdicts = new Verdicts({ key: config.keyFor('verdicts'), ...(redis === undefined ? {} : { link: redis }) });
  const thresholds = new Thresholds(database, bus, createReplay(classifier));
  const underway = new Underway();
  const stopping = new AbortController();
  const ways = new Ways({
    servers,
    fetch,
    commands: config.commands,
    tokens: (workspace, server) => tokenStore(database, vault, workspace, server),
    // What a child writes there is content of others: that it wrote is all that is logged.
    onLog: (workspace, server) => log.warn('a child process wrote to its log', { workspace, server }),
  });

  async function make(caller: Caller): Promise<Premises> {
    const { workspace, principal } = caller;
    const journal = createJournal({
      workspace,
      principal,
      writer,
      onCall: (_server, outcome, rule) => {
        metrics.call(outcome, rule);
        traceOutcome(outcome, rule);
      },
    });
    const [{ body: policy, version }, least] = await Promise.all([
      policies.current(workspace),
      thresholdsOf(workspace),
    ]);
    const premises = new Premises({
      workspace,
      principal,
      key: keyOf(config.keyFor('frames'), caller),
      policy,
      version: nameOf(version, least),
      placeOf: async (name) => digestText(canonicalJson((await servers.find(workspace, name)) ?? null)),
      classifier: withThresholds(classifier, least),
      cache: verdicts.of(workspace),
      log: memoryLog(database, writer, workspace, principal),
      journal: config.isAudited ? journal : undefined,
      pins,
      approvals,
      claim: (id, until) => claims.claim(workspace, id, until),
    });
    // What other servers have said stands in the log, under the names of their tools.
    const listed = await servers.list(workspace);
    await Promise.all(listed.map(({ name }) => premises.guardFor(name)));
    return premises;
  }

  async function thresholdsOf(workspace: string): Promise<ReadonlyMap<string, Likelihood>> {
    const [{ body }, names] = await Promise.all([policies.current(workspace), serverNames.get(workspace)]);
    const moved = await Promise.all(names.map((name) => thresholds.current(workspace, name)));
    return commonThresholds(body.thresholds ?? {}, moved);
  }

  const serverNames = new Fresh(bus, 'servers', async (workspace) =>
    (await servers.list(workspace)).map(({ name }) => name),
  );
  const residents = new Residents({
    versionOf: async (workspace) => {
      const [{ version }, least] = await Promise.all([policies.current(workspace), thresholdsOf(workspace)]);
      return nameOf(version, least);
    },
    make,
  });
  const tokens =
    config.tokens === undefined
      ? undefined
      : new TokenVerifier({
          issuer: config.tokens.issuer,
          audience: config.publicUrl,
          keys: { type: 'url', url: config.tokens.jwksUrl, fetch },
          claims: { workspace: config.tokens.workspaceClaim, scopes: config.tokens.scopesClaim },
        });
  const app = createApp({
    config,
    log,
    metrics,
    underway,
    callers: new Callers({ keys, tokens, workspaceOf: (name) => findWorkspace(database, name) }),
    rates: new Rates(redis),
    sessions: new Sessions(config.keysFor('sessions')),
    approvals,
    premisesFor: (caller) => residents.of(caller),
    reach: (workspace, server) => ways.to(workspace, server),
    bus,
    book,
    keys,
    policies,
    servers,
    addresses,
    fetch,
    commands: config.commands,
    submissions: new Submissions(database),
    thresholds,
    database,
    key: config.keysFor('audit'),
    stopping: stopping.signal,
    check: () => database.check(),
    onError,
  });
  let server: HttpServer | undefined;
  signer.start();

  return {
    fetch: app.fetch,
    async listen() {
      await checkKnown(database, config.keysFor('known'));
      return new Promise((resolve, reject) => {
        const options = { fetch: app.fetch, hostname: config.host, port: config.port };
        server = serve(options, ({ port }) => resolve(port)) as HttpServer;
        server.on('error', reject);
        // A request's head must come at once; its body has a time of its own.
        server.headersTimeout = 10_000;
        server.requestTimeout = 60_000;
      });
    },
    async drain() {
      underway.stop();
      stopping.abort();
      server?.close();
      await underway.ended(GRACE, timer);
      server?.closeAllConnections();
      await ways.close();
      await writer.drain().catch(onError);
      await signer.stop().catch(onError);
      for (const each of [keys, servers, serverNames, policies, pins, thresholds, bus]) each.close();
      redis?.close();
      await Promise.all([fetch.close(), database.close()]);
    },
  };
}
