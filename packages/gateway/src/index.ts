export { createGateway, type Gateway, type GatewayOptions } from './gateway.ts';
export { type Config, ConfigError, readConfig, readKeys, readStoreConfig, type StoreConfig } from './operate/config.ts';
export { createLog, type Log } from './operate/log.ts';
export { atDesk, checkDatabase, type Desk, migrateDatabase, UnreachableError } from './operate/operations-queue.ts';
export type { ChainProblem, ChainReport } from './store/audit/chain.ts';
export { verifyExport } from './store/audit/verify.ts';
export { StoreError } from './store/errors.ts';
export type { Scope } from './store/secrets/keys.ts';
