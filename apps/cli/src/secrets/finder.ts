import type { Effect, FindSecrets } from '@sallyport/core';
import { findSecrets } from './find.ts';

/** The treatment of secrets: calls that carry one are asked about, they are also removed from results, or neither. */
export const SECRETS = ['ask', 'redact', 'off'] as const;
export type Secrets = (typeof SECRETS)[number];

/** Effects that stay on this machine if the tool does. A search of a local server can be one of the web: its name does not tell. */
const LOCAL: ReadonlySet<Effect> = new Set(['read', 'write', 'destroy']);

/** Names of servers whose files are those of this machine. A service has files and paths too, such as a gist or an object of a bucket. */
const FILE_SERVER = /^(?:(?:my|local)[-_ ]?)?files?$|(?:^|[^a-z])(?:file[-_ ]?system|fs)(?:[^a-z]|$)/i;

/** Recognizes a server of local files by its name. */
export function isFileServer(name: string): boolean {
  return FILE_SERVER.test(name);
}

/** The properties of a session's tools. */
export interface SecretOptions {
  /** Set if calls of a tool are searched for secrets. */
  isOn(tool: string): boolean;
  /** Recognizes a tool whose input stays on this machine. Agents copy text between a user's files every day. */
  staysHere(tool: string): boolean;
}

/** Finds the secrets that a call may send out. */
export function secretFinder({ isOn, staysHere }: SecretOptions): FindSecrets {
  return (text, { tool, effect }) => (!isOn(tool) || (LOCAL.has(effect) && staysHere(tool)) ? [] : findSecrets(text));
}
