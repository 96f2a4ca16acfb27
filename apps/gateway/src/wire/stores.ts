import type { ClassifierV1 } from '@sallyport/core';
import type { Timer } from '@sallyport/core/stages';
import { Bus } from '../cache/bus.ts';
import { Rates } from '../cache/rates.ts';
import { openRedis } from '../cache/redis.ts';
import { Verdicts } from '../cache/verdicts.ts';
import { Webhooks } from '../notify/webhooks.ts';
import type { Config } from '../operate/config.ts';
import { Approvals } from '../store/approvals.ts';
import { type AnchorStore, fileAnchors } from '../store/audit/anchors.ts';
import { Signer } from '../store/audit/checkpoint.ts';
import { Claims } from '../store/claims.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { Thresholds } from '../store/feedback.ts';
import { LastingApprovals } from '../store/lasting/lasting-approvals.ts';
import { auditKeysOf } from '../store/links.ts';
import { PinBook } from '../store/pins/pins.ts';
import { Policies } from '../store/policies.ts';
import { Corrections } from '../store/policy/corrections.ts';
import { Findings } from '../store/policy/findings.ts';
import { createReplay } from '../store/policy/known-attacks.ts';
import { Keys } from '../store/secrets/keys.ts';
import { Logins } from '../store/secrets/logins.ts';
import { Vault } from '../store/secrets/vault.ts';
import { Servers } from '../store/servers.ts';
import { Submissions } from '../store/submissions.ts';
import { Writer } from '../store/writer.ts';
import type { Failures } from './failures.ts';

export interface StoresOptions {
  readonly config: Config;
  /** Tests threshold changes against known attacks. */
  readonly classifier: ClassifierV1;
  readonly timer: Timer;
  readonly failures: Failures;
  /** @default the files in the folder that is configured */
  readonly anchorStore: AnchorStore | undefined;
}

/** The database, Redis, and everything that is stored in them. */
export interface Stores {
  readonly database: Database;
  readonly bus: Bus;
  readonly rates: Rates;
  readonly verdicts: Verdicts;
  readonly writer: Writer;
  readonly signer: Signer;
  readonly vault: Vault;
  readonly keys: Keys;
  readonly logins: Logins;
  readonly servers: Servers;
  readonly policies: Policies;
  readonly book: PinBook;
  readonly approvals: Approvals;
  readonly lasting: LastingApprovals;
  readonly claims: Claims;
  readonly thresholds: Thresholds;
  readonly findings: Findings;
  readonly corrections: Corrections;
  readonly submissions: Submissions;
  readonly webhooks: Webhooks;
  /** Writes and signs what is pending. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the stores of a replica. The database must be migrated. */
export function openStores({ config, classifier, timer, failures, anchorStore: given }: StoresOptions): Stores {
  const { onError, onRedisError } = failures;
  const auditKeys = auditKeysOf(config.keysFor('audit'));
  const { anchorFolder } = config;
  const anchorStore = given ?? (anchorFolder === undefined ? undefined : fileAnchors(anchorFolder, auditKeys));
  const audit = { keys: auditKeys, anchors: (workspace: string) => anchorStore?.last(workspace) };
  const database = openDatabase(config.databaseUrl, { max: config.connections, audit });
  const redis = config.redisUrl === undefined ? undefined : openRedis(config.redisUrl, { onError: onRedisError });
  const bus = new Bus(redis, { timer });
  const writer = new Writer(database);
  const signer = new Signer(database, writer, { onError, timer, anchorStore });
  const vault = new Vault(config.secretsKey);
  const keys = new Keys(database, bus, config.keysFor('keys'));
  const logins = new Logins(database, bus, config.keysFor('logins'));
  const servers = new Servers(database, bus, vault);
  const replay = createReplay(classifier);
  const policies = new Policies(database, bus, { replay });
  const thresholds = new Thresholds(database, bus, replay);
  return {
    database,
    bus,
    rates: new Rates(redis),
    verdicts: new Verdicts({ key: config.keyFor('verdicts'), ...(redis === undefined ? {} : { link: redis }) }),
    writer,
    signer,
    vault,
    keys,
    logins,
    servers,
    policies,
    book: new PinBook(database, bus),
    approvals: new Approvals(database, bus),
    lasting: new LastingApprovals(database, bus),
    claims: new Claims(database),
    thresholds,
    findings: new Findings(database),
    corrections: new Corrections(database),
    submissions: new Submissions(database),
    webhooks: new Webhooks(database, vault),
    async flush() {
      await writer.drain().catch(onError);
      await signer.stop().catch(onError);
    },
    async close() {
      for (const each of [keys, logins, servers, policies, thresholds, bus]) each.close();
      redis?.close();
      await database.close();
    },
  };
}
