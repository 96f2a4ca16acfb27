export { createGateway, type Gateway, type GatewayOptions } from './gateway.ts';
export { createLauncher, type Launcher, type LauncherOptions } from './launcher/launcher.ts';
export { type LauncherConfig, readLauncherConfig } from './launcher/launcher-config.ts';
export {
  type Config,
  readConfig,
  readKeys,
  readOwnerUrl,
  readStoreConfig,
  type StoreConfig,
} from './operate/config.ts';
export { ConfigError } from './operate/config-error.ts';
export { createLog, type Log } from './operate/log.ts';
export {
  checkDatabase,
  migrateDatabase,
  type Operations,
  UnreachableError,
  withOperations,
} from './operate/operations.ts';
export type { Applied, ApplyOptions } from './operate/policy-operations.ts';
export { type DryRunBudget, type DryRunReport, dryRun } from './serve/replay/dry-run.ts';
export type { AuditReport, ComparedAnchors } from './store/audit/anchor-evidence.ts';
export type { AnchorStore } from './store/audit/anchors.ts';
export type { ChainProblem, ChainReport } from './store/audit/chain.ts';
export { verifyExport } from './store/audit/verify.ts';
export { StoreError } from './store/errors.ts';
export { auditKeysOf, PublicAuditKey } from './store/links.ts';
export type { Policy } from './store/policies.ts';
export type { PolicyBody } from './store/policy/body.ts';
export type { Scope } from './store/secrets/keys.ts';
