import { openSalted, sealSalted } from '../../seal.ts';

/** The state of a connection between its beginning and its end. It is sealed in the `state` parameter. */
export interface ConnectionState {
  readonly workspace: string;
  readonly principal: string;
  /** The person who began it. */
  readonly person: string;
  /** Digest of the login session that it began in; absent if it began with a key or a token. */
  readonly session?: string;
  readonly server: string;
  /** Digest of the settings that it began with. */
  readonly settings: string;
  /** The PKCE verifier. */
  readonly verifier: string;
  /** Identifies the attempt: it counts once. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

const MAX_LENGTH = 4096;
const BINDING = { purpose: 'sallyport/connection/2' };

/** The first key seals. */
export function sealState(state: ConnectionState, keys: readonly Uint8Array[]): string {
  return sealSalted(JSON.stringify(state), keys, BINDING).toString('base64url');
}

/** Undefined if the gateway did not seal it. */
export function openState(text: string, keys: readonly Uint8Array[]): ConnectionState | undefined {
  const opened = openSalted(Buffer.from(text.slice(0, MAX_LENGTH), 'base64url'), keys, BINDING);
  return opened === undefined ? undefined : (JSON.parse(opened) as ConnectionState);
}
