import { isIP } from 'node:net';

/** What the HTTP server knows of the connection. Undefined where a request did not come over the network. */
export interface Connected {
  readonly incoming?: { readonly socket: { readonly remoteAddress?: string | undefined } };
}

const MAPPED = /^::ffff:(?=\d+\.)/i;

/**
 * The client's address: that of the connection, or what a balancer wrote in the header that the operator named. Of several
 * addresses the last counts, which the balancer itself has added: those before it are the client's to choose.
 */
export function clientAddress(connected: Connected | undefined, header: string | undefined): string | undefined {
  const named = header?.split(',').at(-1)?.trim() ?? '';
  const address = isIP(named) > 0 ? named : connected?.incoming?.socket.remoteAddress;
  return address?.replace(MAPPED, '');
}
