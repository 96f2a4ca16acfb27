export { createGateway, type Gateway, type GatewayOptions } from './gateway.ts';
export { type Config, ConfigError, readConfig, readKeys, readStoreConfig, type StoreConfig } from './operate/config.ts';
export { atDesk, checkDatabase, type Desk, migrateDatabase, UnreachableError } from './operate/desk.ts';
export { createLog, type Log } from './operate/log.ts';
export type { ChainProblem, ChainReport } from './store/chain.ts';
export { StoreError } from './store/errors.ts';
export type { Scope } from './store/keys.ts';
export { verifyExport } from './store/verify.ts';
