import { isIP, isIPv6 } from 'node:net';

/** The HTTP server's view of the connection. Undefined where a request did not come over the network. */
export interface Connected {
  readonly incoming?: { readonly socket: { readonly remoteAddress?: string | undefined } };
}

const MAPPED = /^::ffff:(?=\d+\.)/i;

function addressIn(text: string | undefined): string | undefined {
  const plain = text?.trim().replace(MAPPED, '');
  return plain !== undefined && isIP(plain) > 0 ? plain : undefined;
}

/**
 * The client's address. Each of the operator's proxies appends the address that it sees to `X-Forwarded-For`; what is before those
 * entries is the client's own claim.
 */
export function clientAddress(
  connected: Connected | undefined,
  forwarded: string | undefined,
  proxies: number,
): string | undefined {
  const named = proxies === 0 ? undefined : forwarded?.split(',').at(-proxies);
  return addressIn(named) ?? addressIn(connected?.incoming?.socket.remoteAddress);
}

/** The addresses of one client: an IPv4 address, or all IPv6 addresses with the same first 64 bits. */
export function networkOf(address: string | undefined): string {
  if (address === undefined || !isIPv6(address)) return address ?? '';
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const [before, after] = [head, tail ?? ''].map((part) => part.split(':').filter((group) => group !== ''));
  const missing = 8 - (before?.length ?? 0) - (after?.length ?? 0);
  const groups = [...(before ?? []), ...Array<string>(Math.max(0, missing)).fill('0'), ...(after ?? [])];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
